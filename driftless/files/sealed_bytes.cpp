#include "driftless/files/sealed_bytes.hpp"

#include "driftless/files/digest.hpp"

namespace driftless {
namespace {

constexpr std::size_t digest_size = 64;

}  // namespace

std::string sealed(std::string_view kind, std::string_view origin, std::string_view content) {
  std::string bytes;
  bytes.reserve(kind.size() + origin.size() + content.size() + digest_size);
  ((bytes += kind) += origin) += content;
  return bytes += sha256(bytes);
}

UnsealedBytes unseal(std::string_view bytes, std::string_view kind, std::string_view origin) {
  const auto fault = [](const char* what) { return UnsealedBytes{.content = {}, .fault = what}; };
  const std::size_t head = kind.size() + origin.size();
  if (bytes.size() < head + digest_size || !bytes.starts_with(kind))
    return fault("it is truncated, of another version or another kind of file");
  const std::string_view body = bytes.substr(0, bytes.size() - digest_size);
  if (sha256(body) != bytes.substr(body.size())) return fault("its digest does not match its content");
  if (body.substr(kind.size(), origin.size()) != origin) return fault("it belongs to another problem or file");
  return {.content = body.substr(head), .fault = ""};
}

std::string_view ByteReader::text(std::size_t size) {
  whole_ = whole_ && size <= rest_.size();
  if (!whole_) return {};
  const std::string_view front = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return front;
}

}  // namespace driftless
