// A graph of ONNX operators as the bytes of an .onnx file. The format is a protocol buffer of a dozen messages
// (onnx.proto of the ONNX project; the field numbers stand at their use), which are written here without a library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// One message in the wire format of protocol buffers.
class WireMessage {
 public:
  WireMessage& number(int field, std::uint64_t value);
  WireMessage& bytes(int field, std::string_view value);
  WireMessage& message(int field, const WireMessage& value) { return bytes(field, value.text_); }

  const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value);

  std::string text_;
};

enum class OnnxType { int64 = 7, text = 8, number = 11 };  // TensorProto.DataType; a number is a double

// Attributes of a node.
class OnnxAttributes {
 public:
  OnnxAttributes& number(std::string_view name, std::int64_t value);
  OnnxAttributes& numbers(std::string_view name, std::span<const std::int64_t> values);
  OnnxAttributes& texts(std::string_view name, std::span<const std::string> values);

  const std::vector<WireMessage>& messages() const { return messages_; }

 private:
  std::vector<WireMessage> messages_;
};

class OnnxGraph {
 public:
  // Names of constants and of results begin with this prefix, which no input or output may begin with.
  explicit OnnxGraph(std::string prefix) : prefix_(std::move(prefix)) {}

  // A column of a table with one row for each row that is predicted: [rows, 1].
  void input(const std::string& name, OnnxType type);
  void output(const std::string& name, OnnxType type, std::size_t columns);

  // Constants; each returns its name.
  std::string numbers(std::span<const std::int64_t> shape, std::span<const double> values);
  std::string indices(std::span<const std::int64_t> values);  // [values]
  std::string texts(std::span<const std::string> values);     // [values]

  // Adds an operator and returns the name of its result, which is made up where none is given. Operators of the domain
  // ai.onnx.ml are named with it: "ai.onnx.ml.LabelEncoder".
  std::string node(std::string_view op, std::span<const std::string> inputs, const OnnxAttributes& attributes = {},
                   std::string result = "");

  void fact(const std::string& key, const std::string& value);  // of the model's metadata

  std::string file(const std::string& name) const;  // the bytes; `name` of the graph

 private:
  std::string new_name() { return prefix_ + std::to_string(names_++); }
  std::string constant(WireMessage tensor);

  std::string prefix_;
  std::size_t names_ = 0;
  std::vector<WireMessage> nodes_, constants_, inputs_, outputs_, facts_;
};

}  // namespace driftless
