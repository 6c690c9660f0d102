// The name of a file without its folder.
#pragma once

#include <string>
#include <string_view>

namespace driftless {

// "a9a" for "/data/a9a": what results say of a file, because they are passed on to other machines.
inline std::string base_name(std::string_view path) {
  const std::size_t end = path.find_last_not_of('/');
  if (end == std::string_view::npos) return std::string(path);
  path = path.substr(0, end + 1);
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

}  // namespace driftless
