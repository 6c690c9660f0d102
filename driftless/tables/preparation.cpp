#include "driftless/tables/preparation.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/federation/shared_facts.hpp"
#include "driftless/tables/cell_numbers.hpp"
#include "driftless/tables/fact_sums.hpp"
#include "driftless/tables/federated_quantiles.hpp"
#include "driftless/tables/shared_texts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace driftless {
namespace {

// The least and the greatest of some numbers; of none the least is above the greatest. Peers send it, so it is finite
// and small.
struct Extremes {
  double low = 1.0;
  double high = 0.0;

  void add(double least, double greatest) {
    if (least > greatest) return;
    const bool none = low > high;
    low = none ? least : std::min(low, least);
    high = none ? greatest : std::max(high, greatest);
  }
};

bool is_number(const CodedColumn& column) { return column.role != ColumnRole::categorical; }

// The texts that at least `least` of the rows have, and whether there are others.
struct FrequentTexts {
  std::vector<std::string> texts;
  bool others = false;
};
FrequentTexts frequent_texts(const ClientTable& client, const std::string& name, std::size_t least) {
  const TableColumn& column = requested_column(*client.table, name);
  std::vector<std::size_t> count(column.texts.size(), 0);
  for (const std::uint32_t row : client.rows)
    if (!is_missing(column, row)) ++count[static_cast<std::size_t>(column.code[row])];
  FrequentTexts found;
  for (std::size_t k = 0; k < count.size(); ++k)
    if (count[k] >= least) found.texts.push_back(column.texts[k]);
    else if (count[k] > 0) found.others = true;
  return found;
}

class PreparationRun {
 public:
  PreparationRun(const Schema& schema, std::span<const ClientTable> hosted, const PreparationOptions& options,
                 Transport& transport, ThreadPool& pool)
      : schema_(schema), hosted_(hosted), options_(options), transport_(transport), sums_(transport, pool) {}

  Preparation run() {
    begin_coding();
    require_given_classes();
    find_levels();
    count_cells();
    require_classes();
    find_spread();
    if (options_.scaling == Scaling::minmax) scale_by_range();
    if (options_.scaling == Scaling::robust) scale_by_quartiles();
    leave_out_constants();
    fill_with_levels();
    found_.exchanges += sums_.exchanges();
    return std::move(found_);
  }

 private:
  std::vector<CodedColumn>& columns() { return found_.coding.columns; }

  void begin_coding() {
    Coding& coding = found_.coding;
    coding.format = schema_.format;
    for (const SchemaColumn& column : schema_.columns) {
      if (column.is_variable())
        coding.columns.push_back(
            {.name = column.name, .role = column.role, .missing = column.missing, .levels = column.levels});
      if (column.role == ColumnRole::label) {
        coding.label = column.name;
        if (options_.classes) coding.classes = column.levels;
      }
      if (column.role == ColumnRole::weight) coding.weight = column.name;
      if (column.role == ColumnRole::offset) coding.offset = column.name;
    }
  }

  // Where the schema names them.
  void require_given_classes() const {
    if (found_.coding.classes.empty()) return;
    for (const ClientTable& client : hosted_)
      require_known_classes(*client.table, found_.coding.label, found_.coding.classes, client.rows);
  }

  // The union of the texts of all clients where the schema has no levels.
  void find_levels() {
    std::vector<CodedColumn*> open;
    for (CodedColumn& column : columns())
      if (column.role == ColumnRole::categorical && column.levels.empty()) open.push_back(&column);
    const bool open_label = options_.classes && found_.coding.classes.empty();
    const std::size_t questions = open.size() + (open_label ? 1 : 0);
    if (questions == 0) return;
    std::vector<TextLists> mine;
    for (const ClientTable& client : hosted_) mine.push_back(texts_of(client, open, open_label));
    const ExchangeId first = transport_.next_exchange();
    const std::vector<TextLists> all = transport_.summation() == Summation::fixed
                                           ? std::vector<TextLists>{united_by_sums(mine, questions)}
                                           : share_texts(mine, questions, transport_);
    found_.exchanges += transport_.next_exchange() - first;
    for (std::size_t k = 0; k < open.size(); ++k) open[k]->levels = united(all, k);
    if (open_label) found_.coding.classes = united(all, open.size());
  }

  TextLists texts_of(const ClientTable& client, const std::vector<CodedColumn*>& open, bool open_label) const {
    TextLists lists;
    for (const CodedColumn* column : open) {
      FrequentTexts found = frequent_texts(client, column->name, options_.min_count);
      if (found.others) found.texts.emplace_back(CodedColumn::other);
      lists.push_back(std::move(found.texts));
    }
    if (open_label) lists.push_back(frequent_texts(client, found_.coding.label, 1).texts);
    return lists;
  }

