#include "driftless/data/libsvm/libsvm_text.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/libsvm/libsvm_rows.hpp"
#include "driftless/data/reading_threads.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/huge_pages.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

namespace driftless {
namespace {

constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

// Fit for a message: short, and without bytes that would upset a terminal.
std::string shown(std::string_view token) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : token.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_printable(c)) text += c;
    else ((text += "\\x") += digits[byte >> 4]) += digits[byte & 0x0FU];
  }
  return text + (token.size() > longest ? "...'" : "'");
}

[[noreturn]] void fail(MalformedToken bad, const std::string& name, std::size_t line) {
  if (!std::ranges::all_of(bad.token, is_printable)) {
    bad.what = "this is not LIBSVM text (" + bad.what + ")";
    bad.advice = "give a text file with one row per line: label index:value ...";
  }
  throw DataError({.what = std::move(bad.what),
                   .seen = name + ":" + std::to_string(line) + ": " + shown(bad.token),
                   .advice = std::move(bad.advice)});
}

// Where the rows of all pieces come together.
class JoinedRows {
 public:
  JoinedRows(std::string name, std::size_t bytes) : bytes_(bytes) {
    parsed_.data.name = std::move(name);
    parsed_.data.row_start.push_back(0);
  }

  void append(const LibsvmRows& rows, std::size_t bytes);
  [[noreturn]] void fail_behind(const MalformedToken& bad, std::size_t line) const {
    fail(bad, parsed_.data.name, lines_ + line);
  }

  ParsedText take() { return std::move(parsed_); }

 private:
  // Asks for the room that all the text will need if the rest is like this, so that arrays need not grow often.
  template <class T>
  void make_room(std::vector<T>& all, std::size_t more) const {
    const std::size_t needed = all.size() + more;
    if (needed <= all.capacity()) return;
    const double share = static_cast<double>(done_) / static_cast<double>(bytes_);
    constexpr double margin = 1.05;
    const double expected = done_ == bytes_ ? 0.0 : margin * static_cast<double>(needed) / share;
    reserve_in_huge_pages(all, std::max(needed, static_cast<std::size_t>(expected)));
  }

  void check_number(const LibsvmRows& rows) const;

  ParsedText parsed_;
  std::size_t bytes_;
  std::size_t done_ = 0;
  std::size_t lines_ = 0;
};

void JoinedRows::check_number(const LibsvmRows& rows) const {
  const std::size_t room = static_cast<std::size_t>(largest_libsvm_index) - parsed_.data.rows();
  if (rows.row.size() <= room) return;
  const std::string most = std::to_string(largest_libsvm_index);
  fail_behind(
      {"the file has too many rows", number(rows.row[room].label), "divide it: at most " + most + " rows are read"},
      rows.row[room].line);
}

void JoinedRows::append(const LibsvmRows& rows, std::size_t bytes) {
  Dataset& data = parsed_.data;
  check_number(rows);
  done_ += bytes;
  make_room(data.label, rows.row.size());
  make_room(data.row_start, rows.row.size());
  make_room(data.column, rows.entries);
  make_room(data.value, rows.entries);
  const auto before = static_cast<std::int64_t>(data.column.size());
  for (const LibsvmRows::Row& row : rows.row) {
    data.label.push_back(row.label);
    data.row_start.push_back(before + static_cast<std::int64_t>(row.end));
    parsed_.labels.add(row.label, data.name, lines_ + row.line);
  }
  const auto entries = static_cast<std::ptrdiff_t>(rows.entries);
  data.column.insert(data.column.end(), rows.column.begin(), rows.column.begin() + entries);
  data.value.insert(data.value.end(), rows.value.begin(), rows.value.begin() + entries);
  data.dim = std::max<Index>(data.dim, rows.largest_index);
  data.explicit_zeros += rows.explicit_zeros;
  lines_ += rows.lines;
}

// Every thread takes the next chunk and reads it. The thread that reads the next chunk to be appended also appends all
// chunks that are ready after it, so no thread waits for one that is not scheduled.
class PieceReader {
 public:
  PieceReader(std::string_view text, std::int64_t largest_index, std::size_t piece_bytes, JoinedRows& joined)
      : text_(text), rest_(text), largest_index_(largest_index), piece_bytes_(piece_bytes), joined_(joined) {}

