// The functions of the clients, with what is known about them.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/test_set.hpp"
#include "driftless/objectives/quadratic/constants.hpp"
#include "driftless/core/reference.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct DataSource {
  std::string name;
  std::string digest;  // sha256 of the plain text, or of the generated rows
  std::size_t rows = 0;
};

struct Problem {
  std::size_t n = 0;         // clients of all peers
  ClientObjectives clients;  // those hosted here
  Vector start;
  std::optional<Reference> reference;
  std::optional<Constants> constants;  // where they are known exactly
  std::vector<DataSource> data;
  std::optional<double> l2;             // weight of ½‖x‖² in every f_i, for data
  std::shared_ptr<const TestSet> test;  // data that no client has, where there is some
  std::string split_manifest;           // which rows went where, as JSON; empty where nothing was divided
  std::string summary;                  // one line

  Index dim() const { return start.size(); }
};

}  // namespace driftless
