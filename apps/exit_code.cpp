#include "apps/exit_code.hpp"

#include "driftless/experiments/stop_agreement.hpp"

#include <new>

namespace driftless::app {

std::vector<std::pair<ExitCode, std::string>> exit_code_meanings() {
  return {{ExitCode::done, "The command succeeded."},
          {ExitCode::run_failed, "A method diverged, or there were fewer sites than the quorum."},
          {ExitCode::configuration, "The command line or the configuration is wrong."},
          {ExitCode::connection,
           "No connection, certificates that are not valid or do not fit, or a peer that misbehaved."},
          {ExitCode::deadline, "A site did not join in time or stayed away."},
          {ExitCode::data, "Data, a checkpoint or a journal is missing, damaged or unsuitable."},
          {ExitCode::internal, "A mistake of the program."},
          {ExitCode::check_failed, "The runs ended, but a theorem is violated or a claim does not hold."},
          {ExitCode::interrupted, "Interrupted by Ctrl-C; what there was has been written."},
          {ExitCode::terminated, "Ended by SIGTERM; what there was has been written."}};
}

ExitCode exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::run_failed: return ExitCode::run_failed;
    case ErrorKind::configuration: return ExitCode::configuration;
    case ErrorKind::communication: return ExitCode::connection;
    case ErrorKind::deadline: return ExitCode::deadline;
    case ErrorKind::data: return ExitCode::data;
    case ErrorKind::internal: return ExitCode::internal;
    case ErrorKind::check_failed: return ExitCode::check_failed;
    case ErrorKind::interrupted: return ExitCode::interrupted;
    case ErrorKind::terminated: return ExitCode::terminated;
  }
  return ExitCode::internal;
}

ExitCode exit_code_of(StopSignal signal) { return exit_code_of(driftless::failure_of(signal)); }

ExitCode exit_code_of(std::optional<ErrorKind> failure) { return failure ? exit_code_of(*failure) : ExitCode::done; }

int exit_number_of(std::optional<ErrorKind> failure) { return static_cast<int>(exit_code_of(failure)); }

bool is_of_signal(int exit_number) {
  return exit_number == static_cast<int>(ExitCode::interrupted) ||
         exit_number == static_cast<int>(ExitCode::terminated);
}

namespace {

Failure failure_with(ExitCode code, const std::string& head, const ErrorInfo& info) {
  return {code, info, head + ": " + Error(ErrorKind::internal, info).what()};
}

}  // namespace

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return failure_with(exit_code_of(error.kind()), "error", error.info());
  } catch (const std::bad_alloc&) {
    return failure_with(
        ExitCode::run_failed, "error",
        {.what = "not enough memory", .seen = {}, .advice = "use a smaller problem, fewer clients or fewer threads"});
  } catch (const std::exception& error) {
    return failure_with(ExitCode::internal, "internal error",
                        {.what = error.what(),
                         .seen = {},
                         .advice = "this is a fault of the program; please report it with the command and its "
                                   "configuration"});
  }
}

}  // namespace driftless::app
