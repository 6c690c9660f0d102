// The linear model of one client behind the interface of the federation. Its own rows alone decide how they are stored,
// so its bits do not depend on which other clients take part.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/client_objective.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include <array>
#include <memory>
#include <string>

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

// The rows of one client, stored once, and the objectives made from them, which share the rows: the weight of a row
// depends on the rows of all clients, which may be known only later.
class LinearStore {
 public:
  virtual ~LinearStore() = default;

  virtual Index columns() const = 0;
  virtual std::size_t rows() const = 0;
  virtual std::string layout() const = 0;  // for people
  virtual std::size_t bytes() const = 0;
  virtual std::unique_ptr<ClientObjective> client(const LinearModelOptions& options) const = 0;
};

template <LinearLoss Loss, class Rows>
class LinearStoreOf final : public LinearStore {
 public:
  LinearStoreOf(const RowsView& data, RowList rows, const RowsOptions& options)
      : loss_(data, rows), rows_(std::make_shared<const Rows>(data, rows, options)) {}

  Index columns() const override { return rows_->dim(); }
  std::size_t rows() const override { return rows_->blocks().rows(); }
  std::string layout() const override { return rows_->layout(); }
  std::size_t bytes() const override { return rows_->bytes(); }
  std::unique_ptr<ClientObjective> client(const LinearModelOptions& options) const override {
    return make_client(LinearModel<Loss, Rows>(rows_, loss_, options));
  }

 private:
  LabelledLoss<Loss> loss_;
  std::shared_ptr<const Rows> rows_;
};

template <LinearLoss Loss>
std::unique_ptr<const LinearStore> make_linear_store(const RowsView& data, RowList rows, RowsOptions options,
                                                     Storage storage) {
  options.codes = code_use(storage);
  const bool dense = storage == Storage::automatic ? prefers_dense(data, rows) : storage == Storage::dense;
  if (dense) return std::make_unique<LinearStoreOf<Loss, DenseRows>>(data, rows, options);
  return std::make_unique<LinearStoreOf<Loss, SparseRows>>(data, rows, options);
}

// `storage` decides on options.rows.codes.
template <LinearLoss Loss>
std::unique_ptr<ClientObjective> make_linear_client(const RowsView& data, RowList rows,
                                                    const LinearModelOptions& options, Storage storage) {
  return make_linear_store<Loss>(data, rows, options.rows, storage)->client(options);
}

}  // namespace driftless
