// One line per kind of broken file: the message must say what is wrong, where, and show the token.
#include "driftless/data/libsvm/libsvm_reader.hpp"

#include "tests/support/expect_error.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

struct Malformed {
  std::string name;
  std::string text;
  std::string what;      // fragment
  std::string location;  // file:line and token
};

class MalformedLibsvm : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedLibsvm, IsRejectedWithWhatAndWhere) {
  const Malformed& file = GetParam();
  expect_error<DataError>([&] { parse_libsvm(file.text, "bad.svm"); }, {file.what, file.location});
}

INSTANTIATE_TEST_SUITE_P(
    Table, MalformedLibsvm,
    testing::Values(
        Malformed{"IndexZero", "1 1:1\n-1 0:2\n", "has index 0", "bad.svm:2: '0:2'"},
        Malformed{"NegativeIndex", "1 -3:2\n", "index is negative", "bad.svm:1: '-3:2'"},
        Malformed{"FallingIndex", "1 2:1 1:1\n", "do not rise (the one before is 2)", "bad.svm:1: '1:1'"},
        Malformed{"RepeatedIndex", "1 2:1 2:5\n", "repeated", "bad.svm:1: '2:5'"},
        Malformed{"RepeatedIndexOfAZero", "1 2:0 2:5\n", "repeated", "bad.svm:1: '2:5'"},
        Malformed{"MissingColon", "1 2:1 3\n", "not written as index:value", "bad.svm:1: '3'"},
        Malformed{"SpaceBeforeColon", "1 2 :1\n", "not written as index:value", "bad.svm:1: '2'"},
        Malformed{"MissingIndex", "1 :1\n", "not a whole number", "bad.svm:1: ':1'"},
        Malformed{"MissingValue", "1 1:\n", "not a number", "bad.svm:1: '1:'"},
        Malformed{"FractionalIndex", "1 1.5:1\n", "not a whole number", "bad.svm:1: '1.5:1'"},
        Malformed{"NamedIndex", "1 qid:3 1:1\n", "not a whole number", "bad.svm:1: 'qid:3'"},
        Malformed{"WordAsValue", "1 1:abc\n", "feature value is not a number", "bad.svm:1: '1:abc'"},
        Malformed{"ValueWithTail", "1 1:2x\n", "feature value is not a number", "bad.svm:1: '1:2x'"},
        Malformed{"TwoColons", "1 1:2:3\n", "feature value is not a number", "bad.svm:1: '1:2:3'"},
        Malformed{"DecimalComma", "1 1:0,5\n", "feature value is not a number", "bad.svm:1: '1:0,5'"},
        Malformed{"DoubleSign", "1 1:+-5\n", "feature value is not a number", "bad.svm:1: '1:+-5'"},
        Malformed{"NanValue", "1 1:nan\n", "feature value is not finite", "bad.svm:1: '1:nan'"},
        Malformed{"InfiniteValue", "1 1:-inf\n", "feature value is not finite", "bad.svm:1: '1:-inf'"},
        Malformed{"HugeValue", "1 1:1e999\n", "outside the range", "bad.svm:1: '1:1e999'"},
        Malformed{"WordAsLabel", "yes 1:1\n", "label is not a number", "bad.svm:1: 'yes'"},
        Malformed{"FeatureAsLabel", "1:1 2:1\n", "label is not a number", "bad.svm:1: '1:1'"},
        Malformed{"SeveralLabels", "1,2 2:1\n", "label is not a number", "bad.svm:1: '1,2'"},
        Malformed{"NanLabel", "NaN 1:1\n", "label is not finite", "bad.svm:1: 'NaN'"},
        Malformed{"InfiniteLabel", "+inf 1:1\n", "label is not finite", "bad.svm:1: '+inf'"},
        Malformed{"IndexOverTheLimit", "1 2147483647:1\n", "index is too large", "bad.svm:1: '2147483647:1'"},
        Malformed{"IndexBeyondEveryInteger", "1 99999999999999999999:1\n", "index is too large", "bad.svm:1:"},
        Malformed{"EmptyFile", "", "no rows", "bad.svm"},
        Malformed{"OnlyComments", "# a\n\n # b\n", "no rows", "bad.svm"},
        Malformed{"NoFeatureAnywhere", "1\n-1\n", "no row has a feature", "bad.svm"},
        Malformed{"BinaryGarbage",
                  std::string("\x7F"
                              "ELF\x02\0\x01",
                              7),
                  "not LIBSVM text", "bad.svm:1: '\\x7fELF\\x02\\x00"},
        Malformed{"BinaryInAValue", "1 1:1\n-1 1:\xC3\xA9\n", "not LIBSVM text", "bad.svm:2: '1:\\xc3\\xa9'"},
        Malformed{"CsvFile", "label,x,y\n1,2,3\n", "label is not a number", "bad.svm:1: 'label,x,y'"},
        Malformed{"LongToken", "1 1:" + std::string(500, 'y') + "\n", "not a number", "yyy...'"}),
    [](const auto& test_case) { return test_case.param.name; });

}  // namespace
}  // namespace driftless
