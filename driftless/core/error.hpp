// Errors that a user can cause or encounter. Each consists of what happened, the value seen with its location, and what
// to do. They are thrown where they are found and caught once, in main or at a language border. A numerical failure is
// a result and never an error.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace driftless {

// What an error is about. The command line maps each kind to an exit code; the library knows none.
enum class ErrorKind : std::uint8_t {
  run_failed,     // a method diverged, or the run cannot continue without its peers
  configuration,  // what the user asked for
  communication,  // a peer cannot be reached or breaks the protocol
  deadline,       // a peer kept the others waiting for too long
  data,           // files: missing, damaged, not writable
  internal,       // a defect of the program
  check_failed,   // a theorem's bound was violated
  interrupted,    // Ctrl-C
  terminated,     // SIGTERM
};

struct ErrorInfo {
  std::string what;    // what happened, one sentence
  std::string seen;    // the value seen and its location: "file:line: key = value"
  std::string advice;  // what to do about it
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, ErrorInfo info) : kind_(kind), info_(std::move(info)) { compose(); }

  const char* what() const noexcept override { return text_.c_str(); }
  ErrorKind kind() const { return kind_; }
  const ErrorInfo& info() const { return info_; }

  // Puts the location in front of what was seen; used by the layer that knows the file and line.
  void locate(const std::string& location) {
    info_.seen = info_.seen.empty() ? location : location + ": " + info_.seen;
    compose();
  }

 private:
  void compose() {
    text_ = info_.what;
    if (!info_.seen.empty()) text_ += "\n  seen: " + info_.seen;
    if (!info_.advice.empty()) text_ += "\n  do:   " + info_.advice;
  }

  ErrorKind kind_;
  ErrorInfo info_;
  std::string text_;
};

struct ConfigError : Error {
  explicit ConfigError(ErrorInfo info) : Error(ErrorKind::configuration, std::move(info)) {}
};
struct DataError : Error {
  explicit DataError(ErrorInfo info) : Error(ErrorKind::data, std::move(info)) {}
};
struct TransportError : Error {
  explicit TransportError(ErrorInfo info) : Error(ErrorKind::communication, std::move(info)) {}
};

}  // namespace driftless
