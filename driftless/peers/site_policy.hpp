// What the operator of a site agrees to: a TOML file (--policy), on top of which flags set single keys.
#pragma once

#include "driftless/config/config_document.hpp"

#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct SitePolicy {
  std::vector<std::string> kinds;  // an empty list allows all
  std::vector<std::string> families;
  std::vector<std::string> methods;
  std::string schema;
  std::vector<std::string> schema_digests;
  std::optional<std::size_t> max_rounds;
  std::optional<std::size_t> max_exchanges;
  std::optional<double> max_seconds;
  std::optional<std::size_t> max_fits;
  std::size_t least_rows = 1;
  std::size_t min_rows = 1;
  std::size_t min_count = 1;
  bool matrices = true;
  bool shared_rows = true;
  bool secure_sum = false;
  bool level_texts = true;
  bool own_measures = true;

  static Fields fields() {
    using S = SitePolicy;
    return {
        field("kinds", &S::kinds, anything, "kinds of problems that are allowed; all if not given"),
        field("families", &S::families, anything, "families of kind \"glm\" that are allowed"),
        field("methods", &S::methods, anything, "methods that are allowed; a cross-validation uses \"auto\""),
        field("schema", &S::schema, anything, "the schema file that the server's must equal"),
        field("schema_digests", &S::schema_digests, anything, "SHA-256 of schemas that are allowed"),
        field("max_rounds", &S::max_rounds, at_least_one, "most rounds of a method"),
        field("max_exchanges", &S::max_exchanges, at_least_one, "most exchanges of a method"),
        field("max_seconds", &S::max_seconds, positive, "most seconds of a method"),
        field("max_fits", &S::max_fits, Range{.low = 0.0}, "most fits of a cross-validation; 0: none is allowed"),
        field("least_rows", &S::least_rows, at_least_one, "rows that each client here must have to take part"),
        field("min_rows", &S::min_rows, at_least_one, "least problem.min_rows of the server"),
        field("min_count", &S::min_count, at_least_one, "least problem.min_count of the server"),
        field("matrices", &S::matrices, anything, "whether matrices leave: Hessians, and those of standard errors"),
        field("secure_sum", &S::secure_sum, anything, "whether only runs are allowed in which sites mask their rows"),
        field("shared_rows", &S::shared_rows, anything, "whether other sites see what a single client here sends"),
        field("level_texts", &S::level_texts, anything, "whether texts of cells leave that the schema does not name"),
        field("own_measures", &S::own_measures, anything, "whether measures of the rows here are shown by themselves")};
  }
};

// A policy with the locations of its keys.
class StatedPolicy {
 public:
  StatedPolicy() = default;
  explicit StatedPolicy(ConfigTable stated);  // ConfigError for keys and values that a policy does not have

  const SitePolicy& policy() const { return policy_; }
  const SitePolicy* operator->() const { return &policy_; }
  bool states(std::string_view key) const { return stated_.find(key) != nullptr; }
  std::string shown(std::string_view key) const;  // "policy.toml:3: max_rounds = 100", for messages
  // The values of all keys that are stated, for the audit log.
  std::string text() const;

 private:
  ConfigTable stated_;
  SitePolicy policy_;
};

// How an operator states the policy.
struct PolicyRequest {
  std::string file;
  std::vector<std::string> methods;
  std::optional<std::size_t> most_rounds;
};

// The file with the other keys on top.
StatedPolicy read_policy(const PolicyRequest& request);

}  // namespace driftless
