// CSV text in memory as a table.
#pragma once

#include "driftless/data/tables/csv_layout.hpp"
#include "driftless/data/tables/table.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

struct CsvPlan {
  std::size_t chunk_bytes = std::size_t{1} << 18;  // a chunk and its rows stay in the second cache
  std::size_t threads = 0;                         // 0: one per core, but none for less than a MiB
};

// `rows` of a text with this layout, without a line end behind the last one. `beside` runs at the same time.
Table read_csv_rows(const CsvLayout& layout, std::string_view rows, std::size_t first_line, const CsvPlan& plan = {},
                    const std::function<void()>& beside = {});

// A whole text, with its digest. Errors name it by `name`.
Table parse_csv(std::string_view text, std::string name, std::span<const ColumnRequest> requests,
                const CsvFormat& format, const CsvPlan& plan = {});

}  // namespace driftless
