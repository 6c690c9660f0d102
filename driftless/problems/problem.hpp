// A federation's problem: the functions of the clients, and what is known about them.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/core/reference.hpp"
#include "driftless/core/stop_token.hpp"
#include "driftless/data/dataset.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/test_set.hpp"
#include "driftless/glm/fit_report.hpp"
#include "driftless/problems/own/own_client.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct DataSource {
  std::string name;    // of the file, without its folder, or of a generator
  std::string digest;  // sha256 of the plain text, or of the generated rows
  std::size_t rows = 0;
};

// The entry of largest absolute value in the rows of the clients hosted here, for messages.
struct LargestFeature {
  Index column = 0;  // 1-based, as LIBSVM files have it
  double value = 0.0;
};

// What the Hessians H_i at one point imply for all points.
struct HessianFacts {
  bool constant = false;  // H_i is the same at every point
  // κ with 0 ≼ G_i(x) ≼ κ G_i(0) at every x, where one is known; G_i is the Hessian of the loss alone, without
  // regularisers.
  std::optional<double> growth_from_zero;
};

// What results say of the problem besides numbers that it has anyway.
struct ProblemFacts {
  std::string kind = {};
  std::string data = {};  // "a9a", "3 files"; empty where there are no data
  std::size_t rows = 0;
  std::string split = {};  // "iid", "one file each"
};

// Collective: what is said of a fitted point besides f.
using FitDescription = std::function<FitReport(const Vector& x, Transport& transport, ThreadPool& pool)>;

struct Problem {
  std::size_t n = 0;         // clients of all peers
  ClientObjectives clients;  // those hosted by this peer
  Vector start;
  std::optional<Reference> reference;
  std::string no_reference;            // why the optimum was not found, where it was searched for
  std::optional<Constants> constants;  // where they are known exactly
  HessianFacts hessians;
  ProblemFacts facts;
  std::vector<DataSource> data;
  std::optional<double> l2;               // weight of ½‖x‖² in every f_i, for data
  double beta = 0.0;                      // likewise of Σ_k x_k²/(1 + x_k²)
  std::optional<LargestFeature> largest;  // where clients have rows
  std::shared_ptr<const TestSet> test;    // data that no client has, where there is some
  FitDescription describe_fit;            // empty for problems that are no models of tables
  std::string arithmetic;                 // of networks: precision and device
  std::string split_manifest;             // the rows of every client, as JSON; empty where nothing was divided
  std::string summary;                    // one line

  Index dim() const { return start.size(); }
};

// What belongs to a site alone, and not to the configuration of all.
struct SiteData {
  std::vector<std::filesystem::path> files;  // one for each client it hosts; empty where the configuration names them
  std::vector<Dataset> sets = {};            // instead of files: their rows, with labels as they were given
  std::vector<OwnClient> clients = {};       // one for each client it hosts, for kind = "own"
  // Called with each table or file of a hosted client and the number of its rows that can be used; throws where this
  // site does not take part with so few.
  std::function<void(const std::string& file, std::size_t rows)> check_rows = {};
  bool own_measures = true;  // whether measures of the hosted clients' rows leave by themselves

  void require_rows(const std::string& file, std::size_t rows) const {
    if (check_rows) check_rows(file, rows);
  }
};

// What a peer makes its part of a problem with.
struct PeerResources {
  Transport& transport;
  ThreadPool& pool;
  const SiteData& own;
  StopToken stop_token = {};  // for long work before the run
};

// Removes all but the hosted clients, for problems that every peer makes as a whole.
void keep_hosted(const Layout& layout, ClientObjectives& clients);

}  // namespace driftless
