// Pieces, threads and the quick way of reading must not be seen in the result: the careful reader of single lines is
// what they are held against.
#include "driftless/data/libsvm/libsvm_text.hpp"

#include "driftless/core/error.hpp"
#include "driftless/data/libsvm/libsvm_rows.hpp"
#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace driftless {
namespace {

ParsedText line_by_line(std::string_view text) {
  ParsedText parsed;
  parsed.data.row_start.push_back(0);
  LibsvmRows rows;
  rows.clear(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++rows.lines;
    read_libsvm_line(text.substr(0, end), largest_libsvm_index, rows);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  for (const LibsvmRows::Row& row : rows.row) {
    parsed.data.label.push_back(row.label);
    parsed.data.row_start.push_back(static_cast<std::int64_t>(row.end));
    parsed.labels.add(row.label, "text", row.line);
  }
  parsed.data.column.assign(rows.column.begin(), rows.column.begin() + static_cast<std::ptrdiff_t>(rows.entries));
  parsed.data.value.assign(rows.value.begin(), rows.value.begin() + static_cast<std::ptrdiff_t>(rows.entries));
  parsed.data.dim = rows.largest_index;
  parsed.data.explicit_zeros = rows.explicit_zeros;
  return parsed;
}

std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> words;
  for (const double number : numbers) words.push_back(std::bit_cast<std::uint64_t>(number));
  return words;
}

std::vector<std::string> locations(const LabelTable& labels) {
  std::vector<std::string> found;
  for (const LabelTable::Entry& entry : labels.entries()) found.push_back(entry.location());
  return found;
}

void expect_same(const ParsedText& left, const ParsedText& right) {
  EXPECT_EQ(left.data.row_start, right.data.row_start);
  EXPECT_EQ(left.data.column, right.data.column);
  EXPECT_EQ(bits(left.data.value), bits(right.data.value));
  EXPECT_EQ(bits(left.data.label), bits(right.data.label));
  EXPECT_EQ(left.data.dim, right.data.dim);
  EXPECT_EQ(left.data.explicit_zeros, right.data.explicit_zeros);
  EXPECT_EQ(locations(left.labels), locations(right.labels));
  EXPECT_EQ(left.labels.complete(), right.labels.complete());
}

// Every way of cutting the text must give what the careful reader gives.
void expect_read_as_line_by_line(const std::string& text) {
  const ParsedText expected = line_by_line(text);
  for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{1} << 20}) {
    for (const std::size_t threads : {1U, 3U}) {
      SCOPED_TRACE(testing::Message() << "pieces of " << piece_bytes << " bytes, " << threads << " threads: " << text);
      const ParsedText read = parse_libsvm_text(text, "text", {}, {.piece_bytes = piece_bytes, .threads = threads});
      expect_same(read, expected);
      EXPECT_EQ(read.data.digest, sha256(text));
    }
  }
}

// The quick way needs some text around a line.
std::string embedded(const std::string& line) {
  const std::string rows = "+1 1:1 3:1 12:1 \n-1 2:0.25 100:1 \n";
  return rows + line + "\n" + rows + rows;
}

TEST(LibsvmText, ReadsAwkwardLinesAsTheCarefulReaderDoes) {
  for (const char* line :
       {"", "   ", "# a comment 3:4", "1", "1 ", "+1 # 3:4", "1 3:1#4:1", "1 3:1\r", "\t1\t3:1\t \t7:2\v8:3\f",
        "  1  3:1  ", "1 3:0 4:-0 5:0.0 6:1", "1 3:+5 4:-5 5:+0.5 6:-.5 7:5.", "-0 3:1", "+1 +3:1",
        "1 003:1 0000000004:1", "2.5e-3 3:1e5 4:1E-5 5:1e+05", "1 12345678:1 99999999:1 123456789:1 2147483646:1",
        "7.25 1:1 2:1"})
    expect_read_as_line_by_line(embedded(line));
}

TEST(LibsvmText, RoundsEveryNumberAsFromCharsDoes) {
  for (const char* number : {"9007199254740992",
                             "9007199254740993",
                             "9007199254740993.0",
                             "12345678901234567890",
                             "0.12345678901234567890",
                             "1234567890123456789",
                             "18446744073709551616",
                             "1e22",
                             "1e23",
                             "9007199254740991e22",
                             "123456789e-22",
                             "1e-23",
                             "0.1",
                             "0.3",
                             "2.2250738585072014e-308",
                             "4.9e-324",
                             "1.7976931348623157e308",
                             "0.000000000000000000000001",
                             "100000000000000000000000",
                             "00000000000000000000001",
                             "0.00000001",
                             "1.00000000",
                             "123.4567890123456",
                             "1e00005",
                             "8.5e-17",
                             "3.0517578125e-05",
                             "1e-5",
                             "0e99999",
                             "0.5000000000000001110223024625156540423631668090820312"})
    expect_read_as_line_by_line(embedded(std::string("1 3:") + number + " 5:-" + number + " 7:1\n-" + number + " 1:2"));
}

TEST(LibsvmText, ReadsTextsWithoutALastLineEndWithCrlfAndWithAByteOrderMark) {
  const std::string rows = embedded("-1 5:2");
  expect_read_as_line_by_line(rows.substr(0, rows.size() - 1));
  expect_read_as_line_by_line(rows + "1 3:5");
  expect_read_as_line_by_line("1 3:5");
  std::string crlf;
  for (const char c : rows) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_read_as_line_by_line(crlf);
  const std::string marked = "\xEF\xBB\xBF" + rows;
  const ParsedText read = parse_libsvm_text(marked, "text", {}, {.piece_bytes = 10, .threads = 2});
  expect_same(read, line_by_line(rows));
  EXPECT_EQ(read.data.digest, sha256(marked));
}

