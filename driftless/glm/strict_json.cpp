#include "driftless/glm/strict_json.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace driftless {
namespace {

constexpr const char* file_advice =
    "give a file that driftless wrote and that nothing changed since, or fit the model again";

[[noreturn]] void reject_file(const std::string& what, const std::string& seen) {
  throw DataError({.what = what, .seen = seen, .advice = file_advice});
}

// Watches the parser: the library itself keeps the last of equal keys and has no limit of the depth.
class JsonWatch {
 public:
  explicit JsonWatch(const std::string& file) : file_(file) {}

  bool operator()(int depth, StoredJson::parse_event_t event, const StoredJson& parsed) {
    if (depth > deepest_json) reject_file("the JSON is nested too deeply", file_);
    if (event == StoredJson::parse_event_t::object_start) keys_.resize(static_cast<std::size_t>(depth) + 1);
    if (event == StoredJson::parse_event_t::object_end) keys_.resize(static_cast<std::size_t>(depth));
    if (event == StoredJson::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      if (!keys_[static_cast<std::size_t>(depth) - 1].insert(key).second)
        reject_file("a key occurs twice", file_ + ": " + printable(key));
    }
    return true;
  }

 private:
  const std::string& file_;
  std::vector<std::set<std::string>> keys_;  // of the open objects, by their depth
};

}  // namespace

StoredJson parse_json(std::string_view text, const std::string& file) {
  try {
    return StoredJson::parse(text, JsonWatch(file));
  } catch (const StoredJson::exception& error) {
    reject_file("the file is not JSON", file + ": " + printable(error.what()));
  }
}

JsonObject::JsonObject(const StoredJson& object, std::string location)
    : object_(object), location_(std::move(location)) {
  if (!object_.is_object()) reject_file("an object is expected", location_ + ": " + object_.type_name());
}

void JsonObject::reject(const std::string& key, const std::string& what) const {
  std::string seen = location(printable(key));
  if (object_.contains(key)) {
    const StoredJson& value = object_.at(key);
    seen += value.is_structured() ? std::string(" is an ") + value.type_name()
                                  : " = " + printable(value.dump(-1, ' ', false, StoredJson::error_handler_t::replace));
  }
  reject_file(what, seen);
}

const StoredJson& JsonObject::at(const std::string& key) {
  known_.push_back(key);
  if (!object_.contains(key)) reject(key, "a key is missing");
  return object_.at(key);
}

JsonObject JsonObject::object(const std::string& key) { return {at(key), location(key)}; }

const StoredJson& JsonObject::array(const std::string& key) {
  if (!at(key).is_array()) reject(key, "a list is expected");
  return object_.at(key);
}

std::string JsonObject::text(const std::string& key) {
  if (!at(key).is_string()) reject(key, "a text is expected");
  return object_.at(key).get<std::string>();
}

bool JsonObject::boolean(const std::string& key) {
  if (!at(key).is_boolean()) reject(key, "true or false is expected");
  return object_.at(key).get<bool>();
}

double JsonObject::number(const std::string& key) {
  if (!at(key).is_number()) reject(key, "a number is expected");
  return object_.at(key).get<double>();
}

std::size_t JsonObject::whole_number(const std::string& key) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  if (!at(key).is_number_unsigned() || object_.at(key).get<std::uint64_t>() > most)
    reject(key, "a whole number of at most 2^53 is expected");
  return object_.at(key).get<std::size_t>();
}

std::vector<std::string> JsonObject::texts(const std::string& key) {
  if (!std::ranges::all_of(array(key), &StoredJson::is_string)) reject(key, "a list of texts is expected");
  return object_.at(key).get<std::vector<std::string>>();
}

std::vector<double> JsonObject::numbers(const std::string& key) {
  if (!std::ranges::all_of(array(key), &StoredJson::is_number)) reject(key, "a list of numbers is expected");
  return object_.at(key).get<std::vector<double>>();
}

std::size_t JsonObject::choice(const std::string& key, std::vector<std::string> names) {
  const auto found = std::ranges::find(names, text(key));
  if (found == names.end()) reject(key, "the value is none of " + join(names));
  return static_cast<std::size_t>(found - names.begin());
}

void JsonObject::end() const {
  for (const auto& [key, value] : object_.items())
    if (std::ranges::find(known_, key) == known_.end()) reject(key, "a key is unknown");
}

}  // namespace driftless
