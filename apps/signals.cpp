#include "apps/signals.hpp"

#include "driftless/files/mapped_file.hpp"

#include "apps/exit_code.hpp"

#include <atomic>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace driftless::app {
namespace {

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t someone_watches = 0;  // standard error is a terminal

// Safe in a signal handler: neither allocates nor locks.
void write_text(const char* text) {
  for (std::size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, text, left);
    if (written <= 0) return;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
}

void remember(int signal) {
  received = signal;
  if (signal == SIGINT && someone_watches != 0)
    write_text("\nending as soon as results can be written; Ctrl-C again ends the program at once\n");
}

void catch_signal(int signal) {
  struct sigaction action{};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

std::atomic_flag explaining;

void explain_truncated_file(int signal, siginfo_t* info, void*) {
  // A fault has an address; a signal that was sent by a process has none.
  const bool is_fault = info->si_code > 0;
  const char* file = is_fault ? mapped_file_at(info->si_addr) : nullptr;
  if (file == nullptr) {
    std::signal(signal, SIG_DFL);
    if (!is_fault) std::raise(signal);
    return;  // a fault occurs again, now without a handler
  }
  // Several threads may read the file; the first one prints the message and ends the process.
  while (explaining.test_and_set()) ::pause();
  write_text("error: a file was truncated while it was read\n  seen: ");
  write_text(file);
  write_text(
      "\n  do:   restore the file, let nothing change it while the program reads it, and start the command again\n");
  ::_exit(static_cast<int>(ExitCode::data));
}

}  // namespace

void explain_truncated_files() {
  struct sigaction action{};
  action.sa_sigaction = explain_truncated_file;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

void record_signals() {
  someone_watches = ::isatty(STDERR_FILENO);
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

void record_user_signal() { catch_signal(SIGUSR1); }

StopSignal received_signal() {
  if (received == SIGINT || received == SIGUSR1) return StopSignal::interrupted;
  if (received == SIGTERM) return StopSignal::terminated;
  return StopSignal::none;
}

}  // namespace driftless::app
