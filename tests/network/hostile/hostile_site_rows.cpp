// Attacks by rows: of facts about data, of sums, of counts of work.
#include "driftless/network/hub/chunks.hpp"

#include "tests/network/hostile/hostile_site.hpp"

#include <limits>

namespace driftless {
namespace {

using End = SiteAttack::End;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const std::string too_large = "sent a number that is not finite or too large";

SiteAttack facts(std::string name, std::size_t column, double value, std::string message) {
  return {.name = "facts, " + name,
          .act =
              [=](Attacker& attacker) {
                attacker.join();
                attacker.send_facts(column, value);
                attacker.hear();
              },
          .end = End::dropped,
          .message = std::move(message),
          .lost = wire_run::facts};
}

// Rows of an exchange that the attacker has reached honestly.
SiteAttack rows(std::string name, ExchangeId at, const wire::FromSite& sent, std::string message) {
  return {.name = std::move(name),
          .act =
              [=](Attacker& attacker) {
                attacker.reach(at);
                attacker.raw().send(sent);
                attacker.hear();
              },
          .end = End::dropped,
          .message = std::move(message),
          .lost = at};
}

SiteAttack first_sum(std::string name, std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values,
                     std::string message, std::uint32_t attempt = 0) {
  return rows("sum, " + name, wire_run::first_sum, chunk_of(exchange, index, values, attempt), std::move(message));
}

SiteAttack entry(std::string name, double value) {
  std::vector<double> values = south_rows(wire_run::first_sum, 0);
  values[7] = value;
  return first_sum(std::move(name), wire_run::first_sum, 0, values, too_large);
}

SiteAttack tally(std::string name, double value, std::string message) {
  std::vector<double> values = south_rows(wire_run::tallies, 0);
  values[1] = value;
  return rows("counts, " + name, wire_run::tallies, chunk_of(wire_run::tallies, 0, values), std::move(message));
}

wire::FromSite bytes_of(std::size_t bytes) {
  wire::FromSite message = chunk_of(wire_run::first_sum, 0, {});
  message.mutable_chunk()->set_values(std::string(bytes, '\x3f'));
  return message;
}

// Chunks of the wide sum, in this order, with one entry changed in the last.
SiteAttack wide(std::string name, const std::vector<std::size_t>& order, double last, std::string message) {
  return {.name = "wide sum, " + name,
          .act =
              [=](Attacker& attacker) {
                attacker.reach(wire_run::wide_sum);
                for (std::size_t k = 0; k < order.size(); ++k) {
                  std::vector<double> values = south_rows(wire_run::wide_sum, order[k]);
                  if (k + 1 == order.size() && last != 0.0) values.back() = last;
                  attacker.raw().send(chunk_of(wire_run::wide_sum, order[k], values));
                }
                attacker.hear();
              },
          .end = End::dropped,
          .message = std::move(message),
          .lost = wire_run::wide_sum};
}

std::vector<SiteAttack> wide_sums() {
  const std::string turn = "the site sent a chunk out of turn";
  return {
      wide("the last chunk first", {2}, 0.0, turn),
      wide("a chunk left out", {0, 2}, 0.0, turn),
      wide("a chunk twice", {0, 0}, 0.0, turn),
      wide("the second chunk not finite", {0, 1}, not_a_number, too_large),
      wide("the last chunk too large", {0, 1, 2}, -1.7e308, too_large),
      rows("wide sum, a chunk beyond the last", wire_run::wide_sum, chunk_of(wire_run::wide_sum, 3, {1.0}), turn),
      rows("wide sum, a whole row as one chunk", wire_run::wide_sum,
           chunk_of(wire_run::wide_sum, 0, std::vector<double>(2 * wire_run::wide, 1.0)), "rows of another size"),
      rows("wide sum, one client's chunk alone", wire_run::wide_sum,
           chunk_of(wire_run::wide_sum, 0, std::vector<double>(Chunks::entries, 1.0)), "rows of another size"),
  };
}

}  // namespace

std::vector<SiteAttack> attacks_by_facts() {
  return {
      facts("60 labels", 2, 60.0, "client 1: 60 labels"),
      facts("a thousand million labels", 2, 1e9, "labels"),
      facts("-1 labels", 2, -1.0, "client 1: -1 labels"),
      facts("half a label", 2, 0.5, "client 1: 0.5 labels"),
      facts("labels that are not a number", 2, not_a_number, too_large),
      facts("-1000 rows", 7, -1000.0, "client 2: -1000 rows"),
      facts("no rows", 0, 0.0, "client 1: 0 rows"),
      facts("half a row", 0, 0.5, "client 1: 0.5 rows"),
      facts("1e300 rows", 0, 1e300, too_large),
      facts("1e100 rows", 0, 1e100, "rows"),
      facts("2e9 columns", 1, 2e9, "columns"),
      facts("no columns", 1, 0.0, "client 1: 0 columns"),
      facts("-1 columns", 8, -1.0, "client 2: -1 columns"),
      facts("half a column", 1, 0.5, "client 1: 0.5 columns"),
      facts("an infinite label", 3, infinity, too_large),
      rows("facts, one number too few", wire_run::facts, chunk_of(wire_run::facts, 0, std::vector<double>(13, 1.0)),
           "rows of another size"),
      rows("facts, one number too many", wire_run::facts, chunk_of(wire_run::facts, 0, std::vector<double>(15, 1.0)),
           "rows of another size"),
      rows("facts, none", wire_run::facts, chunk_of(wire_run::facts, 0, {}), "rows of another size"),
      rows("facts, a second chunk", wire_run::facts, chunk_of(wire_run::facts, 1, south_facts()), "out of turn"),
  };
}

std::vector<SiteAttack> attacks_by_rows() {
  const std::vector<double> good = south_rows(wire_run::first_sum, 0);
  const std::string nobody = "the site sent rows of an exchange that is not under way";
  const std::string senseless = "an invalid message";
  std::vector<SiteAttack> attacks{
      entry("not a number", not_a_number),
      entry("infinite", infinity),
      entry("minus infinite", -infinity),
      entry("1.7e308", 1.7e308),
      entry("-1e151", -1e151),
      first_sum("nine numbers", 1, 0, std::vector<double>(9, 1.0), "rows of another size"),
      first_sum("eleven numbers", 1, 0, std::vector<double>(11, 1.0), "rows of another size"),
      first_sum("no numbers", 1, 0, {}, "rows of another size"),
      first_sum("the next exchange", 2, 0, good, nobody),
      first_sum("exchange 2^62 - 1", (std::uint64_t{1} << 62) - 1, 0, good, nobody),
      first_sum("exchange 2^63", std::uint64_t{1} << 63, 0, good, senseless),
      first_sum("chunk 1", 1, 1, good, "out of turn"),
      first_sum("chunk 2^61", 1, std::uint64_t{1} << 61, good, "out of turn"),
      first_sum("chunk 2^64 - 1", 1, ~std::uint64_t{0}, good, senseless),
      first_sum("attempt 1", 1, 0, good, "an attempt that was never requested", 1),
      first_sum("attempt 2^32 - 1", 1, 0, good, "an attempt that was never requested", ~std::uint32_t{0}),
      rows("sum, 79 bytes", wire_run::first_sum, bytes_of(79), "not whole numbers"),
      rows("sum, 81 bytes", wire_run::first_sum, bytes_of(81), "not whole numbers"),
      rows("sum, one byte", wire_run::first_sum, bytes_of(1), "not whole numbers"),
      tally("negative", -1.0, "a count of steps is -1"),
      tally("a fraction", 0.5, "a count of steps is 0.5"),
      tally("1e16", 1e16, "a count of steps is"),
      tally("not a number", not_a_number, too_large),
      tally("1e300", 1e300, too_large),
      {.name = "sum, 1e149",
       .act =
           [](Attacker& attacker) {
             attacker.reach(wire_run::first_sum);
             attacker.raw().send(chunk_of(wire_run::first_sum, 0, std::vector<double>(10, 1e149)));
             attacker.hear();
           },
       .end = End::accepted,
       .message = "the run continues without it"},
  };
  const std::vector<SiteAttack> more = wide_sums();
  attacks.insert(attacks.end(), more.begin(), more.end());
  return attacks;
}

}  // namespace driftless
