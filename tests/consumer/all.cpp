// A program that uses every component that needs neither MPI nor LibTorch.
#include <driftless/checkpoints/checkpoint_file.hpp>
#include <driftless/data/libsvm/libsvm_reader.hpp>
#include <driftless/data/split_rows.hpp>
#include <driftless/driftless.hpp>
#include <driftless/files/npy.hpp>
#include <driftless/theory/federated_constants.hpp>

#include <iostream>

int main() {
  const driftless::Dataset data = driftless::parse_libsvm("1 1:0.5\n-1 2:1\n1 1:1 2:-1\n-1 1:-1\n", "four rows");
  const driftless::Partition split = driftless::split_rows(data, {.clients = 2}, 1);
  const std::vector<driftless::Dataset> clients{data, data};
  driftless::CheckpointFile checkpoint("consumer.ckpt");
  const driftless::Summary s =
      driftless::minimize(driftless::logistic_regression(clients, {.l2 = 0.1}), "gd", {{"step", 1.0}},
                          {.stop = {.rounds = 100, .grad_norm = 1e-6}, .checkpoint = &checkpoint});
  driftless::write_npy("consumer.npy", s.x);
  std::cout << split.clients.size() << " clients, " << s.brief() << '\n';
  return s.reason == driftless::StopReason::grad_norm ? 0 : 1;
}
