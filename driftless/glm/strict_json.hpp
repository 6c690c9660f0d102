// JSON from files, read strictly: every key once, none that is unknown, every value of the right type.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

using StoredJson = nlohmann::json;

// DataError at `file` for text that is not JSON, for one key twice in an object, and beyond this depth.
inline constexpr int deepest_json = 8;
StoredJson parse_json(std::string_view text, const std::string& file);

// An object whose keys are read one by one. DataError with the location for whatever is missing or of another type.
class JsonObject {
 public:
  JsonObject(const StoredJson& object, std::string location);

  const StoredJson& at(const std::string& key);
  JsonObject object(const std::string& key);
  const StoredJson& array(const std::string& key);
  std::string text(const std::string& key);
  bool boolean(const std::string& key);
  double number(const std::string& key);             // finite
  std::size_t whole_number(const std::string& key);  // at most 2^53
  std::vector<std::string> texts(const std::string& key);
  std::vector<double> numbers(const std::string& key);                         // finite
  std::size_t choice(const std::string& key, std::vector<std::string> names);  // the index of the name

  // DataError for a key that was not read.
  void end() const;

  std::string location(const std::string& key) const { return location_ + ": " + key; }
  [[noreturn]] void reject(const std::string& key, const std::string& what) const;

 private:
  const StoredJson& object_;
  std::string location_;
  std::vector<std::string> known_;
};

}  // namespace driftless
