// One line per kind of broken or hostile table: the message must say what is wrong, where, and show the cell.
#include "driftless/core/error.hpp"
#include "driftless/data/tables/csv_text.hpp"

#include "tests/support/expect_error.hpp"

#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using namespace std::string_literals;

struct MalformedTable {
  std::string name;
  std::string text;
  std::string what;      // fragment
  std::string location;  // file:line, column and cell
  CsvFormat format = {};
};

const std::array number_and_text{ColumnRequest{.name = "x"}, ColumnRequest{.name = "t", .type = CellType::text}};

std::string table_of_100(const std::string& row) {
  std::string text = "x,t\n";
  for (int k = 0; k < 50; ++k) text += "1.5,some text\n";
  text += row + "\n";
  for (int k = 0; k < 50; ++k) text += "1.5,some text\n";
  return text;
}

std::string utf16(const std::string& ascii) {
  std::string text;
  for (const char c : ascii) text += {c, '\0'};
  return text;
}

// Stands for ten million letters, which are made where a test reads them: each test is a program that makes the list of
// all.
const std::string megabytes = "<megabytes>";

std::string text_of(const MalformedTable& table) {
  std::string text = table.text;
  if (const std::size_t found = text.find(megabytes); found != std::string::npos)
    text.replace(found, megabytes.size(), std::string(10'000'000, 'a'));
  return text;
}

class MalformedCsv : public testing::TestWithParam<MalformedTable> {};

