// How fast LIBSVM text is read, beside what just touching its bytes and its digest cost.
//
//   bench_parse_libsvm FILE [REPEATS]
//
// The file is read once before, so that the system has it in memory. Each kind of work takes its turn in every repeat;
// the least time counts, so that what else runs on the machine disturbs little. The time that the processor spent, on
// all cores, stands beside it: half of it is what two idle cores could reach. GB/s are those of the plain text. For a
// packed file the cache of its rows is measured too, in a folder of its own among the temporary files.
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <functional>

namespace driftless {
namespace {

struct Work {
  const char* name;
  std::function<void()> run;
  double least = 1e300;
  double least_of_processor = 1e300;

  void measure() {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t processor_start = std::clock();
    run();
    const auto ticks = static_cast<double>(std::clock() - processor_start);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    least_of_processor = std::min(least_of_processor, ticks / CLOCKS_PER_SEC);
  }
};

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
  InputFile file(path);
  const auto bytes = static_cast<double>(file.plain().size());
  std::size_t entries = 0;
  std::uint64_t sum = 0;
  LibsvmOptions options{.dim = {}, .labels = Labels::real};
  std::vector<Work> all{{"bytes alone", [&] { sum += touched(InputFile(path).plain()); }},
                        {"digest alone", [&] { sum += sha256(InputFile(path).plain()).size(); }},
                        {"rows and digest", [&] { entries = read_libsvm(path, options).nonzeros(); }}};
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "driftless-bench-rows";
  LibsvmOptions with_cache = options;
  with_cache.cache.emplace(folder, [](const std::string& warning) { fmt::print(stderr, "{}\n", warning); });
  if (file.packed()) {
    read_libsvm(path, with_cache);
    all.push_back({"rows from the cache", [&] { read_libsvm(path, with_cache); }});
  }
  for (int k = 0; k < repeats; ++k) std::ranges::for_each(all, &Work::measure);
  std::filesystem::remove_all(folder);
  fmt::print("{}: {} bytes of text, {} entries (check {})\n", path.string(), bytes, entries, sum % 10);
  fmt::print("| work | ms | GB/s | ms of processor | ns of processor per entry |\n|---|---|---|---|---|\n");
  for (const Work& work : all)
    fmt::print("| {} | {:.3g} | {:.3g} | {:.3g} | {:.3g} |\n", work.name, 1e3 * work.least, 1e-9 * bytes / work.least,
               1e3 * work.least_of_processor, 1e9 * work.least_of_processor / static_cast<double>(entries));
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
