// From the description of a network to the functions of the clients. The only door to LibTorch: a build without it has
// the same function, which says so.
#pragma once

#include "driftless/data/images/read_images.hpp"
#include "driftless/data/partition.hpp"
#include "driftless/federation/client_objective.hpp"
#include "driftless/federation/test_set.hpp"
#include "driftless/torch/net_spec.hpp"

#include <memory>
#include <vector>

namespace driftless {

struct NetProblem {
  std::vector<std::unique_ptr<ClientObjective>> clients;
  Vector start;                         // drawn from the seed, or what the TorchScript file holds
  std::shared_ptr<const TestSet> test;  // images that no client has
  std::string arithmetic;               // for the summary: "float32 on cpu", "bf16 on cuda (NVIDIA H200)"
};

// ConfigError where this build has no LibTorch.
void require_networks(const NetSpec& spec);

// As many clients may work at the same time as there are workers; on a GPU two. ConfigError where the
// description does not fit this build, this machine or the images.
NetProblem make_net_problem(const NetSpec& spec, const ImageData& images, const Partition& partition,
                            std::uint64_t seed, std::size_t workers);

// The network with the parameters x as a TorchScript file, for use outside.
void export_net(const NetSpec& spec, const ImageData& images, const Vector& x, const Vector& statistics,
                const std::string& file);

}  // namespace driftless
