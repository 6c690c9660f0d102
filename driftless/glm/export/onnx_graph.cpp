#include "driftless/glm/export/onnx_graph.hpp"

#include <bit>
#include <utility>

namespace driftless {
namespace {

// The versions of the format and of the operators used here are those of ONNX 1.8 (2020), which all runtimes read.
constexpr std::uint64_t format_version = 7;
constexpr std::uint64_t operators_version = 13;
constexpr std::uint64_t ml_operators_version = 2;
constexpr std::string_view ml_domain = "ai.onnx.ml";

enum class AttributeType : std::uint64_t { number = 2, numbers = 7, texts = 8 };  // AttributeProto.AttributeType

WireMessage attribute(std::string_view name, AttributeType type) {
  WireMessage message;
  message.bytes(1, name).number(20, static_cast<std::uint64_t>(type));
  return message;
}

WireMessage tensor(OnnxType type, std::span<const std::int64_t> shape) {
  WireMessage message;
  for (const std::int64_t extent : shape) message.number(1, static_cast<std::uint64_t>(extent));
  message.number(2, static_cast<std::uint64_t>(type));
  return message;
}

// The eight bytes in little-endian order, as raw_data has them.
void append_bytes(std::string& to, std::uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) to += static_cast<char>((word >> shift) & 0xff);
}

// ValueInfoProto with a shape of [rows, columns], where only the second is a number.
WireMessage value_info(const std::string& name, OnnxType type, std::size_t columns) {
  WireMessage rows;
  rows.bytes(2, "rows");
  WireMessage width;
  width.number(1, columns);
  WireMessage shape;
  shape.message(1, rows).message(1, width);
  WireMessage tensor_type;
  tensor_type.number(1, static_cast<std::uint64_t>(type)).message(2, shape);
  WireMessage any_type;
  any_type.message(1, tensor_type);
  WireMessage info;
  info.bytes(1, name).message(2, any_type);
  return info;
}

WireMessage operators(std::string_view domain, std::uint64_t version) {
  WireMessage set;
  set.bytes(1, domain).number(2, version);
  return set;
}

}  // namespace

void WireMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
  text_ += static_cast<char>(value);
}

WireMessage& WireMessage::number(int field, std::uint64_t value) {
  varint(static_cast<std::uint64_t>(field) << 3);
  varint(value);
  return *this;
}

WireMessage& WireMessage::bytes(int field, std::string_view value) {
  varint(static_cast<std::uint64_t>(field) << 3 | 2);
  varint(value.size());
  text_ += value;
  return *this;
}

OnnxAttributes& OnnxAttributes::number(std::string_view name, std::int64_t value) {
  messages_.push_back(attribute(name, AttributeType::number).number(3, static_cast<std::uint64_t>(value)));
  return *this;
}

OnnxAttributes& OnnxAttributes::numbers(std::string_view name, std::span<const std::int64_t> values) {
  WireMessage message = attribute(name, AttributeType::numbers);
  for (const std::int64_t value : values) message.number(8, static_cast<std::uint64_t>(value));
  messages_.push_back(std::move(message));
  return *this;
}

OnnxAttributes& OnnxAttributes::texts(std::string_view name, std::span<const std::string> values) {
  WireMessage message = attribute(name, AttributeType::texts);
  for (const std::string& value : values) message.bytes(9, value);
  messages_.push_back(std::move(message));
  return *this;
}

void OnnxGraph::input(const std::string& name, OnnxType type) { inputs_.push_back(value_info(name, type, 1)); }

void OnnxGraph::output(const std::string& name, OnnxType type, std::size_t columns) {
  outputs_.push_back(value_info(name, type, columns));
}

std::string OnnxGraph::constant(WireMessage tensor) {
  std::string name = new_name();
  constants_.push_back(std::move(tensor.bytes(8, name)));
  return name;
}

std::string OnnxGraph::numbers(std::span<const std::int64_t> shape, std::span<const double> values) {
  std::string raw;
  for (const double value : values) append_bytes(raw, std::bit_cast<std::uint64_t>(value));
  return constant(tensor(OnnxType::number, shape).bytes(9, raw));
}

std::string OnnxGraph::indices(std::span<const std::int64_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  std::string raw;
  for (const std::int64_t value : values) append_bytes(raw, static_cast<std::uint64_t>(value));
  return constant(tensor(OnnxType::int64, {&size, 1}).bytes(9, raw));
}

std::string OnnxGraph::texts(std::span<const std::string> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  WireMessage message = tensor(OnnxType::text, {&size, 1});
  for (const std::string& value : values) message.bytes(6, value);
  return constant(std::move(message));
}

std::string OnnxGraph::node(std::string_view op, std::span<const std::string> inputs, const OnnxAttributes& attributes,
                            std::string result) {
  if (result.empty()) result = new_name();
  const bool of_ml = op.starts_with(ml_domain);
  WireMessage message;
  for (const std::string& name : inputs) message.bytes(1, name);
  message.bytes(2, result).bytes(3, result).bytes(4, of_ml ? op.substr(ml_domain.size() + 1) : op);
  for (const WireMessage& one : attributes.messages()) message.message(5, one);
  if (of_ml) message.bytes(7, ml_domain);
  nodes_.push_back(std::move(message));
  return result;
}

void OnnxGraph::fact(const std::string& key, const std::string& value) {
  WireMessage entry;
  entry.bytes(1, key).bytes(2, value);
  facts_.push_back(std::move(entry));
}

std::string OnnxGraph::file(const std::string& name) const {
  WireMessage graph;
  for (const WireMessage& one : nodes_) graph.message(1, one);
  graph.bytes(2, name);
  for (const WireMessage& one : constants_) graph.message(5, one);
  for (const WireMessage& one : inputs_) graph.message(11, one);
  for (const WireMessage& one : outputs_) graph.message(12, one);
  WireMessage model;
  model.number(1, format_version).bytes(2, "driftless").message(7, graph);
  model.message(8, operators("", operators_version)).message(8, operators(ml_domain, ml_operators_version));
  for (const WireMessage& one : facts_) model.message(14, one);
  return model.text();
}

}  // namespace driftless
