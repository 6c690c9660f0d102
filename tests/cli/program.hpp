// The program as a child process: its arguments, its output and how it ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

struct ProgramResult {
  int exit_code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
  int signal = 0;  // that ended it; 0: none
};

struct Call {
  std::vector<std::string> arguments;
  std::filesystem::path folder;                                       // the working folder, which also holds its output
  std::vector<std::pair<std::string, std::string>> environment = {};  // in addition to a minimal one
  std::string program = DRIFTLESS_PROGRAM_FILE;
};

class Program {
 public:
  explicit Program(const Call& call);  // starts it
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const;
  bool running() const;
  int id() const { return process_; }
  ProgramResult wait();
  std::optional<ProgramResult> wait_for(double seconds);  // none where it still runs then

 private:
  std::filesystem::path folder_;
  int process_ = -1;
};

inline ProgramResult run_program(const Call& call) { return Program(call).wait(); }

// The lines of a CSV file as cells.
using Cells = std::vector<std::vector<std::string>>;
Cells read_csv(const std::filesystem::path& file);
// The same text without the column of that name.
std::string without_column(const Cells& cells, const std::string& name);

}  // namespace driftless
