// A method is the paper's "Initialise" and the body of its loop. The driver owns the loop, stopping and measuring.
#pragma once

#include "driftless/components/server/output_point.hpp"
#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/federation/traffic.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

// What a method that chooses its own ways found and chose: for the log, summary.json and the report.
struct MethodDecision {
  std::string chosen;                                    // in a few words
  std::string reason;                                    // one sentence with the numbers that decided
  std::vector<std::pair<std::string, double>> measured;  // by name
};

class Method {
 public:
  Method() = default;
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  // Makes everything that follows from the options and the federation alone: scratch vectors, graphs, masks. Neither
  // exchanges nor draws. `start` calls it first, and so does the code that restores a checkpoint instead of starting.
  virtual void prepare(const Federation&) {}

  virtual void start(Federation& fed, Vector& x) = 0;  // the paper's "Initialise"
  virtual void round(Federation& fed, Vector& x) = 0;  // the body of "for r = 0, 1, …"

  virtual Traffic start_traffic(std::size_t) const { return {}; }  // of `start`, with n clients
  virtual Traffic round_traffic(std::size_t clients) const = 0;    // of one `round`
  virtual Traffic coin_traffic(std::size_t) const { return {}; }   // that a true coin adds to a round

  // Called before `start`: asks the method to keep the data of this output point. False if it has no such point.
  virtual bool keep_for_output(OutputPoint) { return false; }
  virtual Vector output(Federation&, const Vector& x) { return x; }  // the output point; may exchange

  // All variables that later rounds depend on besides x and what `prepare` makes.
  virtual void visit_state(StateVisitor&) {}

  // Follows from the state alone, so that a resumed run gives the same. None where there was nothing to choose.
  virtual std::optional<MethodDecision> decision() const { return std::nullopt; }

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

// Asks the method to keep the data of the output point. ConfigError if the method has no such point.
void prepare_output(Method& method, OutputPoint point);

}  // namespace driftless
