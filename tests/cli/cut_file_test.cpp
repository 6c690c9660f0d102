// A data file that is truncated while the program has it mapped.
#include "driftless/files/mapped_file.hpp"

#include "apps/signals.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ExitedWithCode;
using testing::HasSubstr;
using testing::KilledBySignal;

constexpr std::size_t large = std::size_t{1} << 20;

int sum_of(std::string_view bytes) {
  int sum = 0;
  for (const char byte : bytes) sum += byte;
  return sum;
}

void read_while_it_is_cut(const fs::path& path) {
  app::explain_truncated_files();
  const MappedFile file(path);
  fs::resize_file(path, 10);
  ::_exit(sum_of(file.bytes()) == 0 ? 1 : 2);
}

TEST(CutFileDeathTest, EndsTheProgramWithAMessageThatNamesTheFile) {
  const TempFolder folder;
  const fs::path path = folder.write("data.svm", std::string(large, 'x'));
  EXPECT_EXIT(read_while_it_is_cut(path), ExitedWithCode(5),
              AllOf(HasSubstr("error: a file was truncated while it was read\n  seen: " + path.string()),
                    HasSubstr("\n  do:   ")));
}

TEST(CutFileDeathTest, ThreadsThatReadItGiveOneMessage) {
  const TempFolder folder;
  const fs::path path = folder.write("data.svm", std::string(large, 'x'));
  const auto read_in_threads = [&] {
    app::explain_truncated_files();
    const MappedFile file(path);
    fs::resize_file(path, 10);
    std::atomic<int> sum = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { sum += sum_of(file.bytes()); });
    threads.clear();
    ::_exit(sum == 0 ? 1 : 2);
  };
  EXPECT_EXIT(read_in_threads(), ExitedWithCode(5), testing::Not(testing::ContainsRegex("error:(.|\n)*error:")));
}

TEST(CutFileDeathTest, AnyOtherBusErrorEndsTheProgramAsBefore) {
  const TempFolder folder;
  const fs::path path = folder.write("data.svm", "x");
  const auto touch_another_mapping = [&] {
    app::explain_truncated_files();
    std::FILE* file = std::tmpfile();
    const void* start = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, ::fileno(file), 0);
    ::_exit(*static_cast<const volatile char*>(start));
  };
  EXPECT_EXIT(touch_another_mapping(), KilledBySignal(SIGBUS), "");
  const auto get_it_from_outside = [&] {
    app::explain_truncated_files();
    const MappedFile mapped(path);
    ::kill(::getpid(), SIGBUS);
    ::_exit(0);
  };
  EXPECT_EXIT(get_it_from_outside(), KilledBySignal(SIGBUS), "");
}

bool is_mapped(const Program& program, const fs::path& file) {
  return TempFolder::read("/proc/" + std::to_string(program.id()) + "/maps").find(file.string()) != std::string::npos;
}

// Cuts the file as soon as the program has mapped it; the program may still be quicker.
ProgramResult said_of_cut_file(const TempFolder& folder, const std::string& rows) {
  const fs::path path = folder.write("large.svm", rows);
  Program program({.arguments = {"data", "info", "large.svm"}, .folder = folder.path()});
  while (program.running() && !is_mapped(program, path)) std::this_thread::yield();
  fs::resize_file(path, 0);
  return program.wait();
}

TEST(CutFile, IsNamedByTheRealProgram) {
  const TempFolder folder;
  std::string rows;
  while (rows.size() < 64 * large) rows += "1 1:0.123456789 2:0.987654321 3:1\n-1 4:2.5 77:0.333\n";
  ProgramResult result;
  for (int attempt = 0; attempt < 20 && result.exit_code != 5; ++attempt) {
    result = said_of_cut_file(folder, rows);
    ASSERT_THAT(result.exit_code, testing::AnyOf(0, 5)) << result.err;
  }
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("truncated while it was read\n  seen: large.svm"));
}

}  // namespace
}  // namespace driftless
