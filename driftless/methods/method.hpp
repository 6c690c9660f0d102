// A method is the paper's "Initialise" and the body of its loop. The driver owns the loop, stopping and measuring.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/traffic.hpp"
#include "driftless/rules/output_point.hpp"

#include <string_view>

namespace driftless {

// Sees every variable of a method's state under its name in the paper. Tests check invariants through it; saved state
// goes through it.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  virtual void vector(std::string_view name, Vector& v) = 0;                 // replicated on every peer
  virtual void per_client(std::string_view name, PerClient<Vector>& v) = 0;  // kept where the client is
  virtual void number(std::string_view name, double& v) = 0;                 // replicated as well
};

class Method {
 public:
  virtual ~Method() = default;

  virtual void start(Federation& fed, Vector& x) = 0;  // the paper's "Initialise"
  virtual void round(Federation& fed, Vector& x) = 0;  // the body of "for r = 0, 1, …"

  virtual Traffic start_traffic(std::size_t) const { return {}; }  // of `start`, with n clients
  virtual Traffic round_traffic(std::size_t clients) const = 0;    // of one `round`
  virtual Traffic coin_traffic(std::size_t) const { return {}; }   // of what a coin adds to some rounds

  // Called before `start`: keep what this output point needs. False if the method has no such point.
  virtual bool keep_for_output(OutputPoint) { return false; }
  virtual Vector output(Federation&, const Vector& x) { return x; }  // the point kept for; may exchange

  virtual void visit_state(StateVisitor&) {}
};

}  // namespace driftless
