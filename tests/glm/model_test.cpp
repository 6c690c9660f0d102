#include "driftless/glm/model_file.hpp"

#include "tests/glm/sample_model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

class ModelFile : public testing::Test {
 protected:
  GlmModel read(const std::string& text) const { return read_model(folder_.write("model.json", text)); }
  void expect_rejected(const std::string& text, std::initializer_list<std::string> fragments) const {
    SCOPED_TRACE(text.substr(0, 200));
    expect_error<DataError>([&] { (void)read(text); }, fragments);
  }

  const TempFolder folder_;
};

TEST_F(ModelFile, OfEveryFamilyIsReadBackToTheBit) {
  for (std::size_t k = 0; k < EnumNames<Family>::value.size(); ++k) {
    GlmModel model = sample_model(static_cast<Family>(k));
    model.coefficients[0] = 0.1 + 0.2;
    model.coefficients[1] = -0.0;
    model.coefficients[2] = 5e-324;
    model.coding.offset = "exposure";
    model.coding.format = {.delimiter = ";", .decimal_comma = true, .missing = {"", "n/a"}};
    const std::string text = model_json(model);
    const GlmModel back = read(text);
    EXPECT_EQ(model_json(back), text);
    ASSERT_EQ(back.coefficients.size(), model.coefficients.size());
    for (Index c = 0; c < model.coefficients.size(); ++c)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(back.coefficients[c]),
                std::bit_cast<std::uint64_t>(model.coefficients[c]));
    EXPECT_EQ(back.coding.columns[2].levels, model.coding.columns[2].levels);
    EXPECT_EQ(back.coding.format.missing, model.coding.format.missing);
    EXPECT_EQ(back.family.predictions(), model.family.predictions());
  }
}

TEST_F(ModelFile, TellsPeopleTheEffectsOnTheOriginalScale) {
  const GlmModel model = sample_model();
  const Json effects = Json::parse(model_json(model)).at("original_scale").at(0);
  EXPECT_EQ(effects.at("prediction"), "yes");
  EXPECT_DOUBLE_EQ(effects.at("columns").at(0).at("per_unit"), model.coefficients[0] / 9.7);
  EXPECT_DOUBLE_EQ(effects.at("columns").at(1).at("levels").at("m"), model.coefficients[2]);
  EXPECT_FALSE(effects.at("columns").at(3).contains("missing"));
}

TEST_F(ModelFile, OfALaterVersionIsRejectedAndSaysSo) {
  Json json = Json::parse(model_json(sample_model()));
  json["version"] = 2;
  expect_rejected(json.dump(), {"version", "version = 2, known: 1", "model.json"});
}

// A value at a pointer into the file, and what the message says.
struct Damage {
  std::string pointer;
  Json value;
  std::string message;
};

const std::vector<Damage>& damages() {
  static const std::vector<Damage> all = {
      {"/format", "other", "not a model of driftless"},
      {"/version", 1.5, "whole number"},
      {"/version", -1, "whole number"},
      {"/family", "logistic", "an object is expected"},
      {"/family/name", "probit", "none of logistic"},
      {"/family/name", "huber", "delta"},
      {"/family/tau", 0.5, "unknown"},
      {"/l2", -1.0, "0 or more"},
      {"/l2", nullptr, "number is expected"},
      {"/rows", 1e30, "whole number"},
      {"/rows", -5, "whole number"},
      {"/rows", 9007199254740993, "2^53"},
      {"/label", "", "no name"},
      {"/label", "age", "two columns have the name 'age'"},
      {"/weight", "age", "two columns"},
      {"/offset", 7, "text is expected"},
      {"/classes", Json::array({"yes", "yes"}), "twice"},
      {"/classes", Json::array({"yes"}), "does not fit the family"},
      {"/classes", Json::array({"a", "b", "c"}), "does not fit the family"},
      {"/classes", Json::array({1, 2}), "list of texts"},
      {"/schema_digest", false, "text is expected"},
      {"/csv/delimiter", "ab", "one character"},
      {"/csv/delimiter", "\n", "one character"},
      {"/csv/decimal_comma", 0, "true or false"},
      {"/csv/missing", "NA", "list is expected"},
      {"/columns", Json::object(), "list is expected"},
      {"/columns/0", 5, "an object is expected"},
      {"/columns/0/name", "sex", "two columns"},
      {"/columns/0/name", "", "no name"},
      {"/columns/0/role", "label", "role of a variable"},
      {"/columns/0/role", "variable", "none of label, numeric"},
      {"/columns/0/role", "categorical", "levels"},
      {"/columns/0/missing", "guess", "none of impute, drop"},
      {"/columns/0/scale", 0.0, "positive"},
      {"/columns/0/scale", -2, "positive"},
      {"/columns/0/center", "50", "number is expected"},
      {"/columns/0/indicator", "yes", "true or false"},
      {"/columns/0/indicator", false, "variables are not those"},
      {"/columns/0/levels", Json::array({"a"}), "unknown"},
      {"/columns/1/fill", 2.0, "index of a level"},
      {"/columns/1/fill", -1.0, "index of a level"},
      {"/columns/1/fill", 0.5, "index of a level"},
      {"/columns/1/fill", 1e300, "index of a level"},
      {"/columns/1/levels", Json::array(), "at least one level"},
      {"/columns/1/levels", Json::array({"f", "f"}), "twice"},
      {"/columns/1/center", 1.0, "unknown"},
      {"/intercept", false, "9 coefficients, 8 are expected"},
      {"/intercept", 1, "true or false"},
      {"/variables", Json::array({"age"}), "variables are not those"},
      {"/coefficients", Json::array({1.0}), "there are 1 coefficients"},
      {"/coefficients/0", "1", "list of numbers"},
      {"/coefficients/0", nullptr, "list of numbers"},
      {"/coefficients", nullptr, "list is expected"},
      {"/original_scale", 5, "list is expected"},
      {"/comment", "mine", "unknown"},
  };
  return all;
}

