// What an error says: every fragment must occur in it, and it must have all three parts.
#pragma once

#include "driftless/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace driftless {

template <class E, class Action>
void expect_error(Action&& action, std::initializer_list<std::string> fragments) {
  try {
    action();
  } catch (const E& error) {
    for (const std::string& fragment : fragments) EXPECT_THAT(error.what(), testing::HasSubstr(fragment));
    EXPECT_FALSE(error.info().what.empty());
    EXPECT_FALSE(error.info().seen.empty()) << error.what();
    EXPECT_FALSE(error.info().advice.empty()) << error.what();
    return;
  }
  ADD_FAILURE() << "no error was thrown";
}

}  // namespace driftless
