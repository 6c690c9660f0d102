#include "driftless/problems/glm/glm_tables.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/random.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/data/split_rows.hpp"
#include "driftless/data/tables/csv_reader.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/problems/hosted_files.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace driftless {
namespace {

// The label of every row as a number: the index of its text, or −1 where it is missing.
std::vector<double> row_labels(const Table& table, const Schema& schema) {
  const TableColumn& column = requested_column(table, schema.of_role(ColumnRole::label)->name);
  std::vector<double> labels(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row)
    if (is_missing(column, row)) labels[row] = -1.0;
    else labels[row] = column.type == CellType::text ? static_cast<double>(column.code[row]) : column.number[row];
  return labels;
}

struct TestSplit {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> test;
};

// The same part of each class, at random; both lists rise, as the rows do.
TestSplit split_test(const std::vector<std::uint32_t>& rows, const std::vector<double>& label, bool classes,
                     double part, Stream chance) {
  std::map<double, std::vector<std::uint32_t>> groups;
  for (const std::uint32_t row : rows) groups[classes ? label[row] : 0.0].push_back(row);
  std::vector<bool> tested(label.size(), false);
  for (auto& [value, group] : groups) {
    chance.shuffle(std::span(group));
    const auto count = static_cast<std::size_t>(std::llround(part * static_cast<double>(group.size())));
    for (const std::uint32_t row : std::span(group).first(count)) tested[row] = true;
  }
  TestSplit split;
  for (const std::uint32_t row : rows) (tested[row] ? split.test : split.train).push_back(row);
  return split;
}

class TableReading {
 public:
  TableReading(const ProblemSetup& setup, const GlmKeys& keys, const Schema& schema, bool classes,
               const PeerResources& peer)
      : setup_(setup),
        keys_(keys),
        schema_(schema),
        classes_(classes),
        peer_(peer),
        requests_(column_requests(schema, classes)) {}

  GlmTables read() {
    if (setup_.federation.split) divide_one();
    else read_each();
    return std::move(made_);
  }

 private:
  const Table& load(const std::filesystem::path& file) {
    return made_.tables.emplace_back(read_csv(file, requests_, schema_.format));
  }

  void divide_one() {
    const Table& table = load(keys_.data);
    LabelledRows rows;
    rows.name = table.name;
    rows.digest = table.digest;
    rows.label = row_labels(table, schema_);
    const SplitOptions split = setup_.federation.split_options();
    const Partition partition = located(setup_.federation.source, [&] { return split_rows(rows, split, setup_.seed); });
    made_.split_manifest = manifest_text(rows, split, setup_.seed, partition);
    made_.name = base_name(table.name);
    made_.division = split_text(split);
    for (const ClientId id : peer_.transport.layout().hosted) {
      const std::vector<std::int32_t>& own = partition.clients[id];
      add_client(id, table, {own.begin(), own.end()});
    }
  }

  void read_each() {
    const std::vector<std::filesystem::path> files = hosted_files(setup_, peer_);
    const std::vector<ClientId>& ids = peer_.transport.layout().hosted;
    for (std::size_t slot = 0; slot < files.size(); ++slot) {
      const Table& table = load(files[slot]);
      warn_of_copies(table);
      add_client(ids[slot], table, all_rows_of(table));
      if (keys_.test_files.empty()) continue;
      const Table& test = load(keys_.test_files[ids[slot]]);
      DesignCounts counts;
      made_.test.back() = {&test, usable_rows(test, schema_, all_rows_of(test), counts)};
    }
    made_.name = fmt::format("{} files", setup_.clients());
    made_.division = "one file each";
  }

  // Of the tables so far, `table` the last.
  void warn_of_copies(const Table& table) const {
    const auto copy = std::ranges::find(made_.tables, table.digest, &Table::digest);
    if (&*copy != &table)
      log_warning(copy->name + " and " + table.name + " have the same bytes: their rows count twice");
  }

  static std::vector<std::uint32_t> all_rows_of(const Table& table) {
    std::vector<std::uint32_t> rows(table.rows);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }

  void add_client(ClientId id, const Table& table, const std::vector<std::uint32_t>& rows) {
    DesignCounts counts;
    const std::vector<std::uint32_t> usable = usable_rows(table, schema_, rows, counts);
    peer_.own.require_rows(table.name, usable.size());
    TestSplit split = keys_.test > 0.0 ? split_test(usable, row_labels(table, schema_), classes_, keys_.test,
                                                    Stream(setup_.seed, Purpose::test_rows, id))
                                       : TestSplit{usable, {}};
    if (split.train.empty() && !split.test.empty())
      throw DataError(
          {.what = "all rows of a client are kept for the test",
           .seen = fmt::format("{}: client {}: {} rows, test = {}", table.name, id, usable.size(), keys_.test),
           .advice = "set problem.test lower, or leave this client out"});
    if (split.train.empty())
      throw DataError(
          {.what = "a client has no row that can be used",
           .seen = fmt::format("{}: client {}: {} rows, {} without label, {} with missing cells where the "
                               "schema says drop",
                               table.name, id, rows.size(), counts.rows_without_label, counts.rows_with_missing),
           .advice = "check the label of the schema and the texts for missing cells"});
    made_.train.push_back({&table, std::move(split.train)});
    made_.test.push_back({&table, std::move(split.test)});
    made_.counts.push_back(counts);
  }

  const ProblemSetup& setup_;
  const GlmKeys& keys_;
  const Schema& schema_;
  bool classes_;
  const PeerResources& peer_;
  std::vector<ColumnRequest> requests_;
  GlmTables made_;
};

}  // namespace

void GlmTables::release_cells(std::size_t slot) {
  if (tables.size() < train.size()) return;
  for (Table& table : tables)
    if (&table == train[slot].table || &table == test[slot].table) table.columns.clear();
}

GlmTables read_tables(const ProblemSetup& setup, const GlmKeys& keys, const Schema& schema, bool classes,
                      const PeerResources& peer) {
  return TableReading(setup, keys, schema, classes, peer).read();
}

}  // namespace driftless
