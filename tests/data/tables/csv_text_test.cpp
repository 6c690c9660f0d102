// Chunks, threads and the quick way of reading must not be seen in the result: a reader of single characters is what
// they are held against.
#include "driftless/data/tables/csv_text.hpp"

#include "driftless/core/error.hpp"
#include "driftless/data/tables/csv_chunks.hpp"
#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace driftless {
namespace {

using namespace std::string_literals;

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int32_t no_code = TableColumn::missing_code;

using CsvCells = std::vector<std::vector<std::string>>;

// One character after the other; the text must be valid. Blank lines at the end are no rows.
CsvCells cells_of(std::string_view text, char delimiter) {
  while (text.ends_with('\n')) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  CsvCells rows(1);
  std::string cell;
  bool quoted = false;
  bool was_quoted = false;
  const auto end_cell = [&] {
    if (!was_quoted) {
      while (cell.ends_with(' ')) cell.pop_back();
      while (cell.starts_with(' ')) cell.erase(0, 1);
    }
    rows.back().push_back(std::exchange(cell, {}));
    was_quoted = false;
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted) {
      if (c != '"') cell += c;
      else if (text.substr(k, 2) == "\"\"") cell += text[k++];
      else quoted = false;
    } else if (c == '"') {
      quoted = was_quoted = true;
      cell.clear();
    } else if (c == delimiter) {
      end_cell();
    } else if (c == '\n') {
      end_cell();
      rows.emplace_back();
    } else if (c != '\r' && !(c == ' ' && was_quoted)) {
      cell += c;
    }
  }
  end_cell();
  return rows;
}

bool is_missing(const std::string& text, const CsvFormat& format) {
  return std::ranges::count(format.missing, text) != 0;
}

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

void expect_column(const TableColumn& column, const CsvCells& cells, std::size_t index, const CsvFormat& format) {
  for (std::size_t row = 1; row < cells.size(); ++row) {
    std::string text = cells[row][index];
    if (column.type == CellType::number) {
      const double value = column.number[row - 1];
      if (format.decimal_comma) std::ranges::replace(text, ',', '.');
      const double expected = is_missing(text, format) ? std::nan("") : std::strtod(text.c_str(), nullptr);
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(value) : bits_of(value) == bits_of(expected))
          << "row " << row << ": " << text << " was read as " << value;
    } else {
      const std::int32_t code = column.code[row - 1];
      EXPECT_EQ(code == no_code, is_missing(text, format)) << "row " << row << ": " << text;
      if (code != no_code) { EXPECT_EQ(column.texts[static_cast<std::size_t>(code)], text); }
    }
  }
}

struct CsvWanted {
  std::vector<ColumnRequest> requests;
  CsvFormat format;
};

void expect_table(const Table& table, const CsvCells& cells, const CsvWanted& wanted) {
  ASSERT_EQ(table.rows, cells.size() - 1);
  ASSERT_EQ(table.columns.size(), wanted.requests.size());
  for (const TableColumn& column : table.columns) {
    const auto at = std::ranges::find(cells.front(), column.name);
    ASSERT_NE(at, cells.front().end());
    expect_column(column, cells, static_cast<std::size_t>(at - cells.front().begin()), wanted.format);
    EXPECT_TRUE(std::ranges::is_sorted(column.texts));
    for (std::size_t k = 0; k < column.texts.size(); ++k)
      EXPECT_NE(std::ranges::find(column.code, static_cast<std::int32_t>(k)), column.code.end()) << column.texts[k];
  }
}

// Every way of cutting the text must give what the reader of characters gives.
void expect_read_as_by_characters(const std::string& text, const CsvWanted& wanted) {
  const char delimiter = wanted.format.delimiter.empty() ? ',' : wanted.format.delimiter.front();
  const CsvCells cells = cells_of(text, delimiter);
  for (const std::size_t chunk_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1} << 20}) {
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
      SCOPED_TRACE(testing::Message() << "chunks of " << chunk_bytes << " bytes, " << threads << " threads: " << text);
      const Table table =
          parse_csv(text, "text", wanted.requests, wanted.format, {.chunk_bytes = chunk_bytes, .threads = threads});
      expect_table(table, cells, wanted);
      EXPECT_EQ(table.digest, sha256(text));
      EXPECT_EQ(table.first_line, 2U);
    }
  }
}

const ColumnRequest number_x{.name = "x"};
const ColumnRequest text_t{.name = "t", .type = CellType::text};

std::vector<std::string> csv_texts(const Table& table, std::size_t column) {
  std::vector<std::string> texts;
  for (const std::int32_t code : table.columns[column].code)
    texts.push_back(code == no_code ? "-" : table.columns[column].texts[static_cast<std::size_t>(code)]);
  return texts;
}

