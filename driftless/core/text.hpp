// Small helpers for messages and files.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace driftless {

// The candidate nearest in edit distance, capital letters as small ones, or "" if none is near enough to be a typing
// error.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// "a, b, c"
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

// Shortest decimal text that reads back as the same double; "nan", "inf", "-inf" for the rest.
std::string number(double value);
std::string number(double value, int digits);  // rounded to so many significant digits

}  // namespace driftless
