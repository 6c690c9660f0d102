#include "driftless/data/tables/csv_text.hpp"

#include "driftless/core/check.hpp"
#include "driftless/data/reading_threads.hpp"
#include "driftless/data/tables/csv_chunks.hpp"
#include "driftless/data/tables/csv_fault.hpp"
#include "driftless/data/tables/csv_rows.hpp"
#include "driftless/data/tables/on_threads.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/huge_pages.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace driftless {
namespace {

class CsvTableReader {
 public:
  CsvTableReader(const CsvLayout& layout, std::string_view rows, std::size_t first_line, const CsvPlan& plan);

  Table read(const std::function<void()>& beside);

 private:
  void check_bytes() const;
  void make_room();
  void read_chunks(std::size_t worker);
  void read_chunk(std::size_t index, CsvRowReader& reader);
  void keep(std::size_t chunk, CsvFault fault);
  void merge_texts(std::size_t column);
  [[noreturn]] void fail(std::size_t chunk, const CsvFault& fault) const;

  const CsvLayout& layout_;
  std::string_view rows_;
  std::size_t threads_;
  std::vector<CsvChunk> chunks_;
  std::vector<std::size_t> worker_of_;                     // of each chunk
  std::vector<std::vector<TextDictionary>> dictionaries_;  // of each worker, one for each column
  Table table_;

