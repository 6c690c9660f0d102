// How an exception ends the program: with which code, and what the user reads.
#pragma once

#include "driftless/core/error.hpp"

#include <exception>
#include <string>

namespace driftless::app {

struct Failure {
  ExitCode code;
  std::string text;
};

Failure failure_of(const std::exception_ptr& exception);

}  // namespace driftless::app
