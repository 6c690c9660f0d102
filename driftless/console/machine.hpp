// What run.json says about the program and the machine it ran on.
#pragma once

#include <string>

namespace driftless {

std::string program_version();
std::string compiler_name();
std::string cpu_name();   // "unknown" where the system does not tell
std::string utc_time();   // 2025-01-31T12:00:00Z
std::string utc_stamp();  // the same for names of folders: 20250131T120000Z

}  // namespace driftless