  // Shows which texts there are, and not who has them.
  TextLists united_by_sums(const std::vector<TextLists>& mine, std::size_t questions) {
    std::vector<std::set<std::string>> own(questions);
    for (const TextLists& lists : mine)
      for (std::size_t k = 0; k < questions; ++k) own[k].insert(lists[k].begin(), lists[k].end());
    TextLists texts;
    for (const std::set<std::string>& found : shared_union(own, transport_))
      texts.emplace_back(found.begin(), found.end());
    return texts;
  }

  // In the order of their bytes; `other` is the last.
  static std::vector<std::string> united(const std::vector<TextLists>& all, std::size_t question) {
    std::set<std::string> texts;
    for (const TextLists& lists : all) texts.insert(lists[question].begin(), lists[question].end());
    const bool others = texts.erase(std::string(CodedColumn::other)) > 0;
    std::vector<std::string> levels(texts.begin(), texts.end());
    if (others) levels.emplace_back(CodedColumn::other);
    return levels;
  }

  // For a number: cells that are present, missing, and their sum. For a categorical column: missing cells, those that
  // are no level, and those of each level. At the end the rows of each class, or all rows.
  void count_cells() {
    std::size_t width = 0;
    for (const CodedColumn& column : columns()) {
      first_.push_back(static_cast<Index>(width));
      width += is_number(column) ? 3 : 2 + column.levels.size();
    }
    const std::size_t classes = std::max<std::size_t>(1, found_.coding.classes.size());
    facts_ = sums_.mean(width + classes, [&](std::size_t slot, VecOut numbers) {
      numbers.setZero();
      for (std::size_t c = 0; c < columns().size(); ++c) count_column(hosted_[slot], c, numbers);
      count_labels(hosted_[slot], numbers.tail(static_cast<Index>(classes)));
    });
    rows_ = facts_.tail(static_cast<Index>(classes)).sum();
    if (!(rows_ > 0.0))
      throw DataError({.what = "no client has a row that can be used",
                       .seen = "every row lacks its label, or a cell of a column with missing = \"drop\"",
                       .advice = "check the label of the schema and the texts for missing cells"});
    for (std::size_t c = 0; c < columns().size(); ++c) read_counts(c);
  }

  void count_column(const ClientTable& client, std::size_t c, VecOut numbers) {
    const CodedColumn& column = columns()[c];
    const CellNumbers cell(column, *client.table);
    const TableColumn& cells = requested_column(*client.table, column.name);
    auto facts = numbers.segment(first_[c], is_number(column) ? 3 : 2 + static_cast<Index>(column.levels.size()));
    if (is_number(column)) {
      const auto is_empty = [&](std::uint32_t row) { return is_missing(cells, row); };
      facts[0] = cell.sum(client.rows, [](double) { return 1.0; });
      // Fewer than the others where an ordinal column has texts that are no level.
      facts[1] = static_cast<double>(std::ranges::count_if(client.rows, is_empty));
      facts[2] = cell.sum(client.rows, [](double value) { return value; });
      return;
    }
    for (const std::uint32_t row : client.rows) {
      const double value = cell(row);
      if (is_missing(cells, row)) facts[0] += 1.0;
      else facts[std::isnan(value) ? 1 : 2 + static_cast<Index>(value)] += 1.0;
    }
  }

  void count_labels(const ClientTable& client, VecOut counts) const {
    if (!options_.classes) {
      counts[0] = static_cast<double>(client.rows.size());
      return;
    }
    const TableColumn& label = requested_column(*client.table, found_.coding.label);
    const std::vector<std::int32_t> class_of = level_of_texts(label, found_.coding.classes);
    for (const std::uint32_t row : client.rows) {
      const std::int32_t found = class_of[static_cast<std::size_t>(label.code[row])];
      if (found >= 0) counts[found] += 1.0;
    }
  }

  void read_counts(std::size_t c) {
    CodedColumn& column = columns()[c];
    const Index first = first_[c];
    if (is_number(column)) {
      column.indicator = facts_[first + 1] > 0.0 && column.missing == MissingRule::impute;
      column.fill = facts_[first] > 0.0 ? facts_[first + 2] / facts_[first] : 0.0;
      return;
    }
    column.indicator = facts_[first] > 0.0 && column.missing == MissingRule::impute;
    const auto counts = facts_.segment(first + 2, static_cast<Index>(column.levels.size()));
    Index most = 0;
    if (counts.size() > 0) counts.maxCoeff(&most);
    column.fill = static_cast<double>(most);
  }

