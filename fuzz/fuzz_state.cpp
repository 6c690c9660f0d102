// A saved state. The first byte says whether the rest is a whole file, or what stands between the head of the file and
// its digest: no input would ever get past the digest by itself.
#include "driftless/checkpoints/state_file.hpp"
#include "driftless/files/digest.hpp"

#include "fuzz/input.hpp"

namespace driftless::fuzz {
namespace {

const StateOwner owner{.config_digest = "0123abc", .clients = 3, .hosted = {0, 2}, .label = "gd"};

std::string framed(std::string_view body) {
  constexpr std::size_t head_size = 20;
  constexpr std::size_t digest_size = 64;
  std::string file("DRIFTLSS\2\0\0\0", 12);
  const std::uint64_t size = head_size + body.size() + digest_size;
  for (std::size_t k = 0; k < sizeof size; ++k) file.push_back(static_cast<char>(size >> (8 * k) & 0xff));
  file += body;
  return file + sha256(file);
}

void read(std::string file) {
  StateReader reader(std::move(file), "state.bin", owner);
  Vector v;
  std::string text;
  double number = 0.0;
  std::uint64_t count = 0;
  PerClient<Vector> vectors;
  PerClient<double> numbers;
  PerClient<std::uint64_t> counts;
  reader.section("s");
  reader.text("t", text);
  reader.vector("v", v);
  reader.number("n", number);
  reader.count("c", count);
  reader.per_client("vs", vectors);
  reader.per_client("ns", numbers);
  reader.per_client("cs", counts);
  reader.finish();
  require(vectors.hosted().size() == 2 && numbers.hosted().size() == 2 && counts.hosted().size() == 2);
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  if (size == 0) return 0;
  const std::string_view rest = fuzz::text_of(data, size).substr(1);
  fuzz::may_throw<DataError>([&] { fuzz::read(data[0] % 2 == 0 ? std::string(rest) : fuzz::framed(rest)); });
  return 0;
}
