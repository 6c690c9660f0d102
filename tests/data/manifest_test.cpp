#include "driftless/data/manifest.hpp"

#include "driftless/data/split_rows.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/small_data.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

const SplitOptions halves{.clients = 2, .split = Split::dirichlet, .alpha = 0.7};

Dataset four_rows() { return rows_with_labels({1, -1, 1, 1}); }

std::string four_rows_manifest() { return manifest_text(four_rows(), halves, 5, {{{0, 2}, {1, 3}}}); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in\n" << text;
  return text.replace(at, from.size(), to);
}

TEST(Manifest, HasOneLinePerClient) {
  const Dataset data = four_rows();
  EXPECT_EQ(four_rows_manifest(), "{\n"
                                  "  \"schema_version\": 1,\n"
                                  "  \"data\": {\"name\":\"small\",\"sha256\":\"" +
                                      data.digest +
                                      "\",\"rows\":4},\n"
                                      "  \"split\": \"dirichlet\",\n"
                                      "  \"alpha\": 0.7,\n"
                                      "  \"seed\": 5,\n"
                                      "  \"indices_sha256\": \"" +
                                      partition_digest({{{0, 2}, {1, 3}}}) +
                                      "\",\n"
                                      "  \"clients\": [\n"
                                      "    {\"id\":0,\"rows\":2,\"labels\":{\"1\":2},\"indices\":[0,2]},\n"
                                      "    {\"id\":1,\"rows\":2,\"labels\":{\"-1\":1,\"1\":1},\"indices\":[1,3]}\n"
                                      "  ]\n"
                                      "}\n");
}

TEST(Manifest, ReadsBackWhatWasWritten) {
  const TempFolder folder;
  const Dataset data = rows_of_classes(500, 3);
  for (const Split split : {Split::iid, Split::dirichlet, Split::label}) {
    const SplitOptions options{.clients = 7, .split = split, .alpha = 0.3};
    const std::uint64_t seed = 0xFFFFFFFFFFFFFFFFULL;
    const Partition partition = split_rows(data, options, seed);
    write_manifest(folder / "split.json", data, options, seed, partition);
    const SplitManifest manifest = read_manifest(folder / "split.json", data);
    EXPECT_EQ(manifest.partition, partition);
    EXPECT_EQ(manifest.seed, seed);
    EXPECT_EQ(manifest.options.split, split);
    EXPECT_EQ(manifest.options.clients, 7U);
    EXPECT_EQ(manifest.options.alpha, uses_alpha(split) ? 0.3 : 1.0);
    EXPECT_EQ(manifest.data_name, "small");
    EXPECT_EQ(manifest.data_digest, data.digest);
  }
}

TEST(Manifest, StandsNamesThatAreNotText) {
  Dataset data = four_rows();
  data.name = "caf\xE9 \"x\"\n";
  const TempFolder folder;
  write_manifest(folder / "split.json", data, halves, 5, {{{0, 2}, {1, 3}}});
  EXPECT_EQ(read_manifest(folder / "split.json", data).partition.clients.size(), 2U);
}

TEST(Manifest, BelongsToOneDataSet) {
  const TempFolder folder;
  const auto path = folder.write("split.json", four_rows_manifest());
  expect_error<DataError>([&] { read_manifest(path, rows_with_labels({1, -1, 1, -1})); },
                          {"made for other data", path.string(), four_rows().digest});
}

TEST(PartitionDigest, TellsApartListsWithTheSameRows) {
  EXPECT_NE(partition_digest({{{0, 1}, {2}}}), partition_digest({{{0}, {1, 2}}}));
  EXPECT_NE(partition_digest({{{0}, {1}}}), partition_digest({{{1}, {0}}}));
}

struct Damage {
  std::string name;
  std::string from;
  std::string to;
  std::string message;
};

class DamagedManifest : public testing::TestWithParam<Damage> {};

TEST_P(DamagedManifest, IsRejected) {
  const TempFolder folder;
  const auto path = folder.write("split.json", replaced(four_rows_manifest(), GetParam().from, GetParam().to));
  expect_error<DataError>([&] { read_manifest(path, four_rows()); }, {GetParam().message, path.string()});
}