TEST_F(ModelFile, WithOneWrongValueIsRejectedWithItsLocation) {
  const Json good = Json::parse(model_json(sample_model()));
  for (const Damage& damage : damages()) {
    Json json = good;
    json[Json::json_pointer(damage.pointer)] = damage.value;
    expect_rejected(json.dump(), {damage.message, "model.json"});
  }
}

TEST_F(ModelFile, WithoutAnyOneOfItsKeysIsRejected) {
  const Json good = Json::parse(model_json(sample_model()));
  std::vector<Json::json_pointer> objects;
  for (const char* object : {"", "/family", "/csv", "/columns/0", "/columns/1", "/columns/2"})
    objects.emplace_back(object);
  for (const Json::json_pointer& object : objects)
    for (const auto& [key, value] : good.at(object).items()) {
      Json json = good;
      json.at(object).erase(key);
      expect_rejected(json.dump(), {"a key is missing", key});
    }
}

TEST_F(ModelFile, CutAtAnyByteIsRejected) {
  const std::string text = model_json(sample_model());
  for (std::size_t size = 0; size + 2 < text.size(); size += 7)
    EXPECT_THROW((void)read(text.substr(0, size)), DataError) << size;
}

TEST_F(ModelFile, WithTextThatIsNotAModelIsRejected) {
  expect_rejected("", {"model.json"});
  expect_rejected("null", {"an object is expected"});
  expect_rejected("[1, 2", {"not JSON"});
  expect_rejected(std::string(1000000, '['), {"nested too deeply"});
  expect_rejected("{\"a\":" + std::string(100, '{') + "}", {"model.json"});
  expect_rejected(std::string("{\"format\": \"\xff\"}"), {"not JSON"});
  const std::string text = model_json(sample_model());
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return other.replace(other.find(from), from.size(), to);
  };
  expect_rejected(replaced("\"l2\": 0.001", "\"l2\": NaN"), {"not JSON"});
  expect_rejected(replaced("\"l2\": 0.001", "\"l2\": 1e999"), {"not JSON"});
  expect_rejected(replaced("\"l2\": 0.001", "\"l2\": 0.001, \"l2\": 0.002"), {"a key occurs twice", "l2"});
  expect_rejected(replaced("\"fill\": 1.0", "\"fill\": 1.0, \"fill\": 0.0"), {"a key occurs twice", "fill"});
  expect_rejected(text + "{}", {"not JSON"});
}

TEST_F(ModelFile, WithNamesThatAreNotUtf8IsNotWritten) {
  GlmModel model = sample_model();
  model.coding.columns[0].name = "\xff";
  expect_error<DataError>([&] { (void)model_json(model); }, {"UTF-8"});
}

TEST_F(ModelFile, ThatIsMissingIsNamed) {
  expect_error<DataError>([&] { (void)read_model(folder_ / "nowhere.json"); }, {"nowhere.json"});
}

}  // namespace
}  // namespace driftless
