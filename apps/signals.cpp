#include "apps/signals.hpp"

#include <csignal>

namespace driftless::app {
namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) { received = signal; }

void catch_signal(int signal) {
  struct sigaction action{};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void remember_signals() {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

void remember_user_signal() { catch_signal(SIGUSR1); }

std::optional<ExitCode> signal_seen() {
  if (received == SIGINT || received == SIGUSR1) return ExitCode::interrupted;
  if (received == SIGTERM) return ExitCode::terminated;
  return std::nullopt;
}

}  // namespace driftless::app
