#include "driftless/results/shown_settings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {

std::string shown_settings(const Settings& settings, int digits) {
  std::vector<std::string> words;
  for (const auto& [key, value] : settings) {
    const auto* real = std::get_if<double>(&value);
    words.push_back(key + " = " + (real != nullptr ? fmt::format("{:.{}g}", *real, digits) : to_text(value)));
  }
  return join(words);
}

std::string shown_target(double part) {
  std::string text = fmt::format("{:.3g}", part);
  if (text.find('e') == std::string::npos) text = fmt::format("{:.0e}", part);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

nlohmann::ordered_json settings_json(const Settings& settings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [key, value] : settings)
    json[key] = std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
  return json;
}

}  // namespace driftless
