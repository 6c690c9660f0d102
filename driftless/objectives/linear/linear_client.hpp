// The linear model of one client behind the interface of the federation. Its own rows alone decide how they are stored,
// so its bits do not depend on which other clients take part.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/client_objective.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include <array>
#include <memory>

namespace driftless {

enum class Storage {
  automatic,  // the fastest for these rows
  sparse,     // the nonzero entries
  codes,      // dictionary codes of one-hot columns
  dense       // all entries
};
template <>
struct EnumNames<Storage> {
  static constexpr std::array<std::string_view, 4> value{"auto", "sparse", "codes", "dense"};
};

template <>
struct EnumNames<EntryPrecision> {
  static constexpr std::array<std::string_view, 2> value{"float64", "float32"};
};

constexpr CodeUse code_use(Storage storage) {
  if (storage == Storage::automatic) return CodeUse::automatic;
  return storage == Storage::codes ? CodeUse::always : CodeUse::never;
}

// `storage` decides on options.rows.codes.
template <LinearLoss Loss>
std::unique_ptr<ClientObjective> make_linear_client(const Dataset& data, RowList rows, LinearModelOptions options,
                                                    Storage storage) {
  options.rows.codes = code_use(storage);
  const bool dense = storage == Storage::automatic ? prefers_dense(data, rows) : storage == Storage::dense;
  if (dense) return make_client(LinearModel<Loss, DenseRows>(data, rows, options));
  return make_client(LinearModel<Loss, SparseRows>(data, rows, options));
}

}  // namespace driftless