class RandomText {
 public:
  explicit RandomText(unsigned seed) : chance_(seed) {}

  std::string rows(int count) {
    std::string text;
    for (int row = 0; row < count; ++row) text += line() + (below(20) == 0 ? "\r\n" : "\n");
    return text;
  }

 private:
  int below(int n) { return static_cast<int>(chance_() % static_cast<unsigned>(n)); }

  std::string digits(int most) {
    std::string text;
    for (int k = 1 + below(most); k > 0; --k) text += static_cast<char>('0' + below(10));
    return text;
  }

  std::string number() {
    if (below(3) == 0) return "1";
    std::string text(std::array{"", "", "-", "+"}[static_cast<std::size_t>(below(4))]);
    text += below(4) == 0 ? digits(20) : digits(3);
    if (below(2) == 0) text += "." + digits(below(4) == 0 ? 30 : 8);
    if (below(6) == 0) text += std::array{"e-", "e", "E+"}[static_cast<std::size_t>(below(3))] + digits(2);
    return text;
  }

  std::string line() {
    if (below(15) == 0) return below(2) == 0 ? "" : "# 1 2:3";
    std::string text = number();
    std::int64_t index = 0;
    for (int k = below(12); k > 0; --k) {
      index += 1 + below(below(10) == 0 ? 50'000'000 : 200);
      text += (below(12) == 0 ? " \t" : " ") + std::to_string(index) + ":" + number();
    }
    return text + (below(3) == 0 ? " " : "") + (below(15) == 0 ? "#end" : "");
  }

  std::mt19937 chance_;
};

TEST(LibsvmText, ReadsRandomTextsAsTheCarefulReaderDoes) {
  for (unsigned seed = 1; seed <= 300; ++seed) expect_read_as_line_by_line(RandomText(seed).rows(20) + "1 1:1\n");
}

// What the whole text says of a fault must not depend on how it is cut, nor on the quick reader.
std::string error_in(const std::string& text, const ReadingPlan& plan) {
  try {
    parse_libsvm_text(text, "text", {}, plan);
  } catch (const DataError& error) { return error.what(); }
  return "";
}

TEST(LibsvmText, SaysTheSameOfScrambledTextsHoweverTheyAreCut) {
  std::mt19937 chance(7);
  const std::string alphabet("019:+-.e# \n\t\r\0n\xFFx", 17);
  int rejected = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::string text = RandomText(seed).rows(30) + "1 1:1\n";
    for (int change = 0; change < 3; ++change) text[chance() % text.size()] = alphabet[chance() % alphabet.size()];
    std::string expected;
    try {
      expected = "";
      const ParsedText careful = line_by_line(text);
      expect_same(parse_libsvm_text(text, "text", {}, {.piece_bytes = 64, .threads = 2}), careful);
    } catch (const MalformedToken& bad) {
      ++rejected;
      expected = error_in(text, {.piece_bytes = text.size(), .threads = 1});
      EXPECT_NE(expected.find(bad.what), std::string::npos) << expected;
    }
    EXPECT_EQ(error_in(text, {.piece_bytes = 1, .threads = 1}), expected);
    EXPECT_EQ(error_in(text, {.piece_bytes = 50, .threads = 3}), expected);
  }
  EXPECT_GT(rejected, 100);
}

TEST(LibsvmText, NamesTheLineOfAFaultInTheLastPieceAndOfTheFirstOfTwo) {
  std::string rows;
  for (int row = 0; row < 1000; ++row) rows += row % 10 == 9 ? "\n" : "1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 \n";
  const ReadingPlan plan{.piece_bytes = 300, .threads = 4};
  const auto read = [&](const std::string& text) {
    return [&plan, text] { parse_libsvm_text(text, "text", {}, plan); };
  };
  expect_error<DataError>(read(rows + "1 2:1 2:5\n"), {"repeated", "text:1001: '2:5'"});
  expect_error<DataError>(read(rows + "1 2:1 1:5"), {"do not rise", "text:1001: '1:5'"});
  expect_error<DataError>(read(rows + "1 0:1\n" + rows + "1 x:1\n" + rows), {"index 0", "text:1001: '0:1'"});
  expect_error<DataError>([&] { parse_libsvm_text(rows + "1 9:1\n" + rows, "text", Index{8}, plan); },
                          {"given dimension 8", "text:1001: '9:1'"});
}

TEST(LibsvmText, KeepsTheFirstLocationOfEveryLabelAndABoundedNumberOfThem) {
  std::string text;
  for (int row = 0; row < 500; ++row) text += std::to_string(row / 3) + " 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1\n";
  const ParsedText read = parse_libsvm_text(text, "text", {}, {.piece_bytes = 100, .threads = 2});
  ASSERT_EQ(read.labels.entries().size(), LabelTable::capacity);
  EXPECT_EQ(read.labels.entries()[60].location(), "text:181");
  EXPECT_FALSE(read.labels.complete());
}

TEST(LibsvmText, ReadsMoreThanOnePieceByDefault) {
  std::string text = RandomText(5).rows(60'000);
  expect_same(parse_libsvm_text(text, "text", {}), line_by_line(text));
  ASSERT_GT(text.size(), std::size_t{2} << 20);
}

}  // namespace
}  // namespace driftless
