// The exit codes of the command line (docs/cli.md), and their mapping from errors, signals and exceptions.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/stop_token.hpp"

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless::app {

enum class ExitCode : int {
  done = 0,
  run_failed = 1,
  configuration = 2,
  connection = 3,
  deadline = 4,
  data = 5,
  internal = 6,
  check_failed = 7,
  interrupted = 130,
  terminated = 143,
};

// In words, for the manual.
std::vector<std::pair<ExitCode, std::string>> exit_code_meanings();

ExitCode exit_code_of(ErrorKind kind);
ExitCode exit_code_of(StopSignal signal);                 // done where there was none
ExitCode exit_code_of(std::optional<ErrorKind> failure);  // done where there was none
int exit_number_of(std::optional<ErrorKind> failure);     // for run.json
bool is_of_signal(int exit_number);                       // whether a signal stopped the program

// The exit code and the message for an exception.
struct Failure {
  ExitCode code;
  ErrorInfo info;
  std::string text;  // for people
};
Failure failure_of(const std::exception_ptr& exception);

}  // namespace driftless::app
