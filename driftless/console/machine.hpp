// What run.json records about the program and the machine.
#pragma once

#include <string>

namespace driftless {

std::string program_version();
std::string compiler_name();
std::string cpu_name();   // "unknown" where the system does not report it
std::string utc_time();   // 2025-01-31T12:00:00Z
std::string utc_stamp();  // for names of folders: 20250131T120000Z

}  // namespace driftless