  void read_pieces() noexcept;
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t most_ahead = 8;  // pieces that have been taken but not appended

  struct Piece {
    std::size_t number = 0;
    std::string_view lines;
    LibsvmRows rows;
    std::optional<MalformedToken> fault;
  };

  std::optional<Piece> take();
  void read(Piece& piece) const;
  void finish(Piece read_piece);
  void append(const Piece& piece);
  void stop(std::exception_ptr failure);

  std::string_view text_;
  std::string_view rest_;  // not taken yet
  std::int64_t largest_index_;
  std::size_t piece_bytes_;
  JoinedRows& joined_;  // of the thread that appends
  std::mutex guard_;
  std::condition_variable changed_;
  std::size_t taken_ = 0;
  std::size_t appended_ = 0;
  bool appending_ = false;
  std::map<std::size_t, Piece> ready_;
  std::vector<LibsvmRows> spare_;
  std::exception_ptr failure_;
};

void PieceReader::read_pieces() noexcept {
  try {
    while (std::optional<Piece> piece = take()) {
      read(*piece);
      finish(*std::move(piece));
    }
  } catch (...) { stop(std::current_exception()); }
}

std::optional<PieceReader::Piece> PieceReader::take() {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return taken_ - appended_ < most_ahead || rest_.empty() || failure_; });
  if (rest_.empty() || failure_) return std::nullopt;
  const std::size_t last = rest_.find('\n', std::min(piece_bytes_, rest_.size()) - 1);
  const std::size_t size = last == std::string_view::npos ? rest_.size() : last + 1;
  Piece piece{.number = taken_++, .lines = rest_.substr(0, size), .rows = {}, .fault = {}};
  rest_.remove_prefix(size);
  if (!spare_.empty()) {
    piece.rows = std::move(spare_.back());
    spare_.pop_back();
  }
  return piece;
}

void PieceReader::read(Piece& piece) const {
  try {
    read_libsvm_rows(piece.lines, text_, largest_index_, piece.rows);
  } catch (MalformedToken& fault) { piece.fault = std::move(fault); }
}

void PieceReader::append(const Piece& piece) {
  if (piece.fault) joined_.fail_behind(*piece.fault, piece.rows.lines);
  joined_.append(piece.rows, piece.lines.size());
}

void PieceReader::finish(Piece read_piece) {
  std::unique_lock lock(guard_);
  const std::size_t number = read_piece.number;
  ready_.emplace(number, std::move(read_piece));
  if (appending_) return;
  appending_ = true;
  while (!ready_.empty() && ready_.begin()->first == appended_) {
    Piece next = std::move(ready_.extract(ready_.begin()).mapped());
    lock.unlock();
    append(next);
    lock.lock();
    ++appended_;
    spare_.push_back(std::move(next.rows));
    changed_.notify_all();
  }
  appending_ = false;
}

void PieceReader::stop(std::exception_ptr failure) {
  const std::scoped_lock lock(guard_);
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

// The digest must see the bytes in their order, so one thread is lost to it; when it is done, it reads pieces too.
std::string read_all(PieceReader& reader, std::string_view text, std::size_t threads) {
  std::string digest;
  {
    std::vector<std::jthread> others;
    if (threads > 1) {
      others.emplace_back([&] {
        digest = sha256(text);
        reader.read_pieces();
      });
    }
    while (others.size() + 1 < threads) others.emplace_back([&] { reader.read_pieces(); });
    reader.read_pieces();
  }
  reader.rethrow();
  return threads > 1 ? digest : sha256(text);
}

}  // namespace

ParsedText parse_libsvm_text(std::string_view text, std::string name, std::optional<Index> dim,
                             const ReadingPlan& plan) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::string_view lines = text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  JoinedRows joined(std::move(name), lines.size());
  PieceReader reader(lines, dim.value_or(largest_libsvm_index), plan.piece_bytes, joined);
  std::string digest = read_all(reader, text, reading_threads(text.size(), plan.threads));
  ParsedText parsed = joined.take();
  parsed.data.digest = std::move(digest);
  if (parsed.data.rows() == 0)
    throw DataError({.what = "the file has no rows",
                     .seen = parsed.data.name,
                     .advice = "give a text file with one row per line: label index:value ..."});
  return parsed;
}

}  // namespace driftless
