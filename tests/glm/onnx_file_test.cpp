// The bytes of ONNX files. tests/cli/export_command_test.cpp runs them.
#include "driftless/glm/export/onnx_file.hpp"

#include "driftless/glm/export/onnx_graph.hpp"

#include "tests/glm/sample_model.hpp"
#include "tests/support/expect_error.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// The wire format's own examples: 150 takes two bytes, a text its length and bytes.
TEST(WireMessage, WritesNumbersTextsAndMessages) {
  WireMessage inner;
  inner.number(1, 150);
  EXPECT_EQ(inner.text(), "\x08\x96\x01");
  WireMessage outer;
  outer.bytes(2, "testing").message(3, inner);
  EXPECT_EQ(outer.text(), "\x12\x07testing\x1a\x03\x08\x96\x01");
  WireMessage most;
  most.number(16, ~std::uint64_t{0});
  EXPECT_EQ(most.text(), "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(OnnxFile, HasTheColumnsAsInputsAndTheFactsOfTheModel) {
  const std::string bytes = onnx_file(sample_model());
  for (const char* text : {"age", "sex", "stage, \"now\"", "ward", "bmi", "probability", "class", "LabelEncoder",
                           "ai.onnx.ml", "Sigmoid", "driftless", "schema_digest"})
    EXPECT_NE(bytes.find(text), std::string::npos) << text;
  EXPECT_EQ(bytes, onnx_file(sample_model()));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(OnnxFile, GivesOutputsOtherNamesThanColumns) {
  GlmModel model = sample_model();
  EXPECT_EQ(occurrences(onnx_file(model), "probability_"), 0U);
  model.coding.columns[0].name = "probability";
  model.coding.columns[1].name = "_0";
  const std::string bytes = onnx_file(model);
  EXPECT_GT(occurrences(bytes, "probability_"), 0U);
  EXPECT_GT(occurrences(bytes, "__0"), 0U);
}

TEST(OnnxFile, OfAModelWithoutColumnsIsRejected) {
  GlmModel model = sample_model();
  model.coding.columns.clear();
  model.coefficients = Vector::Ones(1);
  expect_error<ConfigError>([&] { (void)onnx_file(model); }, {"without columns", "ill"});
}

}  // namespace
}  // namespace driftless
