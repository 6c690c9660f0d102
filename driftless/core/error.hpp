// Errors a user can cause or meet. Each has three parts: what happened, the value seen with its place, what to do.
// They are thrown where found and caught once, in main or at a language border; numerical trouble is never one of them.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace driftless {

// The exit codes of the command line; see docs/cli.md.
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

struct Trouble {
  std::string what;    // what happened, one sentence
  std::string seen;    // the value seen and where: "file:line: key = value"
  std::string advice;  // what to do about it
};

class Error : public std::exception {
 public:
  Error(ExitCode code, Trouble trouble) : code_(code), trouble_(std::move(trouble)) { compose(); }

  const char* what() const noexcept override { return text_.c_str(); }
  ExitCode code() const { return code_; }
  const Trouble& trouble() const { return trouble_; }

  // Puts the place in front of what was seen; used by the layer that knows the file and line.
  void locate(const std::string& place) {
    trouble_.seen = trouble_.seen.empty() ? place : place + ": " + trouble_.seen;
    compose();
  }

 private:
  void compose() {
    text_ = trouble_.what;
    if (!trouble_.seen.empty()) text_ += "\n  seen: " + trouble_.seen;
    if (!trouble_.advice.empty()) text_ += "\n  do:   " + trouble_.advice;
  }

  ExitCode code_;
  Trouble trouble_;
  std::string text_;
};

struct ConfigError : Error {
  explicit ConfigError(Trouble t) : Error(ExitCode::configuration, std::move(t)) {}
};
struct DataError : Error {
  explicit DataError(Trouble t) : Error(ExitCode::data, std::move(t)) {}
};
struct TransportError : Error {
  explicit TransportError(Trouble t) : Error(ExitCode::connection, std::move(t)) {}
};

}  // namespace driftless
