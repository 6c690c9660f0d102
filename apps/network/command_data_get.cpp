// driftless data get
#include "driftless/console/progress.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/known_data.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/output_file.hpp"

#include "apps/command_line.hpp"
#include "apps/network/download.hpp"
#include "apps/signals.hpp"

#include <bzlib.h>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

struct DataGetRequest {
  std::string name;
  std::string from;    // an address instead of the publisher's
  std::string sha256;  // a digest of the plain text instead of the known one
  bool list = false;   // show the known data sets
  Format format = Format::text;
};

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t no_limit = std::uint64_t{1} << 32;  // bytes; larger sets do not fit into memory well

std::optional<fs::path> present(std::string_view name) {
  try {
    return find_data(std::string(name));
  } catch (const DataError&) { return std::nullopt; }
}

void list_known(Format format) {
  std::vector<std::vector<std::string>> lines{{"name", "size", "digest", "here"}};
  Json sets = Json::array();
  for (const KnownData& data : known_data()) {
    const std::optional<fs::path> here = present(data.name);
    lines.push_back({std::string(data.name), bytes_text(static_cast<double>(data.bytes)),
                     data.confirmed ? "several copies" : "one copy", here ? here->string() : "-"});
    sets.push_back({{"name", data.name},
                    {"bytes", data.bytes},
                    {"sha256", data.sha256},
                    {"confirmed", data.confirmed},
                    {"url", data.url()},
                    {"file", here ? Json(here->string()) : Json(nullptr)}});
  }
  if (format == Format::json) fmt::print("{}\n", Json{{"schema_version", 1}, {"data", std::move(sets)}}.dump(2));
  else fmt::print("{}", aligned(lines, {0, 2, 3}));
}

// What is to be fetched.
struct Wanted {
  std::string name;
  std::string url;
  std::string sha256;     // of the plain text
  std::uint64_t most;     // bytes of the plain text
  bool confirmed = true;  // the digest was confirmed by several copies
};

[[noreturn]] void throw_unknown(const std::string& name) {
  if (name == "fashion-mnist")
    throw DataError({.what = "Fashion-MNIST is not downloaded: it is a Debian package",
                     .seen = "data get " + name,
                     .advice = "apt-get install dataset-fashion-mnist"});
  std::vector<std::string> names;
  for (const KnownData& data : known_data()) names.emplace_back(data.name);
  const std::string near = nearest(name, names);
  throw DataError({.what = "there is no known data set '" + name + "'",
                   .seen = "data get " + name,
                   .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") +
                             "'driftless data get --list' shows those there are; others need --from and "
                             "--sha256"});
}

void check_digest(const std::string& digest) {
  const bool hex = digest.size() == 64 && digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (digest.empty() || hex) return;
  throw ConfigError({.what = "this is no sha256 digest",
                     .seen = "--sha256 " + digest,
                     .advice = "give 64 digits 0-9a-f, as sha256sum prints them"});
}

// An unknown data set needs an address and a digest.
Wanted wanted(const DataGetRequest& request) {
  check_digest(request.sha256);
  if (const KnownData* known = find_known_data(request.name))
    return {.name = request.name,
            .url = request.from.empty() ? known->url() : request.from,
            .sha256 = request.sha256.empty() ? std::string(known->sha256) : request.sha256,
            .most = request.sha256.empty() ? known->bytes : no_limit,
            .confirmed = known->confirmed || !request.sha256.empty()};
  const bool file_name = request.name.find('/') == std::string::npos && request.name.front() != '.';
  if (request.from.empty() || request.sha256.empty() || !file_name) throw_unknown(request.name);
  return {.name = request.name, .url = request.from, .sha256 = request.sha256, .most = no_limit};
}

fs::path cache_folder() {
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0')
    throw ConfigError({.what = "there is no folder for downloads",
                       .seen = "environment HOME is not set",
                       .advice = "set HOME; data goes to ~/.cache/driftless"});
  const fs::path folder = fs::path(home) / ".cache" / "driftless";
  std::error_code error;
  fs::create_directories(folder / "partial", error);
  if (error)
    throw DataError({.what = "the folder for downloads cannot be made",
                     .seen = folder.string() + ": " + error.message(),
                     .advice = "make sure that it may be written to"});
  return folder;
}

