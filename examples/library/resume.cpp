// A run that outlives its program: killed, or stopped with Ctrl-C, it resumes when it is started again, and ends with
// the same bits as without the interruption.   usage: resume CHECKPOINT [ROUNDS OF THIS START]
#include <driftless/checkpoints/checkpoint_file.hpp>
#include <driftless/driftless.hpp>

#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iostream>

namespace {
volatile std::sig_atomic_t stop = 0;
}

int main(int argc, char** argv) {
  std::signal(SIGINT, [](int) { stop = 1; });
  const unsigned long most = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000000;

  driftless::ClientObjectives clients;
  for (int i = 0; i < 8; ++i) {
    const Eigen::MatrixXd root = Eigen::MatrixXd::Random(400, 300) / 10.0;
    clients.push_back(driftless::quadratic(root.transpose() * root, Eigen::VectorXd::Random(300)));
  }

  driftless::CheckpointFile checkpoint(argc > 1 ? argv[1] : "resume.ckpt", 0.0);  // after every round
  if (checkpoint.exists()) std::cout << "resuming\n";
  unsigned long rounds = 0;
  try {
    driftless::Scaffnew method({.step = 0.05, .p = 0.2});
    driftless::MinimizeOptions options{.stop = {.rounds = 400, .grad_norm = 1e-9}, .checkpoint = &checkpoint};
    options.on_round = [&](const driftless::RoundInfo& r) {
      if (r.round % 50 == 0) std::cout << r.round << '\n';
      return stop == 0 && ++rounds < most;
    };
    const driftless::Summary s = driftless::minimize(clients, method, options);
    std::cout << s.brief() << '\n' << std::setprecision(17) << s.x.norm() << '\n';
  } catch (const driftless::Error& error) {  // what happened, the value seen, what to do
    std::cerr << error.what() << '\n';
    return 1;
  }
}
