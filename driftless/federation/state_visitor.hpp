// Visits every variable that survives from one round to the next, under its name in the paper. Tests check invariants
// through it, and checkpoints are written and restored through it, so the visited variables depend on options alone,
// never on the progress of a run.
#pragma once

#include "driftless/federation/per_client.hpp"

#include <cstdint>
#include <string_view>

namespace driftless {

class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  // Replicated on every peer.
  virtual void vector(std::string_view name, Vector& v) = 0;
  virtual void number(std::string_view name, double& v) = 0;
  virtual void count(std::string_view name, std::uint64_t& v) = 0;
  // Kept by the peer that hosts the client.
  virtual void per_client(std::string_view name, PerClient<Vector>& v) = 0;
  virtual void per_client(std::string_view name, PerClient<double>& v) = 0;
  virtual void per_client(std::string_view name, PerClient<std::uint64_t>& v) = 0;
};

}  // namespace driftless
