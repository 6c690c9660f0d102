// How fast LIBSVM text is read, beside what just touching its bytes and its digest cost.
//
//   bench_parse_libsvm FILE [REPEATS]
//
// The file is read once before, so that the system has it in memory. Each kind of work takes its turn in every repeat;
// the least time counts, so that what else runs on the machine disturbs little. GB/s are those of the plain text.
#include "driftless/data/digest.hpp"
#include "driftless/data/input_file.hpp"
#include "driftless/data/libsvm_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <functional>

namespace driftless {
namespace {

struct Work {
  const char* name;
  std::function<void()> run;
  double least = 1e300;
};

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Eight bytes at a time, which is as much as one thread can ask of the memory.
std::uint64_t touched(std::string_view bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= bytes.size(); at += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum += word;
  }
  return sum;
}

void measure(const std::filesystem::path& path, int repeats) {
  const std::size_t bytes = InputFile(path).plain().size();
  std::size_t entries = 0;
  std::uint64_t sum = 0;
  std::vector<Work> all{
      {"bytes alone", [&] { sum += touched(InputFile(path).plain()); }},
      {"digest alone", [&] { sum += sha256(InputFile(path).plain()).size(); }},
      {"rows and digest", [&] { entries = read_libsvm(path, {.dim = {}, .labels = Labels::real}).nonzeros(); }}};
  for (int k = 0; k < repeats; ++k) {
    for (Work& work : all) work.least = std::min(work.least, seconds(work.run));
  }
  fmt::print("{}: {} bytes of text, {} entries (check {})\n| work | ms | GB/s | ns per entry |\n|---|---|---|---|\n",
             path.string(), bytes, entries, sum % 10);
  for (const Work& work : all)
    fmt::print("| {} | {:.3g} | {:.3g} | {:.3g} |\n", work.name, 1e3 * work.least,
               1e-9 * static_cast<double>(bytes) / work.least, 1e9 * work.least / static_cast<double>(entries));
}

}  // namespace
}  // namespace driftless

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_parse_libsvm FILE [REPEATS]\n");
    return 2;
  }
  driftless::measure(arguments[1], count > 2 ? std::stoi(arguments[2]) : 20);
  return 0;
}