TEST_P(MalformedCsv, IsRejectedWithWhatAndWhereHoweverItIsCut) {
  const MalformedTable& table = GetParam();
  const std::string text = text_of(table);
  for (const std::size_t chunk_bytes : {text.size() / 1000 + 3, std::size_t{1} << 18})
    for (const std::size_t threads : {1U, 3U})
      expect_error<DataError>(
          [&] {
            parse_csv(text, "bad.csv", number_and_text, table.format, {.chunk_bytes = chunk_bytes, .threads = threads});
          },
          {table.what, table.location});
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MalformedCsv,
    testing::Values(
        MalformedTable{"TooFewCells", "x,t\n1,a\n2\n", "a row has 1 cell, but the header has 2", "bad.csv:3: '2'"},
        MalformedTable{"TooManyCells", "x,t\n1,a\n2,b,c\n", "a row has 3 cells, but the header has 2",
                       "bad.csv:3: '2,b,c'"},
        MalformedTable{"TooManyCellsWithALineBreak", "x,t\n1,\"a\nb\",\"c\nd\"\n", "a row has 3 cells", "bad.csv:2:"},
        MalformedTable{"TrailingDelimiter", "x,t\n1,a,\n", "a row has 3 cells", "bad.csv:2: '1,a,'"},
        MalformedTable{"TooFewCellsInTheLastRow", "x,t\n1,a\n2", "a row has 1 cell", "bad.csv:3: '2'"},
        MalformedTable{"ManyCells", "x,t\n" + std::string(5000, ',') + "\n", "a row has 5001 cells",
                       "bad.csv:2: ',,,,"},
        MalformedTable{"RaggedBehindManyRows", table_of_100("7"), "a row has 1 cell", "bad.csv:52: '7'"},
        MalformedTable{"BlankLineInside", "x,t\n1,a\n\n2,b\n", "a line is blank, but the header has 2", "bad.csv:3"},
        MalformedTable{"BlankLineOfBlanks", "x,t\n1,a\n  \n2,b\n", "a row has 1 cell", "bad.csv:3: '  '"},
        MalformedTable{"BlankLineWithCrlf", "x,t\r\n1,a\r\n\r\n2,b\r\n", "a line is blank", "bad.csv:3"},
        MalformedTable{"BlankFirstRow", "x,t\n\n1,a\n", "a line is blank", "bad.csv:2"},
        MalformedTable{"ManyBlankLines", "x,t\n" + std::string(100'000, '\n') + "1,a\n", "a line is blank",
                       "bad.csv:2"},
        MalformedTable{"OtherDelimiterInARow", table_of_100("1;a"), "not a number", "bad.csv:52: column 'x': '1;a'"},
        MalformedTable{"ExtraCellIsMalformed", "x,t\n1,a,b\"c\n", "a quote stands inside of a cell",
                       "bad.csv:2: 'b\"c"}),
    [](const auto& test_case) { return test_case.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Quotes, MalformedCsv,
    testing::Values(
        MalformedTable{"NotClosed", "x,t\n1,a\n2,\"b\n3,c\n", "a quoted cell is not closed",
                       "bad.csv:3: column 't': '\"b\\x0a3,c"},
        MalformedTable{"NotClosedInANumber", "x,t\n\"1,a\n", "a quoted cell is not closed", "bad.csv:2: column 'x'"},
        MalformedTable{"NotClosedAtTheEnd", "x,t\n1,\"", "a quoted cell is not closed", "bad.csv:2: column 't': '\"'"},
        MalformedTable{"NotClosedForMegabytes", "x,t\n1,\"" + megabytes + "\n", "a cell has more than 1048576 bytes",
                       "bad.csv:2: column 't': 'aaa"},
        MalformedTable{"ClosedByTheNext", "x,t\n1,\"a\n2,\"b\"\n", "text follows the closing quote",
                       "bad.csv:2: column 't': '\"a\\x0a2,\"b\""},
        MalformedTable{"TextBehind", "x,t\n1,\"a\"b\n", "text follows the closing quote",
                       "bad.csv:2: column 't': '\"a\"b"},
        MalformedTable{"TextBehindBlanks", "x,t\n1,\"a\" b\n", "text follows the closing quote",
                       "bad.csv:2: column 't'"},
        MalformedTable{"NumberBehind", "x,t\n\"1\"2,a\n", "text follows the closing quote", "bad.csv:2: column 'x'"},
        MalformedTable{"InsideAText", "x,t\n1,5\" pipe\n", "a quote stands inside of a cell",
                       "bad.csv:2: column 't': '5\" pipe"},
        MalformedTable{"InsideANumber", "x,t\n1\"2,a\n", "a quote stands inside of a cell", "bad.csv:2: column 'x'"},
        MalformedTable{"InsideBehindManyRows", table_of_100("1,a\"b\"c"), "a quote stands inside of a cell",
                       "bad.csv:52: column 't': 'a\"b\"c"},
        MalformedTable{"SingleQuotesAreText", "x,t\n1,'a,b'\n", "a row has 3 cells", "bad.csv:2: '1,'a,b''"},
        MalformedTable{"Backslash", "x,t\n1,\"a\\\"b\"\n", "text follows the closing quote", "bad.csv:2: column 't'"}),
    [](const auto& test_case) { return test_case.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Numbers, MalformedCsv,
    testing::Values(
        MalformedTable{"Word", "x,t\n1,a\nabc,b\n", "not a number", "bad.csv:3: column 'x': 'abc'"},
        MalformedTable{"WordBehindManyRows", table_of_100("abc,b"), "not a number", "bad.csv:52: column 'x': 'abc'"},
        MalformedTable{"QuotedWord", "x,t\n\"a \"\"b\",c\n", "not a number", "bad.csv:2: column 'x': 'a \"b'"},
        MalformedTable{"Tail", table_of_100("12.5kg,b"), "not a number", "bad.csv:52: column 'x': '12.5kg'"},
        MalformedTable{"Percent", table_of_100("12%,b"), "not a number", "'12%'"},
        MalformedTable{"Thousands", "x,t\n\"1,234\",a\n", "not a number", "bad.csv:2: column 'x': '1,234'"},
        MalformedTable{"ThousandsByBlanks", table_of_100("1 234,b"), "not a number", "'1 234'"},
        MalformedTable{"DecimalCommaUnasked", "x;t\n1,5;a\n", "decimal_comma = true", "bad.csv:2: column 'x': '1,5'"},
        MalformedTable{
            "PointWithDecimalComma", "x;t\n1.234,5;a\n", "not a number", "'1.234,5'", {.decimal_comma = true}},
        MalformedTable{"TwoCommas", "x;t\n1,2,3;a\n", "not a number", "'1,2,3'", {.decimal_comma = true}},
        MalformedTable{"TwoPoints", table_of_100("1.2.3,b"), "not a number", "'1.2.3'"},
        MalformedTable{"TwoSigns", table_of_100("+-5,b"), "not a number", "'+-5'"},
        MalformedTable{"SignAlone", table_of_100("-,b"), "not a number", "'-'"},
        MalformedTable{"PointAlone", table_of_100(".,b"), "not a number", "'.'"},
        MalformedTable{"ExponentAlone", table_of_100("1e,b"), "not a number", "'1e'"},
        MalformedTable{"Hexadecimal", table_of_100("0x1F,b"), "not a number", "'0x1F'"},
        MalformedTable{"Date", table_of_100("2024-05-01,b"), "not a number", "'2024-05-01'"},
        MalformedTable{"Infinite", table_of_100("inf,b"), "not finite", "bad.csv:52: column 'x': 'inf'"},
        MalformedTable{"MinusInfinite", table_of_100("-Infinity,b"), "not finite", "'-Infinity'"},
        MalformedTable{"NanThatIsNotListed", "x,t\nnan,a\n", "not finite", "'nan'", {.missing = {""}}},
        MalformedTable{"OutOfRange", table_of_100("1e999,b"), "outside the range", "bad.csv:52: column 'x': '1e999'"},
        MalformedTable{"TooSmall", table_of_100("1e-999,b"), "outside the range", "'1e-999'"},
        MalformedTable{"EmptyThatIsNotListed", "x,t\n,a\n", "not a number", "'(empty)'", {.missing = {"NA"}}},
        MalformedTable{"ControlCharacters", "x,t\n\x1B[31m\x07,a\n", "not a number", "'\\x1b[31m\\x07'"},
        MalformedTable{"LongCell", "x,t\n" + std::string(500, 'y') + ",a\n", "not a number", "yyy...'"},
        MalformedTable{"TenMegabytes", "x,t\n1,a\n" + megabytes + ",a\n", "a cell has more than 1048576 bytes",
                       "bad.csv:3: column 'x': 'aaa"}),
    [](const auto& test_case) { return test_case.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Texts, MalformedCsv,
    testing::Values(
        MalformedTable{"Latin1", "x,t\n1,M\xFCller\n", "a text is not UTF-8", "bad.csv:2: column 't': 'M\\xfcller'"},
        MalformedTable{"Latin1BehindManyRows", table_of_100("1,\xE9"), "a text is not UTF-8", "bad.csv:52: column 't'"},
        MalformedTable{"Latin1InQuotes", "x,t\n1,\"a \"\"\xFC\"\"\"\n", "a text is not UTF-8", "bad.csv:2: column 't'"},
        MalformedTable{"Surrogate", "x,t\n1,\xED\xA0\x80\n", "a text is not UTF-8", "bad.csv:2: column 't'"},
        MalformedTable{"CutCharacter", "x,t\n1,a\xE2\x82\n", "a text is not UTF-8", "bad.csv:2: column 't'"},
        MalformedTable{"NulInAText", "x,t\n1,a\n2,b\0c\n"s, "has a NUL byte", "bad.csv:3"},
        MalformedTable{"NulInANumber", "x,t\n1\0,a\n"s, "has a NUL byte", "bad.csv:2"},
        MalformedTable{"NulInASkippedColumn", "x,t,z\n1,a,\0\n"s, "has a NUL byte", "bad.csv:2"},
        MalformedTable{"NulBehindAnotherFault", "x,t\nabc,a\n2,\0\n"s, "has a NUL byte", "bad.csv:3"},
        MalformedTable{"TenMegabytesOfText", "x,t\n1," + megabytes + "\n2,b\n", "a cell has more than 1048576 bytes",
                       "bad.csv:2: column 't': 'aaa"},
        MalformedTable{"TenMegabytesInASkippedColumn", "x,z,t\n1," + megabytes + ",a\n2,b,c\n",
                       "a cell has more than 1048576 bytes", "bad.csv:2: column 'z'"},
        MalformedTable{"LoneCarriageReturn", "x,t\n1,a\rb\n", "a carriage return without a line feed",
                       "bad.csv:2: column 't': 'a\\x0db"},
        MalformedTable{"LoneCarriageReturnAtTheEnd", "x,t\n1,a\r", "a carriage return without a line feed",
                       "bad.csv:2"},
        MalformedTable{"TwoCarriageReturns", "x,t\n1,a\r\r\n2,b\n", "a carriage return without a line feed",
                       "bad.csv:2"}),
    [](const auto& test_case) { return test_case.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Headers, MalformedCsv,
    testing::Values(
        MalformedTable{"EmptyFile", "", "the table is empty", "bad.csv"},
        MalformedTable{"BlankFile", "\n \r\n\n", "the table is empty", "bad.csv"},
        MalformedTable{"ByteOrderMarkAlone", "\xEF\xBB\xBF", "the table is empty", "bad.csv"},
        MalformedTable{"HeaderOnly", "x,t\n", "a header and no rows", "bad.csv:2"},
        MalformedTable{"HeaderOnlyWithoutALineEnd", "x,t", "a header and no rows", "bad.csv"},
        MalformedTable{"HeaderAndBlankLines", "x,t\r\n\r\n\n", "a header and no rows", "bad.csv:2"},
        MalformedTable{"Utf16", "\xFF\xFE" + utf16("x,t\n1,a\n"), "UTF-16", "bad.csv:1"},
        MalformedTable{"Utf16OtherOrder", "\xFE\xFF\0x\0,"s, "UTF-16", "bad.csv:1"},
        MalformedTable{"Utf16WithoutAMark", utf16("x,t\n1,a\n"), "NUL byte", "bad.csv:1"},
        MalformedTable{"DuplicateName", "x,t,x\n1,a,2\n", "two columns have the same name", "bad.csv:1: column 3: 'x'"},
        MalformedTable{"DuplicateNameBehindBlanks", "x,t, x \n1,a,2\n", "two columns have the same name",
                       "column 3: 'x'"},
        MalformedTable{"EmptyName", "x,,t\n1,2,a\n", "a column has no name", "bad.csv:1: column 2: ''"},
        MalformedTable{"RowNamesOfR", "\"\",\"x\",\"t\"\n\"1\",2,\"a\"\n", "row.names = FALSE", "bad.csv:1: column 1"},
        MalformedTable{"NameNotUtf8", "x,t,\xFC\n1,a,2\n", "name of a column is not UTF-8", "column 3: '\\xfc'"},
        MalformedTable{"MissingColumn", "x,text\n1,a\n", "no column 't'", "its columns: x, text"},
        MalformedTable{"NearlyThatColumn", "x,T\n1,a\n", "no column 't'", "did you mean 'T'?"},
        MalformedTable{"NoHeader", "1,2\n3,4\n", "no column 'x'", "its columns: 1, 2"},
        MalformedTable{"OtherDelimiter", "x|t\n1|a\n", "does not have the delimiter ','", "format to '|'"},
        MalformedTable{"OtherDelimiterThanGiven",
                       "x;t\n1;a\n",
                       "does not have the delimiter ','",
                       "format to ';'",
                       {.delimiter = ","}},
        MalformedTable{"OldLineEnds", "x,t\r1,a\r2,b\r", "a carriage return without a line feed",
                       "bad.csv:1: 't\\x0d1,a"},
        MalformedTable{"QuoteNotClosedInTheHeader", "x,\"t\n1,a\n", "a quoted cell is not closed", "bad.csv:1: '\"t"},
        MalformedTable{"QuoteInAName", "x,t\"\n1,a\n", "a quote stands inside of a cell", "bad.csv:1: 't\""},
        MalformedTable{"TenMegabytesOfAName", "x,t," + megabytes + "\n1,a,2\n", "a cell has more than 1048576 bytes",
                       "bad.csv:1"},
        MalformedTable{"BinaryFile",
                       "\x7F"
                       "ELF\x02\x01\0\0\n"s,
                       "NUL byte", "bad.csv:1"}),
    [](const auto& test_case) { return test_case.param.name; });

TEST(MalformedCsvFormat, DelimitersThatCannotBeAreConfigErrors) {
  for (const char* delimiter : {"", "ab", "\"", "\n", "1", ".", "-", "x", " ", "\xC3\xA9"})
    if (*delimiter != '\0')
      expect_error<ConfigError>([&] { parse_csv("x,t\n1,a\n", "t", number_and_text, {.delimiter = delimiter}); },
                                {"cannot be the delimiter"});
  expect_error<ConfigError>(
      [&] { parse_csv("x,t\n1,a\n", "t", number_and_text, {.delimiter = ",", .decimal_comma = true}); },
      {"a comma cannot separate both"});
}

// Tables that are odd, but are tables.
TEST(OddCsv, AHundredThousandLevels) {
  std::string text = "x,t\n";
  for (int k = 0; k < 200'000; ++k) text += "1,level " + std::to_string((k * 7919) % 100'000) + "\n";
  for (const std::size_t threads : {1U, 4U}) {
    const Table table = parse_csv(text, "t", number_and_text, {}, {.chunk_bytes = 100'000, .threads = threads});
    ASSERT_EQ(table.columns[1].texts.size(), 100'000U);
    for (std::size_t row = 0; row < table.rows; row += 997)
      ASSERT_EQ(table.columns[1].texts[static_cast<std::size_t>(table.columns[1].code[row])],
                "level " + std::to_string((static_cast<int>(row) * 7919) % 100'000));
  }
}

TEST(OddCsv, AllCellsMissing) {
  const Table table = parse_csv("x,t\nNA,NA\n,\n?,null\n", "t", number_and_text, {});
  ASSERT_EQ(table.rows, 3U);
  for (const double x : table.columns[0].number) EXPECT_TRUE(std::isnan(x));
  EXPECT_THAT(table.columns[1].code, testing::Each(TableColumn::missing_code));
  EXPECT_TRUE(table.columns[1].texts.empty());
}

TEST(OddCsv, LineEndsOfBothKindsAndLineBreaksOfBothKindsInsideOfQuotes) {
  const Table table = parse_csv("x,t\r\n1,a\n2,\"b\r\nc\"\r\n3,\"d\ne\"\n4,\"f\rg\"", "t", number_and_text, {});
  EXPECT_THAT(table.columns[0].number, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(table.columns[1].texts, testing::ElementsAre("a", "b\r\nc", "d\ne", "f\rg"));
}

TEST(OddCsv, AQuotedCellOfOneMegabyteWithDoubledQuotes) {
  const std::string quotes(1 << 19, '"');
  const Table table = parse_csv("x,t\n1,\"" + quotes + "\"\n", "t", number_and_text, {});
  EXPECT_EQ(table.columns[1].texts.front(), std::string(1 << 18, '"'));
}

TEST(OddCsv, AThousandColumnsOfWhichTheLastIsWanted) {
  std::string header;
  std::string row;
  for (int k = 0; k < 1000; ++k) {
    header += "c" + std::to_string(k) + ",";
    row += std::to_string(k) + ",";
  }
  const std::array last{ColumnRequest{.name = "last"}};
  const Table table = parse_csv(header + "last\n" + row + "7\n" + row + "8", "t", last, {});
  EXPECT_THAT(table.columns[0].number, testing::ElementsAre(7, 8));
}

}  // namespace
}  // namespace driftless
