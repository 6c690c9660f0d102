#include "driftless/secure_sum/send_log.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <cstdio>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace driftless {
namespace {

std::string hex_of(const Secret& secret) {
  std::string hex;
  for (const unsigned char byte : secret) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", byte);
    hex += digits.data();
  }
  return hex;
}

bool read_hex(const std::string& hex, Secret& secret) {
  if (hex.size() != 2 * secret.size() || hex.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
  for (std::size_t k = 0; k < secret.size(); ++k)
    secret[k] = static_cast<unsigned char>(std::stoul(hex.substr(2 * k, 2), nullptr, 16));
  return true;
}

std::string attempt_text(const SumName& sum, std::uint32_t attempt) {
  return "exchange " + std::to_string(sum.exchange) + (sum.ends_process ? " of the end" : "") + ", attempt " +
         std::to_string(attempt);
}

[[noreturn]] void reject(const std::string& what, const SumName& sum, std::uint32_t attempt) {
  throw TransportError({.what = what,
                        .seen = attempt_text(sum, attempt),
                        .advice = "an honest server does not ask for it: ask who runs the server"});
}

// "sent 12 0 …", or "sent-at-end 12 0 …"
std::string head_of(const char* kind, const SumName& sum, std::uint32_t attempt) {
  return std::string(kind) + (sum.ends_process ? "-at-end " : " ") + std::to_string(sum.exchange) + " " +
         std::to_string(attempt);
}
std::string sent_line(const SumName& sum, std::uint32_t attempt, const Secret& digest) {
  return head_of("sent", sum, attempt) + " " + hex_of(digest) + "\n";
}
std::string revealed_line(const SumName& sum, std::uint32_t attempt) {
  return head_of("revealed", sum, attempt) + "\n";
}
std::string lost_line(std::size_t site) { return "lost " + std::to_string(site) + "\n"; }

}  // namespace

SendLog::SendLog(std::filesystem::path file) : file_(std::move(file)) {
  if (!file_.empty() && std::filesystem::exists(file_)) read(read_input_file(file_));
}

// A last line without its end was never relied on: nothing is sent before its line is written.
void SendLog::read(const std::string& text) {
  std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, hex;
    SumName sum;
    std::uint32_t attempt = 0;
    words >> kind >> sum.exchange;
    bool whole = kind == "lost" && !words.fail();
    if (whole) lost_.insert(sum.exchange);
    sum.ends_process = kind.ends_with("-at-end");
    if ((kind == "sent" || kind == "sent-at-end") && words >> attempt >> hex) {
      Entry& entry = entries_[sum];
      entry.attempt = attempt;
      whole = read_hex(hex, entry.digest);
    }
    if ((kind == "revealed" || kind == "revealed-at-end") && words >> attempt) {
      entries_[sum].attempt = attempt;
      entries_[sum].revealed = whole = true;
    }
    if (!whole)
      throw DataError({.what = "the list of what this site has sent cannot be read",
                       .seen = file_.string() + ": " + line,
                       .advice = "restore the folder of this site, or start a new run, with new folders at all peers"});
  }
}

// Written before anything is sent, so that it survives a kill of this process.
void SendLog::append(const std::string& line) {
  if (file_.empty()) return;
  const int file = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (file >= 0) ::close(file);
  if (!written)
    throw DataError({.what = "the list of what this site has sent cannot be written",
                     .seen = file_.string(),
                     .advice = "make room on the disk and start the site again"});
}

void SendLog::on_send(const SumName& sum, std::uint32_t attempt, const Secret& digest) {
  const auto known = entries_.find(sum);
  if (known != entries_.end()) {
    const Entry& entry = known->second;
    if (entry.digest != digest)
      throw DataError({.what = "this site would send other numbers than before under the same masks",
                       .seen = attempt_text(sum, attempt),
                       .advice = "restore the data that the run started with, or start a new run, with new folders"});
    if (attempt < entry.attempt) reject("the server asks for an attempt that it has replaced", sum, attempt);
    if (attempt > entry.attempt && entry.revealed)
      reject("the server asks for a sum over other sites, after it could unmask one", sum, attempt);
    if (attempt == entry.attempt) return;
  }
  append(sent_line(sum, attempt, digest));
  entries_[sum] = {.digest = digest, .attempt = attempt, .revealed = false};
}

void SendLog::on_reveal(const SumName& sum, std::uint32_t attempt) {
  const auto known = entries_.find(sum);
  if (known == entries_.end() || known->second.attempt != attempt)
    reject("the server asks for masks of a row that was not sent", sum, attempt);
  if (known->second.revealed) return;
  append(revealed_line(sum, attempt));
  known->second.revealed = true;
}

void SendLog::on_loss(std::size_t site) {
  if (lost_.insert(site).second) append(lost_line(site));
}

std::string SendLog::text() const {
  std::string text;
  for (const std::size_t site : lost_) text += lost_line(site);
  for (const auto& [sum, entry] : entries_) {
    text += sent_line(sum, entry.attempt, entry.digest);
    if (entry.revealed) text += revealed_line(sum, entry.attempt);
  }
  return text;
}

void SendLog::forget_before(ExchangeId exchange) {
  const auto end = entries_.lower_bound(SumName{.exchange = exchange});
  if (end == entries_.begin()) return;
  entries_.erase(entries_.begin(), end);
  if (!file_.empty()) write_output_file(file_, text());
}

}  // namespace driftless
