// Gives every file of a folder to the target once: what libFuzzer found stays mended, wherever the tests run.
#include "fuzz/input.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::puts(entry.path().c_str());
    std::fflush(stdout);  // the last one is the one that failed
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++seeds;
  }
  return seeds > 0 ? 0 : 1;
}
