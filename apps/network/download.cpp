#include "apps/network/download.hpp"

#include "driftless/console/terminal.hpp"
#include "driftless/console/text_table.hpp"

#include <array>
#include <cstdio>
#include <curl/curl.h>
#include <fmt/format.h>
#include <memory>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;

constexpr long http_range_unsatisfiable = 416;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct CleanUp {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

std::uint64_t size_of(const fs::path& file) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file, none);
  return none ? 0 : size;
}

class Attempt {
 public:
  Attempt(const Download& request, std::uint64_t from) : request_(request), size_(from), handle_(curl_easy_init()) {
    file_.reset(std::fopen(request.partial.c_str(), from == 0 ? "wb" : "ab"));
    if (!file_) fail_to_write();
    if (!handle_) throw TransportError({.what = "downloads are not possible here", .seen = "libcurl", .advice = ""});
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 5L);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, 15L);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);  // a byte a second …
    set(CURLOPT_LOW_SPEED_TIME, 30L);  // … for so long is a dead connection
    set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(from));
    set(CURLOPT_WRITEFUNCTION, &Attempt::on_bytes);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Attempt::on_progress);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_ERRORBUFFER, reason_.data());
  }

  CURLcode run() {
    const CURLcode code = curl_easy_perform(handle_.get());
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status_);
    if (request_.progress) clear_line();
    if (std::fclose(file_.release()) != 0) write_failed_ = true;
    if (write_failed_) fail_to_write();
    if (too_much_)
      throw DataError({.what = "the server sends more than the data set has",
                       .seen = fmt::format("{}: more than {}", request_.url, bytes_text(double(request_.most))),
                       .advice = "check the address, or give another one with --from URL"});
    return code;
  }

  long status() const { return status_; }
  bool stopped() const { return stopped_; }
  std::string reason(CURLcode code) const {
    return reason_.front() != '\0' ? reason_.data() : curl_easy_strerror(code);
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(handle_.get(), option, value);
  }

  [[noreturn]] void fail_to_write() const {
    throw DataError({.what = "the download cannot be written",
                     .seen = request_.partial.string(),
                     .advice = "make sure that the folder may be written to and has room"});
  }

  static std::size_t on_bytes(char* bytes, std::size_t one, std::size_t count, void* self) {
    auto& attempt = *static_cast<Attempt*>(self);
    attempt.size_ += one * count;
    attempt.too_much_ = attempt.size_ > attempt.request_.most;
    if (attempt.too_much_) return 0;
    const std::size_t written = std::fwrite(bytes, one, count, attempt.file_.get());
    attempt.write_failed_ = written != count;
    return written;
  }

  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& attempt = *static_cast<Attempt*>(self);
    const Download& request = attempt.request_;
    constexpr std::uint64_t step = std::uint64_t{1} << 16;
    if (request.progress && attempt.size_ >= attempt.shown_ + step) {
      show_line(fmt::format("{}: {}", request.url, bytes_text(static_cast<double>(attempt.size_))));
      attempt.shown_ = attempt.size_;
    }
    attempt.stopped_ = request.stop_token.stop_requested();
    return attempt.stopped_ ? 1 : 0;  // anything but 0 ends the transfer
  }

  const Download& request_;
  std::uint64_t size_;
  std::uint64_t shown_ = 0;  // size on the progress line
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::unique_ptr<CURL, CleanUp> handle_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  long status_ = 0;
  bool too_much_ = false;
  bool write_failed_ = false;
  bool stopped_ = false;
};

[[noreturn]] void fail(const Download& request, const std::string& reason, std::uint64_t have) {
  const std::string kept =
      have == 0 ? "" : fmt::format("; {} are kept and the next attempt continues there", bytes_text(double(have)));
  throw TransportError({.what = "the data could not be downloaded",
                        .seen = request.url + ": " + reason,
                        .advice = "check the network, or give another address with --from URL" + kept});
}

}  // namespace

Fetched download(const Download& request) {
  bool ranges = true;  // until the server turns out not to support them
  for (;;) {
    const std::uint64_t before = ranges ? size_of(request.partial) : 0;
    Attempt attempt(request, before);
    const CURLcode code = attempt.run();
    if (code == CURLE_OK) return Fetched::whole;
    if (attempt.stopped()) return Fetched::stopped;
    // The server has no further bytes; the digest decides whether the file is complete.
    if (before > 0 && attempt.status() == http_range_unsatisfiable) return Fetched::whole;
    if (before > 0 && code == CURLE_RANGE_ERROR) {
      ranges = false;
      continue;
    }
    const std::uint64_t after = size_of(request.partial);
    if (!ranges || after <= before) fail(request, attempt.reason(code), after);
  }
}

}  // namespace driftless::app
