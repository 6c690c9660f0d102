// A configuration. What is accepted is echoed, and the echo is a configuration that echoes itself.
#include "driftless/experiments/run_config.hpp"

#include "fuzz/input.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  fuzz::may_throw<Error>([&] {
    const RunConfig config = parse_config(fuzz::text_of(data, size), "input", Paths::as_written);
    const std::string echo = canonical_text(config);
    try {
      fuzz::require(canonical_text(parse_config(echo, "input", Paths::as_written)) == echo);
    } catch (const Error&) { fuzz::require(false); }
  });
  return 0;
}
