// A method is the paper's "Initialise" and the body of its loop. The driver owns the loop, stopping and measuring.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/federation/traffic.hpp"
#include "driftless/components/server/output_point.hpp"

namespace driftless {

class Method {
 public:
  virtual ~Method() = default;

  // Makes what follows from the options and the federation alone: room to work in, graphs, masks. No exchange, no draw.
  // `start` begins with it; so does whoever puts a saved state back in place of starting.
  virtual void prepare(const Federation&) {}

  virtual void start(Federation& fed, Vector& x) = 0;  // the paper's "Initialise"
  virtual void round(Federation& fed, Vector& x) = 0;  // the body of "for r = 0, 1, …"

  virtual Traffic start_traffic(std::size_t) const { return {}; }  // of `start`, with n clients
  virtual Traffic round_traffic(std::size_t clients) const = 0;    // of one `round`
  virtual Traffic coin_traffic(std::size_t) const { return {}; }   // of what a coin adds to some rounds

  // Called before `start`: keep what this output point needs. False if the method has no such point.
  virtual bool keep_for_output(OutputPoint) { return false; }
  virtual Vector output(Federation&, const Vector& x) { return x; }  // the point kept for; may exchange

  // All that the rounds to come depend on besides x and what `prepare` makes.
  virtual void visit_state(StateVisitor&) {}
};

// Asks the method to keep what the output point needs. ConfigError if the method has no such point.
void prepare_output(Method& method, OutputPoint point);

}  // namespace driftless
