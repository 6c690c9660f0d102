// Divides the rows of one data set among clients. The same data, options and seed give the same lists everywhere.
#pragma once

#include "driftless/data/labelled_rows.hpp"
#include "driftless/data/partition.hpp"

namespace driftless {

// No client is ever empty. ConfigError if the options do not allow that.
Partition split_rows(const LabelledRows& data, const SplitOptions& options, std::uint64_t seed);

// "" if every row 0 … rows − 1 belongs to exactly one client and each list rises; otherwise what is wrong.
std::string coverage_fault(const Partition& partition, std::size_t rows);

}  // namespace driftless
