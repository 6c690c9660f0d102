// The lines of an audit log, each of which must be an object with a time and an event.
#pragma once

#include "tests/support/temp_folder.hpp"

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace driftless {

using AuditLine = nlohmann::json;

inline std::vector<AuditLine> audit_lines(const std::filesystem::path& file) {
  std::vector<AuditLine> lines;
  std::istringstream text(TempFolder::read(file));
  for (std::string line; std::getline(text, line);) {
    AuditLine json = AuditLine::parse(line, nullptr, false);
    EXPECT_TRUE(json.is_object() && json.contains("time") && json.contains("event")) << line;
    lines.push_back(std::move(json));
  }
  return lines;
}

// The lines with this event.
inline std::vector<AuditLine> audit_lines(const std::filesystem::path& file, const std::string& event) {
  std::vector<AuditLine> lines = audit_lines(file);
  std::erase_if(lines, [&](const AuditLine& line) { return line.value("event", "") != event; });
  return lines;
}

}  // namespace driftless
