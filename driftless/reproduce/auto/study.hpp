// The table of docs/auto.md: `auto` without any parameter against every method of the catalogue at the best of a grid,
// on public data sets. A study that can be stopped at any time and continues when it is called again.
#pragma once

#include "driftless/reproduce/auto/verdict.hpp"

namespace driftless {

struct AutoStudyOptions {
  std::filesystem::path out;            // a folder: new, empty, or that of a study
  std::optional<double> seconds = {};   // no cell begins after so many
  std::vector<std::string> again = {};  // methods that run again in the cells of the plan
  std::size_t threads = 0;              // 0: one per core; the result does not depend on them
  bool progress = false;
  StopToken stop_token = {};
};

struct AutoStudy {
  AutoBudget budget;
  std::vector<AutoRecord> records;  // in the order of the plan; then others that the folder holds
  std::vector<std::pair<std::string, std::string>> missing;  // sets that cannot be read, with the reason
  std::size_t pending = 0;                                   // cells of the plan in which a method has not run
};

// Leaves in options.out: study.jsonl, from which the same call continues, auto.md, auto.csv, auto.json.
AutoStudy reproduce_auto(const AutoPlan& plan, const AutoStudyOptions& options);

std::string auto_markdown(const AutoStudy& study);
std::string auto_csv(const AutoStudy& study);   // one line per cell and method
std::string auto_json(const AutoStudy& study);  // the claims, and the table

}  // namespace driftless
