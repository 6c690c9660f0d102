// The format of a checkpoint: variables are read back to the bit, and every altered file is rejected.
#include "driftless/checkpoints/state_file.hpp"

#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

const StateOwner owner{.config_digest = "0123abc", .clients = 7, .hosted = {1, 4, 6}, .label = "fedred-gd"};
constexpr std::size_t digest_size = 64;

struct Variables {
  Vector v = Vector::LinSpaced(5, -1.0, 1.0 / 3.0);
  Vector none;
  double number = -0.0;
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
  PerClient<Vector> vectors{3, Vector::Constant(2, std::numeric_limits<double>::denorm_min())};
  PerClient<double> numbers{3, std::numeric_limits<double>::infinity()};
  PerClient<std::uint64_t> counts{3, 12};
  std::string text = "0a1b";

  template <class Archive>
  void visit(Archive& archive) {
    archive.section("first");
    archive.vector("v", v);
    archive.vector("none", none);
    archive.number("number", number);
    archive.section("second");
    archive.count("count", count);
    archive.per_client("vectors", vectors);
    archive.per_client("numbers", numbers);
    archive.per_client("counts", counts);
    archive.text("text", text);
  }
};

std::string written(Variables& variables, const StateOwner& whose = owner) {
  StateWriter writer(whose);
  variables.visit(writer);
  return writer.finish();
}

std::string written(const StateOwner& whose = owner) {
  Variables variables;
  variables.vectors.hosted()[1] = Vector();  // clients may have vectors of different size
  return written(variables, whose);
}

Variables read(const std::string& bytes, const StateOwner& whose = owner) {
  StateReader reader(bytes, "folder/state.bin", whose);
  Variables variables{.v = {},
                      .none = Vector::Ones(4),
                      .number = 1.0,
                      .count = 0,
                      .vectors = {},
                      .numbers = {},
                      .counts = {},
                      .text = {}};
  variables.visit(reader);
  reader.finish();
  return variables;
}

// With a matching digest, for alterations that the digest would reveal.
std::string signed_again(std::string bytes) {
  bytes.resize(bytes.size() - digest_size);
  return bytes + sha256(bytes);
}

void expect_rejected(const std::string& bytes, std::initializer_list<std::string> fragments,
                     const StateOwner& whose = owner) {
  expect_error<DataError>([&] { read(bytes, whose); }, fragments);
}

TEST(StateFile, ReadsBackWhatWasWritten) {
  const Variables back = read(written());
  const Variables original;
  EXPECT_TRUE(back.v == original.v);
  EXPECT_EQ(back.none.size(), 0);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(back.number), std::bit_cast<std::uint64_t>(-0.0));
  EXPECT_EQ(back.count, original.count);
  ASSERT_EQ(back.vectors.hosted().size(), 3U);
  EXPECT_TRUE(back.vectors.hosted()[0] == original.vectors.hosted()[0]);
  EXPECT_EQ(back.vectors.hosted()[1].size(), 0);
  EXPECT_EQ(back.numbers.hosted(), original.numbers.hosted());
  EXPECT_EQ(back.counts.hosted(), original.counts.hosted());
  EXPECT_EQ(back.text, original.text);
}

TEST(StateFile, IsLittleEndianWithMagicVersionAndSize) {
  const std::string bytes = written();
  EXPECT_EQ(bytes.substr(0, 12), std::string("DRIFTLSS\2\0\0\0", 12));
  EXPECT_EQ(static_cast<unsigned char>(bytes[12]) + 256U * static_cast<unsigned char>(bytes[13]), bytes.size());
}

TEST(StateFile, EveryTruncationIsRejected) {
  const std::string bytes = written();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(read(bytes.substr(0, size)), DataError) << size << " bytes";
  expect_rejected(bytes.substr(0, bytes.size() - 1), {"truncated", "folder/state.bin", "remove the file"});
  expect_rejected(bytes + "x", {"damaged"});
}

TEST(StateFile, EveryFlippedBitIsRejected) {
  const std::string bytes = written();
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (const int bit : {0, 7}) {
      std::string flipped = bytes;
      flipped[k] = static_cast<char>(flipped[k] ^ (1 << bit));
      EXPECT_THROW(read(flipped), DataError) << "byte " << k;
    }
}

// With a digest that fits, a byte of a number or a text may be any byte. All others decide how the file is read.
TEST(StateFile, AnAlteredByteIsRejectedOrReadAsTheValueItStandsFor) {
  const std::string bytes = written();
  std::size_t rejected = 0;
  std::size_t read_as_values = 0;
  for (std::size_t k = 0; k + digest_size < bytes.size(); ++k)
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      if (bytes[k] == value) continue;
      std::string altered = bytes;
      altered[k] = value;
      altered = signed_again(altered);
      try {
        Variables variables = read(altered);
        EXPECT_TRUE(written(variables) == altered) << "byte " << k << " was not used";
        ++read_as_values;
      } catch (const DataError&) { ++rejected; }
    }
  EXPECT_GT(rejected, 0U);
  EXPECT_GT(read_as_values, 0U);
}

TEST(StateFile, AnotherFormatVersionIsRejected) {
  std::string bytes = written();
  bytes[8] = 9;
  expect_rejected(signed_again(bytes), {"another format", "version 9", "reads version 2"});
}

TEST(StateFile, OtherFilesAreRejected) {
  expect_rejected("", {"not a checkpoint"});
  expect_rejected(std::string(1000, 'x'), {"not a checkpoint", "folder/state.bin"});
}

TEST(StateFile, TheCheckpointOfAnotherOwnerIsRejected) {
  StateOwner other = owner;
  other.config_digest = "0123abd";
  expect_rejected(written(), {"another configuration"}, other);
  other = owner;
  other.hosted = {1, 4, 5};
  expect_rejected(written(), {"other clients", "3 of 7"}, other);
  other.hosted = {1, 4};
  expect_rejected(written(), {"other clients", "3 of 7", "here are 2 of 7"}, other);
  other = owner;
  other.clients = 8;
  expect_rejected(written(), {"other clients", "here are 3 of 8"}, other);
  other = owner;
  other.label = "dane+";
  expect_rejected(written(), {"another method", "'fedred-gd', not 'dane+'"}, other);
}

TEST(StateFile, OtherVariablesAreRejected) {
  StateWriter writer(owner);
  double number = 1.0;
  writer.number("a", number);
  const std::string bytes = writer.finish();
  const auto reading = [&](const auto& body) {
    return [&, body] {
      StateReader reader(bytes, "state.bin", owner);
      body(reader);
      reader.finish();
    };
  };
  EXPECT_NO_THROW(reading([&](StateReader& reader) { reader.number("a", number); })());
  std::uint64_t count = 0;
  expect_error<DataError>(reading([&](StateReader& reader) { reader.number("b", number); }), {"'a' instead of 'b'"});
  expect_error<DataError>(reading([&](StateReader& reader) { reader.count("a", count); }), {"other variables"});
  expect_error<DataError>(reading([](StateReader&) {}), {"more variables than this method"});
}

}  // namespace
}  // namespace driftless
