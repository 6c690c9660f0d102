// The coding of the tables of all clients: levels, means, scales and what replaces missing cells, found together. No
// row leaves a client, only counts, sums and the texts of levels; columns with levels in the schema send no texts.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/thread_pool.hpp"
#include "driftless/federation/transport.hpp"
#include "driftless/tables/design.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// How numbers become variables: (value − center)/scale over the rows of all clients.
enum class Scaling {
  standard,  // mean and standard deviation
  minmax,    // minimum and range
  robust,    // median and the distance between the quartiles
  none       // 0 and 1
};
template <>
struct EnumNames<Scaling> {
  static constexpr std::array<std::string_view, 4> value{"standard", "minmax", "robust", "none"};
};

struct PreparationOptions {
  Scaling scaling = Scaling::standard;
  std::size_t min_count = 1;  // levels with fewer rows at a client are merged into `other` before they leave it
  bool classes = false;       // whether labels are classes
};

// The rows of one client that take part, as indices of rows of a table.
struct ClientTable {
  const Table* table = nullptr;
  std::vector<std::uint32_t> rows;
};

struct Preparation {
  Coding coding;
  std::vector<double> class_share;    // the part of all rows that each class has
  std::vector<std::string> left_out;  // columns that say nothing: one value, or none
  std::size_t exchanges = 0;          // collectives that it took
};

// The columns that a table with this schema is read with.
std::vector<ColumnRequest> column_requests(const Schema& schema, bool classes);

// Whether clients tell each other the texts of the column: its levels, or the classes, which the schema does not name.
bool shares_texts(const SchemaColumn& column, bool classes);

// The rows that have a label and no missing cell in a column whose rule is `drop`.
std::vector<std::uint32_t> usable_rows(const Table& table, const Schema& schema, std::span<const std::uint32_t> rows,
                                       DesignCounts& counts);

// Collective. `hosted` are the tables of the clients hosted here, in the order of their ids. DataError where the tables
// of all clients together cannot be coded; every peer throws the same one.
Preparation prepare(const Schema& schema, std::span<const ClientTable> hosted, const PreparationOptions& options,
                    Transport& transport, ThreadPool& pool);

}  // namespace driftless
