// What Python holds of a client: f_i in a form from which runs make objectives of their own, so that runs in several
// threads do not meet in one.
#pragma once

#include "driftless/federation/client_objective.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace driftless::python {

// The weights of (l2/2)‖x‖² and of β Σ_k x_k²/(1 + x_k²) in f_i.
struct PenaltyWeights {
  double l2 = 0.0;
  double beta = 0.0;
};

class Objective {
 public:
  Objective() = default;
  virtual ~Objective() = default;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;

  virtual Index dim() const = 0;
  virtual std::size_t rows() const { return 0; }                       // of data; 0: it has none
  virtual double mass() const { return static_cast<double>(rows()); }  // the sum of the weights of the rows
  virtual std::string text() const = 0;                                // for people
  virtual PenaltyWeights penalty() const { return {}; }
  // Whether the weight of a row follows from the rows of all clients of a run.
  virtual bool weighted_by_all() const { return false; }
  // f_i; with this weight of a row where that follows from all clients.
  virtual std::unique_ptr<ClientObjective> client(double row_weight) const = 0;

  // f_i of a run with this client alone, for calls from Python: use(f_i), by one thread at a time.
  template <class Use>
  auto evaluate(const Use& use) const {
    const std::scoped_lock lock(mutex_);
    if (!own_) own_ = client(mass() > 0.0 ? 1.0 / mass() : 1.0);
    return use(*own_);
  }

  // As client(), but one that an earlier run gave back is used again, with the memory that it has for its passes.
  std::unique_ptr<ClientObjective> take(double row_weight) const {
    const std::scoped_lock lock(mutex_);
    if (idle_ && idle_weight_ == row_weight) return std::move(idle_);
    return client(row_weight);
  }
  void give_back(double row_weight, std::unique_ptr<ClientObjective> client) const {
    const std::scoped_lock lock(mutex_);
    idle_ = std::move(client);
    idle_weight_ = row_weight;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<ClientObjective> own_;
  mutable std::unique_ptr<ClientObjective> idle_;
  mutable double idle_weight_ = 0.0;
};

using Objectives = std::vector<std::shared_ptr<const Objective>>;

// The objectives of a run. With n clients and rows of the weight S in all a row weighs n/S times its own weight, so
// that f is the weighted mean over all rows.
class RunClients {
 public:
  // ConfigError where some clients have such rows and others have none, because then the weight has no meaning.
  explicit RunClients(const Objectives& objectives);

  const std::vector<std::unique_ptr<ClientObjective>>& list() const { return list_; }
  // After a run that ended by itself: another run may use them.
  void give_back();

 private:
  const Objectives& objectives_;
  double row_weight_ = 1.0;
  std::vector<std::unique_ptr<ClientObjective>> list_;
};

}  // namespace driftless::python