  void require_classes() {
    const Coding& coding = found_.coding;
    if (!options_.classes) return;
    const Vector counts = facts_.tail(static_cast<Index>(coding.classes.size()));
    if (coding.classes.size() < 2 || (counts.array() > 0.0).count() < 2)
      throw DataError({.what = "all rows of all clients have the same label",
                       .seen = "column '" + coding.label + "'",
                       .advice =
                           "there is nothing to tell apart: check the label of the schema; where rows are kept for "
                           "the test, these are the others"});
    for (const double count : counts) found_.class_share.push_back(count / rows_);
  }

  // Around the mean, which is known: no digits are lost where the mean is large.
  void find_spread() {
    const Vector squares = sums_.mean(columns().size(), [&](std::size_t slot, VecOut numbers) {
      numbers.setZero();
      for (std::size_t c = 0; c < columns().size(); ++c)
        if (const CodedColumn& column = columns()[c]; is_number(column))
          numbers[static_cast<Index>(c)] =
              CellNumbers(column, *hosted_[slot].table).sum(hosted_[slot].rows, [mean = column.fill](double value) {
                return (value - mean) * (value - mean);
              });
    });
    for (std::size_t c = 0; c < columns().size(); ++c) {
      CodedColumn& column = columns()[c];
      require_range(column, squares[static_cast<Index>(c)]);
      const double present = facts_[first_[c]];
      deviation_.push_back(is_number(column) && present > 0.0 ? std::sqrt(squares[static_cast<Index>(c)] / present)
                                                              : 0.0);
      if (!is_number(column) || options_.scaling != Scaling::standard || is_constant(c)) continue;
      column.center = column.fill;
      column.scale = deviation_.back();
    }
  }

  static void require_range(const CodedColumn& column, double squares) {
    if (std::isfinite(column.fill) && std::isfinite(squares)) return;
    throw DataError({.what = "the numbers of a column are too large for double precision",
                     .seen = "column '" + printable(column.name) + "': the sum of their squares is not finite",
                     .advice = "correct extreme cells, or give the column in a larger unit"});
  }

  // Every row has the same value, up to the rounding of the mean; or there is none, or one level alone.
  bool is_constant(std::size_t c) {
    const CodedColumn& column = columns()[c];
    if (is_number(column)) return !(deviation_[c] > 1e-13 * std::abs(column.fill));
    const auto counts = facts_.segment(first_[c] + 2, static_cast<Index>(column.levels.size()));
    return (counts.array() > 0.0).count() < 2;
  }

  void scale_by_range() {
    const ExchangeId first = transport_.next_exchange();
    const std::vector<Extremes> found =
        transport_.summation() == Summation::fixed ? extremes_by_sums() : extremes_of_clients();
    found_.exchanges += transport_.next_exchange() - first;
    for (std::size_t c = 0; c < columns().size(); ++c) {
      if (!is_number(columns()[c]) || is_constant(c)) continue;
      columns()[c].center = found[c].low;
      columns()[c].scale = found[c].high - found[c].low;
    }
  }

  Extremes own_extremes(const ClientTable& client, const CodedColumn& column) const {
    Extremes own;
    if (!is_number(column)) return own;
    const CellNumbers cell(column, *client.table);
    for (const std::uint32_t row : client.rows)
      if (const double value = cell(row); !std::isnan(value)) own.add(value, value);
    return own;
  }

  std::vector<Extremes> extremes_of_clients() {
    const std::size_t count = columns().size();
    const std::vector<ClientId>& absent = transport_.agreement().absent;
    std::vector<double> mine;
    for (const ClientTable& client : hosted_)
      for (const CodedColumn& column : columns()) {
        const Extremes own = own_extremes(client, column);
        mine.insert(mine.end(), {own.low, own.high});
      }
    std::vector<double> all(2 * count * transport_.layout().clients);
    transport_.share(2 * count, mine, all);
    std::vector<Extremes> found(count);
    for (std::size_t c = 0; c < count; ++c)
      for (ClientId id = 0; id < transport_.layout().clients; ++id) {
        if (std::ranges::binary_search(absent, id)) continue;
        found[c].add(all[2 * (count * id + c)], all[2 * (count * id + c) + 1]);
      }
    return found;
  }

