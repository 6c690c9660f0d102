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

void remember(int signal) { received = signal; }

void catch_signal(int signal) {
  struct sigaction action{};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// What a handler may do: nothing that allocates or locks.
void write_text(const char* text) {
  for (std::size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, text, left);
    if (written <= 0) return;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
}

std::atomic_flag explaining;

void explain_cut_file(int signal, siginfo_t* info, void*) {
  // Only the kernel knows an address; a signal that a process sent has none.
  const bool is_fault = info->si_code > 0;
  const char* file = is_fault ? mapped_file_at(info->si_addr) : nullptr;
  if (file == nullptr) {
    std::signal(signal, SIG_DFL);
    if (!is_fault) std::raise(signal);
    return;  // a fault happens again, now without a handler
  }
  // Several threads may read the file; one message is enough, and the first one ends them all.
  while (explaining.test_and_set()) ::pause();
  write_text("error: a file was cut short while it was read\n  seen: ");
  write_text(file);
  write_text(
      "\n  do:   restore the file, let nothing change it while the program reads it, and start the command again\n");
  ::_exit(static_cast<int>(ExitCode::data));
}

}  // namespace

void explain_files_cut_short() {
  struct sigaction action{};
  action.sa_sigaction = explain_cut_file;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

void remember_signals() {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

void remember_user_signal() { catch_signal(SIGUSR1); }

StopSignal received_signal() {
  if (received == SIGINT || received == SIGUSR1) return StopSignal::interrupted;
  if (received == SIGTERM) return StopSignal::terminated;
  return StopSignal::none;
}

}  // namespace driftless::app
