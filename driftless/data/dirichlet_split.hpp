// The two Dirichlet splits: how the rows of a class are shared out is drawn from Dirichlet(α, …, α) over the clients.
//
// Plain: counts are the rounded-down shares of the class, what is left over goes to one client drawn at random. Sizes
// are unbounded; the whole is drawn again while a client is empty.
//
// Lin et al., "Ensemble distillation for robust model fusion in federated learning", NeurIPS 2020: rows are shuffled,
// the clients taken in groups of ten, each group with its share of the rows. Inside a group, class by class, a client
// that already holds the average number of rows gets none of the class; the group is drawn again until each of its
// clients holds at least half of the average. At least ten clients are needed. If their number is not a multiple of
// ten, the last group has the remaining clients and as many rows as is their share.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/data/labelled_rows.hpp"
#include "driftless/data/partition.hpp"

namespace driftless {

// Lists are not sorted. ConfigError if no acceptable draw is found.
Partition dirichlet_split(const LabelledRows& data, std::size_t clients, double alpha, Stream& chance);
Partition dirichlet_lin_split(const LabelledRows& data, std::size_t clients, double alpha, Stream& chance);

}  // namespace driftless