  std::vector<Extremes> extremes_by_sums() {
    std::vector<double> largest;  // of the numbers of each column, and of the negated ones
    for (const CodedColumn& column : columns()) {
      Extremes own;
      for (const ClientTable& client : hosted_) {
        const Extremes of_client = own_extremes(client, column);
        own.add(of_client.low, of_client.high);
      }
      constexpr double none = -std::numeric_limits<double>::infinity();
      if (own.low > own.high) largest.insert(largest.end(), {none, none});
      else largest.insert(largest.end(), {own.high, -own.low});
    }
    largest = shared_largest(largest, transport_);
    std::vector<Extremes> found(columns().size());
    for (std::size_t c = 0; c < found.size(); ++c) found[c].add(-largest[2 * c + 1], largest[2 * c]);
    return found;
  }

  void scale_by_quartiles() {
    constexpr std::array<double, 3> levels{0.25, 0.5, 0.75};
    std::vector<std::size_t> scaled;
    for (std::size_t c = 0; c < columns().size(); ++c)
      if (is_number(columns()[c]) && !is_constant(c)) scaled.push_back(c);
    if (scaled.empty()) return;
    std::vector<std::vector<std::vector<double>>> numbers;
    for (const ClientTable& client : hosted_) {
      std::vector<std::vector<double>>& own = numbers.emplace_back(scaled.size());
      for (std::size_t k = 0; k < scaled.size(); ++k) {
        const CellNumbers cell(columns()[scaled[k]], *client.table);
        for (const std::uint32_t row : client.rows)
          if (const double value = cell(row); !std::isnan(value)) own[k].push_back(value);
        std::ranges::sort(own[k]);
      }
    }
    const auto quartiles = federated_quantiles(numbers, scaled.size(), levels, sums_);
    for (std::size_t k = 0; k < scaled.size(); ++k) {
      const double distance = quartiles[k][2] - quartiles[k][0];
      columns()[scaled[k]].center = quartiles[k][1];
      // More than half of the numbers can be equal.
      columns()[scaled[k]].scale = distance > 0.0 ? distance : deviation_[scaled[k]];
    }
  }

  void leave_out_constants() {
    std::vector<CodedColumn> kept;
    for (std::size_t c = 0; c < columns().size(); ++c)
      if (is_constant(c)) found_.left_out.push_back(columns()[c].name);
      else kept.push_back(std::move(columns()[c]));
    columns() = std::move(kept);
  }

  // A missing cell of an ordinal column gets a level, the nearest to the mean.
  void fill_with_levels() {
    for (CodedColumn& column : columns())
      if (column.role == ColumnRole::ordinal) column.fill = std::round(column.fill);
  }

  const Schema& schema_;
  std::span<const ClientTable> hosted_;
  const PreparationOptions& options_;
  Transport& transport_;
  FactSums sums_;
  Preparation found_;
  std::vector<Index> first_;  // of each column in the facts
  Vector facts_;              // means over clients
  double rows_ = 0.0;
  std::vector<double> deviation_;  // of each column, from its mean
};

}  // namespace

std::vector<ColumnRequest> column_requests(const Schema& schema, bool classes) {
  std::vector<ColumnRequest> requests;
  for (const SchemaColumn& column : schema.columns) {
    if (column.role == ColumnRole::ignored || column.role == ColumnRole::id) continue;
    const bool text = column.role == ColumnRole::categorical || column.role == ColumnRole::ordinal ||
                      (column.role == ColumnRole::label && classes);
    requests.push_back({.name = column.name, .type = text ? CellType::text : CellType::number});
  }
  return requests;
}

std::vector<std::uint32_t> usable_rows(const Table& table, const Schema& schema, std::span<const std::uint32_t> rows,
                                       DesignCounts& counts) {
  std::vector<const TableColumn*> needed;
  const TableColumn* label = nullptr;
  for (const SchemaColumn& column : schema.columns) {
    if (column.is_variable() && column.missing == MissingRule::drop)
      needed.push_back(&requested_column(table, column.name));
    if (column.role == ColumnRole::label) label = &requested_column(table, column.name);
  }
  std::vector<std::uint32_t> usable;
  counts.rows_read += rows.size();
  for (const std::uint32_t row : rows) {
    if (is_missing(*label, row)) ++counts.rows_without_label;
    else if (std::ranges::any_of(needed, [&](const TableColumn* column) { return is_missing(*column, row); }))
      ++counts.rows_with_missing;
    else usable.push_back(row);
  }
  return usable;
}

bool shares_texts(const SchemaColumn& column, bool classes) {
  const bool has_texts = column.role == ColumnRole::categorical || (classes && column.role == ColumnRole::label);
  return has_texts && column.levels.empty();
}

Preparation prepare(const Schema& schema, std::span<const ClientTable> hosted, const PreparationOptions& options,
                    Transport& transport, ThreadPool& pool) {
  return PreparationRun(schema, hosted, options, transport, pool).run();
}

}  // namespace driftless
