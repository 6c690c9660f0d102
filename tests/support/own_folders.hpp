// A test that runs in a folder, with a home and a data path of its own.
#pragma once

#include "tests/support/temp_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace driftless {

class InOwnFolders : public testing::Test {
 public:
  InOwnFolders() : before_(std::filesystem::current_path()) {
    remember("DRIFTLESS_DATA", old_data_);
    remember("HOME", old_home_);
    std::filesystem::create_directories(folder_ / "work");
    std::filesystem::current_path(folder_ / "work");
    ::setenv("HOME", (folder_ / "home").c_str(), 1);
    ::unsetenv("DRIFTLESS_DATA");
  }
  ~InOwnFolders() override {
    std::filesystem::current_path(before_);
    restore("DRIFTLESS_DATA", old_data_);
    restore("HOME", old_home_);
  }

 protected:
  void set_data(const std::string& list) { ::setenv("DRIFTLESS_DATA", list.c_str(), 1); }
  std::string at(const std::string& name) { return std::filesystem::weakly_canonical(folder_ / name).string(); }

  TempFolder folder_;

 private:
  static void remember(const char* key, std::optional<std::string>& old) {
    if (const char* value = std::getenv(key)) old = value;
  }
  static void restore(const char* key, const std::optional<std::string>& old) {
    if (old) ::setenv(key, old->c_str(), 1);
    else ::unsetenv(key);
  }

  std::filesystem::path before_;
  std::optional<std::string> old_data_;
  std::optional<std::string> old_home_;
};

}  // namespace driftless