std::string raw_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// None if it is not a complete stream of at most so many bytes.
std::optional<std::string> unpack_bzip2(std::string packed, std::uint64_t most) {
  bz_stream stream{};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) return std::nullopt;
  stream.next_in = packed.data();
  stream.avail_in = static_cast<unsigned int>(packed.size());
  std::string plain;
  std::string chunk(std::size_t{1} << 20, '\0');
  int code = BZ_OK;
  while (code == BZ_OK && plain.size() <= most) {
    stream.next_out = chunk.data();
    stream.avail_out = static_cast<unsigned int>(chunk.size());
    code = BZ2_bzDecompress(&stream);
    const std::size_t made = chunk.size() - stream.avail_out;
    if (code == BZ_OK && made == 0) break;  // truncated
    plain.append(chunk, 0, made);
  }
  BZ2_bzDecompressEnd(&stream);
  return code == BZ_STREAM_END && plain.size() <= most ? std::optional(std::move(plain)) : std::nullopt;
}

// The plain text of the downloaded file, if it is the data set.
std::optional<std::string> verified(const fs::path& file, const Wanted& data, std::string& seen) {
  std::optional<std::string> plain = raw_bytes(file);
  if (plain->starts_with("BZh")) plain = unpack_bzip2(std::move(*plain), data.most);
  const std::string digest = plain ? sha256(*plain) : "";
  seen = plain ? "sha256 " + digest : "a damaged bzip2 stream";
  return digest == data.sha256 ? plain : std::nullopt;
}

[[noreturn]] void throw_wrong(const Wanted& data, const std::string& seen) {
  throw DataError({.what = "the downloaded file is not the data set and was removed",
                   .seen = fmt::format("{}: {}, expected sha256 {}", data.url, seen, data.sha256),
                   .advice = data.confirmed ? "try again, or give another address with --from URL"
                                            : "the expected digest is that of one copy and may differ from the "
                                              "publisher's file; if you trust what it serves, give its digest with "
                                              "--sha256"});
}

// The file, or none where a signal ended the download.
std::optional<fs::path> fetch(const Wanted& data) {
  const fs::path folder = cache_folder();
  const fs::path partial = folder / "partial" / data.name;
  const Download request{.url = data.url,
                         .partial = partial,
                         .most = data.most,
                         .progress = progress_wanted(),
                         .stop_token = received_signal};
  std::error_code ignored;
  // A second attempt only if the first one continued a partial file, which may be of another origin.
  for (bool continued = fs::exists(partial, ignored) && !fs::is_empty(partial, ignored);; continued = false) {
    if (download(request) == Fetched::stopped) return std::nullopt;
    std::string seen;
    const std::optional<std::string> text = verified(partial, data, seen);
    fs::remove(partial, ignored);
    if (text) {
      write_output_file(folder / data.name, *text);
      return folder / data.name;
    }
    if (!continued) throw_wrong(data, seen);
  }
}

void print_got(const Wanted& data, const fs::path& file, bool fetched, Format format) {
  if (format == Format::json)
    return fmt::print("{}\n", Json{{"schema_version", 1},
                                   {"name", data.name},
                                   {"file", file.string()},
                                   {"sha256", data.sha256},
                                   {"downloaded", fetched}}
                                  .dump(2));
  fmt::print("{} {} {}\n", data.name, fetched ? "is now in" : "is already in", file.string());
}

ExitCode data_get(const DataGetRequest& request) {
  if (request.list) {
    list_known(request.format);
    return ExitCode::done;
  }
  if (request.name.empty())
    throw ConfigError({.what = "no data set was named",
                       .seen = "data get",
                       .advice = "give a name; 'driftless data get --list' shows those there are"});
  const Wanted data = wanted(request);
  if (const std::optional<fs::path> here = present(data.name)) {
    print_got(data, *here, false, request.format);
    return ExitCode::done;
  }
  record_signals();
  const std::optional<fs::path> file = fetch(data);
  if (!file) return exit_code_of(received_signal());
  print_got(data, *file, true, request.format);
  return ExitCode::done;
}

}  // namespace

void declare_data_get(CLI::App& command, Action& action) {
  const auto request = std::make_shared<DataGetRequest>();
  command.add_option("NAME", request->name, "a known data set, such as a9a");
  command.add_option("--from", request->from, "fetch it from this address instead of its publisher's")
      ->type_name("URL");
  command
      .add_option("--sha256", request->sha256, "digest of the plain text, for a set or an edition that is not known")
      ->type_name("HEX");
  command.add_flag("--list", request->list, "show the known data sets, their sizes and which are here");
  add_format(command, request->format);
  command.footer("Example:\n  driftless data get a9a");
  command.callback([&action, request] { action = [request] { return data_get(*request); }; });
}

}  // namespace driftless::app