TEST(CsvText, ReadsTheRequestedColumnsInTheOrderOfTheRequests) {
  const Table table =
      parse_csv("t,skipped,x\nb,?,1.5\na,\"q,\nr\",-2\nb,,\n", "text", std::array{number_x, text_t}, {});
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.columns[0].number[0], 1.5);
  EXPECT_EQ(table.columns[0].number[1], -2.0);
  EXPECT_TRUE(std::isnan(table.columns[0].number[2]));
  EXPECT_THAT(table.columns[1].texts, ElementsAre("a", "b"));
  EXPECT_THAT(table.columns[1].code, ElementsAre(1, 0, 1));
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.name, "text");
}

TEST(CsvText, LeavesOutAColumnThatIsNotRequired) {
  const ColumnRequest maybe{.name = "absent", .required = false};
  const Table table = parse_csv("x\n1\n", "text", std::array{maybe, number_x}, {});
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.find("absent"), nullptr);
  EXPECT_EQ(table.find("x")->number[0], 1.0);
}

TEST(CsvText, CountsRowsWhenNoColumnIsRequested) {
  const Table table = parse_csv("a,b\n1,2\n3,\"4\n5\"\n", "text", {}, {});
  EXPECT_EQ(table.rows, 2U);
  EXPECT_THAT(table.columns, IsEmpty());
}

TEST(CsvText, SortsTextsByTheirBytes) {
  const Table table = parse_csv("t\nz\n\xC3\xA4\nZ\n10\n9\n", "text", std::array{text_t}, {});
  EXPECT_THAT(table.columns[0].texts, ElementsAre("10", "9", "Z", "z", "\xC3\xA4"));
}

TEST(CsvText, FindsTheDelimiterThatTheHeaderHasMost) {
  for (const std::string d : {",", ";", "\t"}) {
    const Table table =
        parse_csv("x" + d + "t" + d + "\"a,;,;,;\"\n1" + d + "b" + d + "c\n", "text", std::array{number_x, text_t}, {});
    EXPECT_EQ(table.columns[0].number[0], 1.0) << d;
    EXPECT_THAT(csv_texts(table, 1), ElementsAre("b")) << d;
  }
  const Table bars = parse_csv("x|t\n1|b\n", "text", std::array{number_x, text_t}, {.delimiter = "|"});
  EXPECT_THAT(csv_texts(bars, 1), ElementsAre("b"));
}

TEST(CsvText, ReadsDecimalCommas) {
  const Table table = parse_csv("x;t\n1,5;a,b\n-0,25;c\n+1,25e-3;\n3;d\n ,5 ;e\n\"0,75\";f\n", "text",
                                std::array{number_x, text_t}, {.decimal_comma = true});
  EXPECT_THAT(table.columns[0].number, ElementsAre(1.5, -0.25, 1.25e-3, 3.0, 0.5, 0.75));
  EXPECT_THAT(csv_texts(table, 1), ElementsAre("a,b", "c", "-", "d", "e", "f"));
}

TEST(CsvText, TakesMissingTextsQuotedOrNotAndNumbersAmongThemByTheirValue) {
  const CsvFormat format{.missing = {"NA", "-99", "un known"}};
  const Table table = parse_csv("x,t\nNA,NA\n\"NA\",\"NA\"\n-99,-99\n -99.0 ,un known\n\"-99\", un known \n99,\n",
                                "text", std::array{number_x, text_t}, format);
  for (std::size_t row = 0; row < 5; ++row) EXPECT_TRUE(std::isnan(table.columns[0].number[row])) << row;
  EXPECT_EQ(table.columns[0].number[5], 99.0);
  EXPECT_THAT(csv_texts(table, 1), ElementsAre("-", "-", "-", "-", "-", ""));
}

