// A method is the paper's "Initialise" and the body of its loop. The driver owns the loop, stopping and measuring.
#pragma once

#include "driftless/components/server/output_point.hpp"
#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/federation/traffic.hpp"

namespace driftless {

class Method {
 public:
  Method() = default;
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  // Makes what follows from the options and the federation alone: room to work in, graphs, masks. No exchange, no draw.
  // `start` begins with it; so does a run that is restored from a checkpoint instead of started.
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

  // The options with their values: a checkpoint is not restored into a method with other ones.
  virtual std::string options_text() const { return {}; }
};

// A method with options. They are checked wherever one is made, by type or by name: ConfigError names the option.
template <class O>
class MethodWith : public Method {
 public:
  using Options = O;
  explicit MethodWith(const Options& o) : o_(checked(o)) {}

  std::string options_text() const final {
    std::string text;
    for (const auto& [name, value] : echo_options(o_)) text += name + " = " + value + "\n";
    return text;
  }

 protected:
  Options o_;
};

// Asks the method to keep what the output point needs. ConfigError if the method has no such point.
void prepare_output(Method& method, OutputPoint point);

}  // namespace driftless
