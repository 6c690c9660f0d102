#include "driftless/data/manifest.hpp"

#include "driftless/data/split_rows.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::int32_t>;

constexpr std::uint64_t schema_version = 1;
constexpr std::uint64_t any_word = std::numeric_limits<std::uint64_t>::max();

Json label_counts(const LabelledRows& data, const Rows& rows) {
  std::map<double, std::size_t> counts;
  for (const std::int32_t row : rows) ++counts[data.label[static_cast<std::size_t>(row)]];
  Json object = Json::object();
  for (const auto& [label, count] : counts) object[number(label)] = count;
  return object;
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

class Reader {
 public:
  Reader(const std::filesystem::path& path, const LabelledRows& data) : path_(path.string()), data_(data) {}

  SplitManifest read(const std::string& text) const;

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& seen, const std::string& advice = "") const {
    throw DataError({.what = what,
                     .seen = path_ + ": " + seen,
                     .advice = advice.empty() ? "make the split again with 'driftless data split'" : advice});
  }
  const Json& member(const Json& object, const std::string& key) const;
  std::string text(const Json& object, const std::string& key) const;
  std::uint64_t whole(const Json& value, const std::string& what, std::uint64_t most) const;
  SplitOptions options(const Json& root) const;
  Rows client(const Json& entry, std::size_t id) const;
  void check_data(const Json& root) const;
  void check_labels(const Json& clients, const Partition& partition) const;

  std::string path_;
  const LabelledRows& data_;
};

const Json& Reader::member(const Json& object, const std::string& key) const {
  if (!object.is_object() || !object.contains(key)) fail("the split manifest is incomplete", "no key '" + key + "'");
  return object[key];
}

std::string Reader::text(const Json& object, const std::string& key) const {
  const Json& value = member(object, key);
  if (!value.is_string()) fail("the split manifest has a value of the wrong kind", key + " = " + one_line(value));
  return value.get<std::string>();
}

std::uint64_t Reader::whole(const Json& value, const std::string& what, std::uint64_t most) const {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    fail("the split manifest has a value of the wrong kind", what + " = " + one_line(value));
  return value.get<std::uint64_t>();
}

SplitOptions Reader::options(const Json& root) const {
  SplitOptions options;
  const std::string kind = text(root, "split");
  if (!OptionType<Split>::read(kind, options.split))
    fail("the split manifest names an unknown split", "split = " + kind, "known: " + OptionType<Split>::allowed());
  if (uses_alpha(options.split)) {
    const Json& alpha = member(root, "alpha");
    if (!alpha.is_number()) fail("the split manifest has a value of the wrong kind", "alpha = " + one_line(alpha));
    options.alpha = alpha.get<double>();
  }
  const Json& clients = member(root, "clients");
  if (!clients.is_array() || clients.empty()) fail("the split manifest has no clients", "clients");
  options.clients = clients.size();
  return options;
}

Rows Reader::client(const Json& entry, std::size_t id) const {
  const std::string who = "client " + std::to_string(id);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (whole(member(entry, "id"), who + ": id", most) != id)
    fail("the clients of the split manifest are not numbered in order", who + ": id = " + one_line(entry["id"]));
  const Json& indices = member(entry, "indices");
  if (!indices.is_array()) fail("the split manifest has a value of the wrong kind", who + ": indices");
  Rows rows;
  for (const Json& index : indices) rows.push_back(static_cast<std::int32_t>(whole(index, who + ": index", most)));
  if (whole(member(entry, "rows"), who + ": rows", most) != rows.size())
    fail("the split manifest contradicts itself",
         who + ": rows = " + one_line(entry["rows"]) + ", but " + std::to_string(rows.size()) + " indices");
  return rows;
}

void Reader::check_data(const Json& root) const {
  const std::string digest = text(member(root, "data"), "sha256");
  if (digest != data_.digest)
    fail("the split was made for other data",
         "made for " + text(root["data"], "name") + " (sha256 " + digest + "), given " + data_.name + " (sha256 " +
             data_.digest + ")",
         "give the data it was made for, or make the split again");
}

void Reader::check_labels(const Json& clients, const Partition& partition) const {
  for (std::size_t id = 0; id < partition.clients.size(); ++id) {
    const Json& labels = member(clients[id], "labels");
    if (labels != label_counts(data_, partition.clients[id]))
      fail("the label counts of the split manifest are not those of the data",
           "client " + std::to_string(id) + ": " + one_line(labels),
           "read the data with the labels it was split with, or make the split again");
  }
}

SplitManifest Reader::read(const std::string& content) const {
  const Json root = Json::parse(content, nullptr, false);
  if (root.is_discarded()) fail("the split manifest is not JSON", "cannot be parsed");
  const std::uint64_t version = whole(member(root, "schema_version"), "schema_version", any_word);
  if (version != schema_version)
    fail("the split manifest has a version not known here", "schema_version = " + std::to_string(version),
         "version " + std::to_string(schema_version) + " is read; make the split again");
  check_data(root);
  SplitManifest manifest{.data_name = text(root["data"], "name"),
                         .data_digest = data_.digest,
                         .options = options(root),
                         .seed = whole(member(root, "seed"), "seed", any_word),
                         .partition = {}};
  const Json& clients = root["clients"];
  auto& lists = manifest.partition.clients;
  for (const Json& entry : clients) lists.push_back(client(entry, lists.size()));
  if (const std::string fault = coverage_fault(manifest.partition, data_.rows()); !fault.empty())
    fail("the split manifest does not give every row to exactly one client", fault);
  if (text(root, "indices_sha256") != partition_digest(manifest.partition))
    fail("the index lists of the split manifest were changed", "indices_sha256 does not match");
  check_labels(clients, manifest.partition);
  return manifest;
}

}  // namespace

std::string partition_digest(const Partition& partition) {
  Sha256 digest;
  digest.add_word(partition.clients.size());
  for (const Rows& rows : partition.clients) {
    digest.add_word(rows.size());
    for (const std::int32_t row : rows) digest.add_word(static_cast<std::uint64_t>(row));
  }
  return digest.hex();
}

std::string manifest_text(const LabelledRows& data, const SplitOptions& options, std::uint64_t seed,
                          const Partition& partition) {
  Json head = {{"schema_version", schema_version},
               {"data", {{"name", base_name(data.name)}, {"sha256", data.digest}, {"rows", data.rows()}}},
               {"split", enum_name(options.split)}};
  if (uses_alpha(options.split)) head["alpha"] = options.alpha;
  head["seed"] = seed;
  head["indices_sha256"] = partition_digest(partition);
  // One line per key and per client: readable, and short in a diff.
  std::string text = "{\n";
  for (const auto& [key, value] : head.items()) text += "  \"" + key + "\": " + one_line(value) + ",\n";
  text += "  \"clients\": [";
  for (std::size_t id = 0; id < partition.clients.size(); ++id) {
    const Rows& rows = partition.clients[id];
    const Json entry = {{"id", id}, {"rows", rows.size()}, {"labels", label_counts(data, rows)}, {"indices", rows}};
    text += (id == 0 ? "\n    " : ",\n    ") + one_line(entry);
  }
  return text + "\n  ]\n}\n";
}

void write_manifest(const std::filesystem::path& path, const LabelledRows& data, const SplitOptions& options,
                    std::uint64_t seed, const Partition& partition) {
  write_output_file(path, manifest_text(data, options, seed, partition));
}

SplitManifest read_manifest(const std::filesystem::path& path, const LabelledRows& data) {
  return Reader(path, data).read(read_input_file(path));
}

}  // namespace driftless