INSTANTIATE_TEST_SUITE_P(
    Table, DamagedManifest,
    testing::Values(
        Damage{"NotJson", "{", "", "not JSON"}, Damage{"CutShort", "  ]\n}\n", "", "not JSON"},
        Damage{"OtherVersion", "\"schema_version\": 1", "\"schema_version\": 2", "version not known here"},
        Damage{"NoVersion", "\"schema_version\"", "\"version\"", "no key 'schema_version'"},
        Damage{"NoData", "\"data\"", "\"date\"", "no key 'data'"},
        Damage{"DataIsText", "\"data\": {\"name\":\"small\",", "\"data\": \"small\", \"x\": {", "no key 'sha256'"},
        Damage{"NoName", "\"name\"", "\"nome\"", "no key 'name'"},
        Damage{"UnknownSplit", "\"dirichlet\"", "\"diritchlet\"", "unknown split"},
        Damage{"SplitIsNumber", "\"dirichlet\"", "3", "split = 3"},
        Damage{"NoAlpha", "\"alpha\"", "\"beta\"", "no key 'alpha'"},
        Damage{"AlphaIsText", "0.7", "\"0.7\"", "alpha = \"0.7\""},
        Damage{"NegativeSeed", "\"seed\": 5", "\"seed\": -5", "seed = -5"},
        Damage{"FractionalSeed", "\"seed\": 5", "\"seed\": 5.5", "seed = 5.5"},
        Damage{"NoClients", "\"clients\"", "\"client\"", "no key 'clients'"},
        Damage{"ClientsIsNumber", "\"clients\": [", "\"clients\": 2, \"x\": [", "no clients"},
        Damage{"WrongOrder", "\"id\":0", "\"id\":1", "not numbered in order"},
        Damage{"WrongRowCount", "\"id\":1,\"rows\":2", "\"id\":1,\"rows\":3", "client 1: rows = 3, but 2 indices"},
        Damage{"FractionalIndex", "[0,2]", "[0,2.5]", "client 0: index = 2.5"},
        Damage{"NegativeIndex", "[0,2]", "[-1,2]", "client 0: index = -1"},
        Damage{"HugeIndex", "[0,2]", "[0,4294967298]", "client 0: index = 4294967298"},
        Damage{"IndicesIsText", "[0,2]", "\"0,2\"", "client 0: indices"},
        Damage{"Overlap", "[0,2]", "[0,1]", "row 1 belongs to client 0 and client 1"},
        Damage{"MissingRow", "\"rows\":2,\"labels\":{\"1\":2},\"indices\":[0,2]",
               "\"rows\":1,\"labels\":{\"1\":1},\"indices\":[0]", "row 2 belongs to no client"},
        Damage{"RowOutsideTheData", "[1,3]", "[1,4]", "client 1 has row 4 of 4"},
        Damage{"FallingRows", "[0,2]", "[2,0]", "do not rise"},
        Damage{"ExchangedRows",
               "\"indices\":[0,2]},\n    {\"id\":1,\"rows\":2,\"labels\":{\"-1\":1,\"1\":1},\"indices\":[1,3]",
               "\"indices\":[0,3]},\n    {\"id\":1,\"rows\":2,\"labels\":{\"-1\":1,\"1\":1},\"indices\":[1,2]",
               "were changed"},
        Damage{"OtherDigest", "\"indices_sha256\": \"", "\"indices_sha256\": \"0", "were changed"},
        Damage{"NoDigest", "\"indices_sha256\"", "\"digest\"", "no key 'indices_sha256'"},
        Damage{"WrongLabelCount", "{\"-1\":1,\"1\":1}", "{\"-1\":2}", "client 1: {\"-1\":2}"},
        Damage{"LabelsIsList", "{\"1\":2}", "[2]", "client 0: [2]"}),
    [](const auto& test_case) { return test_case.param.name; });

}  // namespace
}  // namespace driftless
