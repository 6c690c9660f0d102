#include "driftless/files/input_file.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk_bytes = std::size_t{1} << 17;

[[noreturn]] void fail(const fs::path& path, std::string what, const std::string& reason, std::string advice) {
  throw DataError({.what = std::move(what),
                   .seen = reason.empty() ? path.string() : path.string() + ": " + reason,
                   .advice = std::move(advice)});
}

[[noreturn]] void fail_cut_short(const fs::path& path, const std::string& format) {
  fail(path, "the file ends in the middle of its " + format + " stream", "cut short", "fetch or copy the file again");
}

[[noreturn]] void fail_damaged(const fs::path& path, const std::string& format, const char* reason) {
  fail(path, "the " + format + " stream of the file is damaged", reason != nullptr ? reason : "cannot be unpacked",
       "fetch or copy the file again");
}

void require_readable_kind(const fs::path& path) {
  std::error_code error;
  const fs::file_type kind = fs::status(path, error).type();
  if (kind == fs::file_type::not_found)
    fail(path, "the file does not exist", "", "check the spelling and the current folder");
  if (kind == fs::file_type::directory) fail(path, "a file was expected, this is a folder", "", "name one file in it");
  if (kind == fs::file_type::none) fail(path, "the file cannot be read", error.message(), "check its permissions");
}

std::string read_bytes(const fs::path& path) {
  require_readable_kind(path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  std::string chunk(chunk_bytes, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  const std::string reason = std::generic_category().message(errno);
  if (!file.eof()) fail(path, "the file cannot be read", reason, "check its permissions");
  return bytes;
}

std::string unpack_zstd(std::string_view packed, const fs::path& path) {
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  DRIFTLESS_ASSERT(context, "zstd is not available");
  // Files compressed with --long need a larger window than zstd accepts by default.
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);

  std::string plain;
  std::string chunk(chunk_bytes, '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t missing = 1;  // 0 at the end of a frame; more frames may follow
  while (in.pos < in.size || missing != 0) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t before = in.pos;
    missing = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(missing) != 0) fail_damaged(path, "zstd", ZSTD_getErrorName(missing));
    plain.append(chunk.data(), out.pos);
    if (missing != 0 && in.pos == before && out.pos == 0) fail_cut_short(path, "zstd");
  }
  return plain;
}

// Some programs fill the last block of a gzip file with zero bytes.
bool only_padding(std::string_view rest) { return rest.find_first_not_of('\0') == std::string_view::npos; }

std::string unpack_gzip(std::string_view packed, const fs::path& path) {
  constexpr int gzip_only = 15 + 16;
  z_stream stream{};
  DRIFTLESS_ASSERT(inflateInit2(&stream, gzip_only) == Z_OK, "zlib is not available");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ender(&stream, inflateEnd);

  std::string plain;
  std::string chunk(chunk_bytes, '\0');
  for (std::size_t used = 0;;) {
    const auto given = static_cast<uInt>(std::min<std::size_t>(packed.size() - used, std::size_t{1} << 30));
    stream.next_in = reinterpret_cast<const Bytef*>(packed.data() + used);
    stream.avail_in = given;
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    used += given - stream.avail_in;
    plain.append(chunk.data(), chunk.size() - stream.avail_out);
    if (status == Z_BUF_ERROR) fail_cut_short(path, "gzip");  // there was room for output, so input is missing
    if (status != Z_OK && status != Z_STREAM_END) fail_damaged(path, "gzip", stream.msg);
    if (status == Z_STREAM_END) {
      if (only_padding(packed.substr(used))) return plain;
      inflateReset(&stream);
    }
  }
}

bool is_zstd(std::string_view bytes) {
  if (bytes.starts_with("\x28\xB5\x2F\xFD")) return true;
  // A skippable frame may come first: parallel compressors write one before each data frame.
  return bytes.size() >= 4 && bytes[0] >= '\x50' && bytes[0] <= '\x5F' && bytes.substr(1, 3) == "\x2A\x4D\x18";
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

void reject_other_compressions(std::string_view bytes, const fs::path& path) {
  if (bytes.starts_with("BZh"))
    fail(path, "files compressed with bzip2 are not supported", "", "decompress it with bunzip2 first");
  if (bytes.starts_with(std::string_view("\xFD"
                                         "7zXZ\0",
                                         6)))
    fail(path, "files compressed with xz are not supported", "", "decompress it with unxz first");
}

}  // namespace

InputFile::InputFile(fs::path path) : path_(std::move(path)), mapped_(path_) {
  if (mapped_.bytes().empty()) read_ = read_bytes(path_);
  reject_other_compressions(stored(), path_);
}

std::string_view InputFile::stored() const { return mapped_.bytes().empty() ? read_ : mapped_.bytes(); }

bool InputFile::packed() const { return is_zstd(stored()) || is_gzip(stored()); }

std::string InputFile::unpacked() const {
  return is_zstd(stored()) ? unpack_zstd(stored(), path_) : unpack_gzip(stored(), path_);
}

std::string_view InputFile::plain() {
  if (!packed()) return stored();
  if (plain_.empty()) plain_ = unpacked();
  return plain_;
}

std::string read_input_file(const fs::path& path) {
  InputFile file(path);
  if (file.packed()) return file.unpacked();
  return file.read_.empty() ? std::string(file.stored()) : std::move(file.read_);
}

}  // namespace driftless
