#include "apps/failure.hpp"

#include <new>

namespace driftless::app {

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return {error.code(), std::string("error: ") + error.what()};
  } catch (const std::bad_alloc&) {
    return {ExitCode::run_failed,
            "error: not enough memory\n  do:   use a smaller problem, fewer clients or fewer threads"};
  } catch (const std::exception& error) {
    return {ExitCode::internal,
            std::string("internal error: ") + error.what() +
                "\n  do:   this is a fault of the program; please report it with the command and its configuration"};
  }
}

}  // namespace driftless::app
