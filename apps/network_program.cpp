#include "apps/network_program.hpp"

#include "driftless/core/error.hpp"

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace driftless::app {
namespace {

char** arguments = nullptr;

}  // namespace

void remember_arguments(char** argv) { arguments = argv; }

void become_network_program() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "driftless-net";
  execv(program.c_str(), arguments);
  const std::string reason = std::generic_category().message(errno);
  throw ConfigError({.what = "the part of the program that communicates with other machines cannot be started",
                     .seen = program.string() + ": " + reason,
                     .advice = "keep driftless-net in the folder of driftless; ./scripts/build makes both"});
}

}  // namespace driftless::app
