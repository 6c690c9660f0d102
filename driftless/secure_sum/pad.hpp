// Masks of rows: a stream of integers that only those know who have its key, AES-256 in counter mode. A key serves for
// one row alone.
#pragma once

#include "driftless/secure_sum/secret.hpp"

#include <span>

namespace driftless {

// row ← row ± pad modulo 2^64, where the numbers of the row carry integers in their bits.
void add_pad(const Secret& key, std::span<double> row);
void subtract_pad(const Secret& key, std::span<double> row);

// Replaces the integers that are not zero by others that are not: a sum of them tells whether there was one, not how
// many.
void blind_flags(const Secret& key, std::span<double> flags);

}  // namespace driftless