TEST(CsvText, TrimsBlanksOutsideOfQuotesOnly) {
  const Table table =
      parse_csv("x , t\n 1 ,  a b \n2,\" a \"\n3 , \"c\" \n\t4\t,\td\t\n", "text", std::array{number_x, text_t}, {});
  EXPECT_THAT(table.columns[0].number, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(csv_texts(table, 1), ElementsAre("a b", " a ", "c", "d"));
}

TEST(CsvText, BlankLinesOfATableOfOneColumnAreMissingCellsButNotAtTheEnd) {
  const Table table = parse_csv("x\n1\n\n\r\n2\n\n\n", "text", std::array{number_x}, {});
  ASSERT_EQ(table.rows, 4U);
  EXPECT_TRUE(std::isnan(table.columns[0].number[1]));
  EXPECT_TRUE(std::isnan(table.columns[0].number[2]));
  EXPECT_EQ(table.columns[0].number[3], 2.0);
}

TEST(CsvText, AByteOrderMarkIsNoPartOfTheFirstName) {
  const std::string text = "\xEF\xBB\xBFx,t\n1,a\n";
  const Table table = parse_csv(text, "text", std::array{number_x, text_t}, {});
  EXPECT_EQ(table.columns[0].number[0], 1.0);
  EXPECT_EQ(table.digest, sha256(text));
}

TEST(CsvText, NamesMayHaveQuotesDelimitersAndLineBreaks) {
  const Table table = parse_csv(
      "\"a \"\"b\"\"\",\"x\ny\",\"p,q\"\r\n1,2,3\r\n", "text",
      std::array{ColumnRequest{.name = "p,q"}, ColumnRequest{.name = "x\ny"}, ColumnRequest{.name = "a \"b\""}}, {});
  EXPECT_EQ(table.columns[0].number[0], 3.0);
  EXPECT_EQ(table.columns[1].number[0], 2.0);
  EXPECT_EQ(table.columns[2].number[0], 1.0);
  EXPECT_EQ(table.first_line, 3U);
}

TEST(CsvText, ReadsNumbersBackExactly) {
  std::mt19937_64 chance(3);
  std::string text = "x,y\n";
  std::vector<double> numbers;
  while (numbers.size() < 20'000) {
    const double value = std::bit_cast<double>(chance());
    if (!std::isfinite(value)) continue;
    numbers.push_back(value);
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", value);
    text += std::string(digits.data()) + "," + std::to_string(numbers.size()) + "\n";
  }
  const Table table = parse_csv(text, "text", std::array{number_x}, {}, {.chunk_bytes = 1000, .threads = 3});
  ASSERT_EQ(table.rows, numbers.size());
  for (std::size_t row = 0; row < numbers.size(); ++row)
    ASSERT_EQ(bits_of(table.columns[0].number[row]), bits_of(numbers[row])) << row;
}

TEST(CsvText, RoundsAwkwardNumbersToTheNearestDouble) {
  const std::array numbers{"9007199254740993",
                           "0.1",
                           "1e22",
                           "1e23",
                           "123456789.123456789",
                           "4.9e-324",
                           "-0",
                           "000012.500",
                           ".5",
                           "5.",
                           "1.7976931348623157e308",
                           "+3",
                           "1E+2",
                           "0.5000000000000001110223024625156540423631668"};
  std::string text = "x,y\n";
  for (const char* number : numbers) text += std::string(number) + ",1\n";
  text += "1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n";
  for (const std::size_t chunk_bytes : {std::size_t{5}, std::size_t{1000}}) {
    const Table table = parse_csv(text, "text", std::array{number_x}, {}, {.chunk_bytes = chunk_bytes});
    for (std::size_t row = 0; row < numbers.size(); ++row)
      EXPECT_EQ(bits_of(table.columns[0].number[row]), bits_of(std::strtod(numbers[row], nullptr))) << numbers[row];
  }
}

class RandomCsv {
 public:
  explicit RandomCsv(unsigned seed) : chance_(seed), line_end_(below(2) == 0 ? "\n" : "\r\n") {}

  std::string table(int rows, char delimiter) {
    const std::string d(1, delimiter);
    std::string text = "x" + d + "t" + d + "skipped" + d + "y" + d + "u" + line_end_;
    for (int row = 0; row < rows; ++row)
      text += number() + d + cell(delimiter) + d + cell(delimiter) + d + number() + d + cell(delimiter) + line_end_;
    for (int k = below(3); k > 0; --k) text += line_end_;
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
    if (below(8) == 0) return std::array{"", "NA", "\"\"", "?"}[static_cast<std::size_t>(below(4))];
    std::string text = std::array{"", "-", "+"}[static_cast<std::size_t>(below(3))] + digits(below(5) == 0 ? 20 : 4);
    if (below(2) == 0) text += "." + digits(below(5) == 0 ? 25 : 6);
    if (below(8) == 0) text += "e-" + digits(2);
    const int form = below(12);
    return form == 0 ? "\"" + text + "\"" : form == 1 ? " " + text + "  " : text;
  }
  std::string cell(char delimiter) {
    if (below(3) == 0) return std::array{"a", "b", "NA", ""}[static_cast<std::size_t>(below(4))];
    const std::array pieces{"a", "long text ", "\"\"", "\n", "\r\n", "\xC3\xA9", " ", ",", ";", "7"};
    const bool quoted = below(3) != 0;
    std::string text;
    for (int k = below(6); k > 0; --k) {
      const std::string piece = pieces[static_cast<std::size_t>(below(static_cast<int>(pieces.size())))];
      const bool plain = piece.find_first_of("\"\r\n") == std::string::npos && piece.front() != delimiter;
      if (quoted || plain) text += piece;
    }
    return quoted ? (below(9) == 0 ? " \"" + text + "\" " : "\"" + text + "\"") : text;
  }

  std::mt19937 chance_;
  std::string line_end_;
};

TEST(CsvText, ReadsRandomTablesAsTheReaderOfCharactersDoes) {
  const std::vector<ColumnRequest> requests{
      {.name = "u", .type = CellType::text}, {.name = "x"}, {.name = "t", .type = CellType::text}, {.name = "y"}};
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const char delimiter = seed % 2 == 0 ? ',' : ';';
    expect_read_as_by_characters(RandomCsv(seed).table(1 + static_cast<int>(seed % 40), delimiter),
                                 {.requests = requests, .format = {.delimiter = std::string(1, delimiter)}});
  }
}

