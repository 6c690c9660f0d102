// What a kind of problem does with its part of the [problem] table once it is read and checked. The program works with
// this interface alone; see kinds.hpp for the list of kinds.
#pragma once

#include "driftless/core/vector.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

class Sha256;
struct ConfigTable;
struct GlmSetup;
struct LibsvmOptions;
struct PeerResources;
struct Problem;
struct ProblemSetup;

// How the optimum of f is found.
enum class ReferenceSource {
  none,         // it is not
  closed_form,  // Problem::reference is set by make()
  solver        // by Newton's method after make(), or from the cache of earlier runs; f must be convex
};

// Writes the model with parameters x to a file. `statistics` are those of the test set (TestSet::statistics_size).
using ModelExport = std::function<void(const Vector& x, const Vector& statistics, const std::string& file)>;

class ProblemSpec {
 public:
  virtual ~ProblemSpec() = default;

  // The kind's own keys, in the order of config.toml, with values as TOML. Reading them back gives an equal spec.
  virtual std::vector<std::pair<std::string, std::string>> echo() const = 0;

  virtual ReferenceSource reference_source() const = 0;

  // Collective over the peers of the transport. Fills clients (those hosted by this peer), start, summary and whatever
  // else is known. DataError for the contents of files, ConfigError where options do not suit the data.
  virtual Problem make(const ProblemSetup& setup, const PeerResources& peer) const = 0;

  // The same spec with names of files replaced by absolute paths; null where it names none. DataError for a missing
  // file; `source` is the table.
  virtual std::shared_ptr<const ProblemSpec> with_absolute_paths(const ConfigTable& source) const;

  // How the data file of one client is read; none where clients have no files of their own.
  virtual std::optional<LibsvmOptions> client_file_options() const;

  // What is made of tables; null where clients have none.
  virtual const GlmSetup* tables() const { return nullptr; }

  // Whether each client has a data file of its own where nothing is divided.
  virtual bool clients_bring_files() const;

  // Whether every site brings the functions of its clients (SiteData::clients).
  virtual bool takes_clients() const { return false; }

  // ‖∇f(x)‖/‖∇f(x⁰)‖ at which a run ends where [stop] is empty; none where the user must say.
  virtual std::optional<double> usual_grad_norm() const { return std::nullopt; }

  // Adds all that the bits of the optimum depend on besides the data, the split and the numbers of samples.
  virtual void add_to_digest(Sha256& digest, const Problem& problem) const;

  // Empty where model.npy is the only format.
  virtual ModelExport model_export() const;
};

}  // namespace driftless
