// One experiment of the paper again, or the study of `auto`: what is asked of it, and its results as texts. For the
// verb `driftless reproduce` and for Python.
#pragma once

#include "driftless/reproduce/figure3_grid.hpp"
#include "driftless/reproduce/study_case.hpp"

namespace driftless {

struct StudyRequest {
  std::string what;                       // fig1 | fig2 | fig3 | table1 | auto
  std::vector<std::string> sets = {};     // fig2, auto: empty: their own, "all": every one that is known; fig3: one
  bool iid = false;                       // fig2, auto: rows divided evenly at random instead of by a Dirichlet draw
  std::vector<double> alphas = {};        // fig2; empty: its own
  std::size_t draws = 0;                  // fig2; 0: its own
  std::vector<std::size_t> clients = {};  // auto; empty: its own
  std::vector<std::string> again = {};    // auto: methods that are run again
  std::vector<std::string> methods = {};  // fig3, auto: these alone
  Figure3Setup nets = {};                 // fig3
  Figure3Grid grid = {};                  // fig3: the settings that this call may try
  std::optional<double> seconds = {};     // fig3, auto: no trial or cell begins after them
  bool quick = false;                     // all but fig1: less of it
};

struct StudyTexts {
  std::string markdown;
  std::string json;
  bool holds = true;  // auto: every claim on it
};

// ConfigError where there is no such study, or it cannot be done as asked.
void check_study(const StudyRequest& request);

// Makes the folder of the results. ConfigError where that is not possible, and where it is not empty, unless the study
// continues in it as fig3 and auto do.
std::filesystem::path open_study_folder(const StudyRequest& request, const std::string& out);

StudyTexts reproduce_study(const StudyRequest& request, const StudyOptions& options);

}  // namespace driftless