TEST(CsvText, ReadsMoreThanOneChunkByDefault) {
  const std::string text = RandomCsv(5).table(100'000, ',');
  const CsvWanted wanted{.requests = {{.name = "x"}, {.name = "t", .type = CellType::text}},
                         .format = {.delimiter = ","}};
  expect_table(parse_csv(text, "text", wanted.requests, wanted.format), cells_of(text, ','), wanted);
  ASSERT_GT(text.size(), std::size_t{3} << 20);
}

std::string error_of(const std::string& text, std::span<const ColumnRequest> requests, const CsvPlan& plan) {
  try {
    parse_csv(text, "text", requests, {.delimiter = ","}, plan);
  } catch (const DataError& error) { return error.what(); }
  return "";
}

TEST(CsvText, SaysTheSameOfScrambledTablesHoweverTheyAreCut) {
  std::mt19937 chance(7);
  const std::string alphabet = "09.,\"\"\"\n\n\r\0n\xFF x"s;
  const std::vector<ColumnRequest> requests{{.name = "x"}, {.name = "t", .type = CellType::text}};
  int rejected = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::string text = RandomCsv(seed).table(25, ',');
    for (int change = 0; change < 2; ++change) {
      const std::size_t header = text.find('\n') + 1;
      text[header + chance() % (text.size() - header)] = alphabet[chance() % alphabet.size()];
    }
    const std::string expected = error_of(text, requests, {.chunk_bytes = text.size() + 1, .threads = 1});
    rejected += static_cast<int>(!expected.empty());
    for (const std::size_t chunk_bytes : {std::size_t{1}, std::size_t{11}, std::size_t{150}})
      for (const std::size_t threads : {1U, 4U})
        EXPECT_EQ(error_of(text, requests, {.chunk_bytes = chunk_bytes, .threads = threads}), expected) << text;
  }
  EXPECT_GT(rejected, 100);
}

TEST(CsvText, NamesTheFirstOfTwoFaultsAndItsLineBehindCellsWithLineBreaks) {
  std::string rows;
  for (int row = 0; row < 1000; ++row) rows += row % 10 == 0 ? "1,\"a\n\nb\"\n" : "1,a\n";
  for (const std::size_t chunk_bytes : {std::size_t{13}, std::size_t{300}, std::size_t{1} << 20}) {
    const CsvPlan plan{.chunk_bytes = chunk_bytes, .threads = 4};
    expect_error<DataError>(
        [&] { parse_csv("x,t\n" + rows + "abc,a\n" + rows + "1\n", "text", std::array{number_x, text_t}, {}, plan); },
        {"not a number", "text:1202: column 'x': 'abc'"});
  }
}

TEST(CsvText, CountsLineBreaksOutsideAndInsideOfQuotesAsSingleStepsDo) {
  std::mt19937 chance(11);
  for (int repeat = 0; repeat < 300; ++repeat) {
    std::string text(chance() % 300, 'a');
    for (char& c : text) c = "a\"\n,"[chance() % 4];
    LineBreaks expected;
    for (const char c : text) {
      if (c == '"') expected.ends_inside = !expected.ends_inside;
      if (c == '\n') ++(expected.ends_inside ? expected.inside : expected.outside);
    }
    const LineBreaks counted = count_line_breaks(text);
    EXPECT_EQ(counted.outside, expected.outside) << text;
    EXPECT_EQ(counted.inside, expected.inside) << text;
    EXPECT_EQ(counted.ends_inside, expected.ends_inside) << text;
  }
}

}  // namespace
}  // namespace driftless