  std::atomic<std::size_t> next_ = 0;
  std::mutex guard_;
  std::atomic<std::size_t> fault_chunk_ = std::numeric_limits<std::size_t>::max();  // the first with a fault
  std::optional<CsvFault> fault_;
};

CsvTableReader::CsvTableReader(const CsvLayout& layout, std::string_view rows, std::size_t first_line,
                               const CsvPlan& plan)
    : layout_(layout), rows_(rows), threads_(reading_threads(rows.size(), plan.threads)) {
  table_.name = layout.name;
  table_.first_line = first_line;
  chunks_ = divide_csv(rows, plan.chunk_bytes, threads_);
  worker_of_.resize(chunks_.size());
  dictionaries_.resize(threads_);
  for (std::vector<TextDictionary>& own : dictionaries_) own.resize(layout.found.size());
}

void CsvTableReader::fail(std::size_t chunk, const CsvFault& fault) const {
  const CsvChunk& from = chunks_[chunk];
  const auto lines = static_cast<std::size_t>(std::count(from.text.data(), fault.at, '\n'));
  throw_csv_fault(fault, layout_.name, table_.first_line + from.lines_before + lines);
}

void CsvTableReader::check_bytes() const {
  const auto zero = std::ranges::find_if(chunks_, [](const CsvChunk& chunk) { return chunk.zero_byte != nullptr; });
  if (zero != chunks_.end())
    fail(static_cast<std::size_t>(zero - chunks_.begin()),
         {.what = "the table has a NUL byte, so it is not UTF-8 text",
          .token = {},
          .advice = "save it as UTF-8 text; spreadsheets and UTF-16 files must be converted first",
          .at = zero->zero_byte});
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  const auto over = std::ranges::find_if(chunks_, [](const CsvChunk& c) { return c.first_row + c.rows > most; });
  if (over != chunks_.end())
    fail(static_cast<std::size_t>(over - chunks_.begin()),
         {.what = "the table has more than " + std::to_string(most) + " rows",
          .token = {},
          .advice = "divide it into several sites",
          .at = over->text.data()});
}

// A row has a delimiter for each column but the last and a line end, so where there are more line ends than that one of
// the first rows is ragged, and the others need no room.
void CsvTableReader::make_room() {
  const std::size_t most = (rows_.size() + 1) / layout_.columns.size() + 1;
  table_.rows = std::min(chunks_.back().first_row + chunks_.back().rows, most);
  for (const ColumnRequest& request : layout_.found)
    table_.columns.push_back({.name = request.name, .type = request.type});
  for_each_on_threads(threads_, table_.columns.size(), [&](std::size_t k) {
    TableColumn& column = table_.columns[k];
    if (column.type == CellType::number) {
      reserve_in_huge_pages(column.number, table_.rows);
      column.number.resize(table_.rows);
    } else {
      reserve_in_huge_pages(column.code, table_.rows);
      column.code.resize(table_.rows);
    }
  });
}

void CsvTableReader::keep(std::size_t chunk, CsvFault fault) {
  const std::scoped_lock lock(guard_);
  if (chunk > fault_chunk_) return;
  fault_chunk_ = chunk;
  fault_ = std::move(fault);
}

void CsvTableReader::read_chunk(std::size_t index, CsvRowReader& reader) {
  const CsvChunk& chunk = chunks_[index];
  const char* const end = rows_.data() + rows_.size();
  const char* at = chunk.text.data();
  if (index > 0) at = next_row(at, end, chunk.inside_quotes);
  const std::size_t stop = std::min(chunk.first_row + chunk.rows, table_.rows);
  for (std::size_t row = chunk.first_row; row < stop; ++row) at = reader.read(at, row);
}

void CsvTableReader::read_chunks(std::size_t worker) {
  CsvRowReader reader(layout_, rows_, table_.columns, dictionaries_[worker]);
  for (std::size_t k = next_++; k < chunks_.size() && k < fault_chunk_; k = next_++) {
    worker_of_[k] = worker;
    try {
      if (chunks_[k].rows > 0) read_chunk(k, reader);
    } catch (CsvFault& fault) { keep(k, std::move(fault)); }
  }
}

// The numbers of texts depend on which thread met them first; those in the order of their bytes do not.
void CsvTableReader::merge_texts(std::size_t index) {
  TableColumn& column = table_.columns[index];
  if (column.type != CellType::text) return;
  std::vector<std::string_view> all;
  for (const auto& own : dictionaries_) all.insert(all.end(), own[index].texts().begin(), own[index].texts().end());
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  std::erase_if(all, [&](std::string_view text) { return std::ranges::count(layout_.missing, text) != 0; });
  column.texts.assign(all.begin(), all.end());
  std::vector<std::vector<std::int32_t>> codes;
  for (const auto& own : dictionaries_) {
    std::vector<std::int32_t>& map = codes.emplace_back();
    for (const std::string_view text : own[index].texts()) {
      const auto at = std::ranges::lower_bound(all, text);
      const bool present = at != all.end() && *at == text;
      map.push_back(present ? static_cast<std::int32_t>(at - all.begin()) : TableColumn::missing_code);
    }
  }
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    const std::vector<std::int32_t>& map = codes[worker_of_[k]];
    const std::size_t first = chunks_[k].first_row;
    for (std::size_t row = first; row < first + chunks_[k].rows; ++row)
      column.code[row] = map[static_cast<std::size_t>(column.code[row])];
  }
}

Table CsvTableReader::read(const std::function<void()>& beside) {
  check_bytes();
  make_room();
  run_on_threads(threads_, [&](std::size_t worker) {
    if (worker + 1 == threads_ && beside) beside();
    read_chunks(worker);
  });
  if (fault_) fail(fault_chunk_, *fault_);
  for_each_on_threads(threads_, table_.columns.size(), [&](std::size_t k) { merge_texts(k); });
  return std::move(table_);
}

}  // namespace

Table read_csv_rows(const CsvLayout& layout, std::string_view rows, std::size_t first_line, const CsvPlan& plan,
                    const std::function<void()>& beside) {
  return CsvTableReader(layout, rows, first_line, plan).read(beside);
}

Table parse_csv(std::string_view text, std::string name, std::span<const ColumnRequest> requests,
                const CsvFormat& format, const CsvPlan& plan) {
  CsvLayout layout = read_csv_layout(text, std::move(name), format);
  request_columns(layout, requests);
  std::string digest;
  Table table = read_csv_rows(layout, layout.rows, layout.first_line, plan, [&] { digest = sha256(text); });
  table.digest = std::move(digest);
  return table;
}

}  // namespace driftless
