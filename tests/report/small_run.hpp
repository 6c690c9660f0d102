// A run directory written by hand: gd and three seeds of fedred-gd over a few rounds.
#pragma once

#include "driftless/results/metrics_file.hpp"

#include "tests/support/temp_folder.hpp"

namespace driftless {

inline TraceRow small_row(std::uint64_t round, double gap, std::uint64_t work = 1) {
  return {.round = round,
          .exchanges = 2 * round,
          .messages = 10 * round,
          .bytes_up = 100 * round,
          .bytes_down = 50 * round,
          .local_steps = work * round,
          .grad_evals = work * round,
          .wall_s = 0.5 * static_cast<double>(round),
          .f = 3.0 + gap,
          .f_gap = gap,
          .grad_norm = 2.0 * gap,
          .dist = {}};
}

inline std::string small_csv(const std::vector<TraceRow>& rows) {
  std::string text = csv_header() + "\n";
  for (const TraceRow& row : rows) text += csv_line(row) + "\n";
  return text;
}

inline std::string seed_table(const std::string& label, int seed) {
  return "[[method]]\nname = \"fedred-gd\"\nlabel = \"" + label + "\"\nseed = " + std::to_string(seed) +
         "\nlambda = 5\np = 0.1\n";
}

inline constexpr const char* small_head = "seed = 1\n[problem]\nkind = \"quadratic\"\ndim = 3\n[federation]\nclients = "
                                          "2\n[stop]\nrounds = 3\n[[method]]\nname = \"gd\"\nlabel = \"gd\"\nseed = "
                                          "1\nstep = 0.1\n";

inline constexpr const char* small_record = R"({"schema_version": 1, "version": "0.1.0", "seed": 1, "threads": 2,
  "problem": {"kind": "quadratic", "summary": "a small problem", "clients": 2, "constants": {"L": 100, "mu": 1}},
  "methods": [{"label": "gd", "stop_reason": "rounds"}, {"label": "fedred-gd-1", "stop_reason": "gap"}],
  "methods_asked": 4, "exit_code": 0})";

inline void write_small_run(const TempFolder& folder, const std::string& name = "small") {
  folder.write(name + "/config.toml",
               small_head + seed_table("fedred-gd-1", 1) + seed_table("fedred-gd-2", 2) + seed_table("fedred-gd-3", 3));
  folder.write(name + "/run.json", small_record);
  folder.write(name + "/gd/metrics.csv",
               small_csv({small_row(0, 1.0), small_row(1, 0.5), small_row(2, 0.25), small_row(3, 1e-3)}));
  folder.write(name + "/fedred-gd-1/metrics.csv",
               small_csv({small_row(0, 1.0), small_row(1, 0.3, 10), small_row(2, 0.003, 10)}));
  folder.write(name + "/fedred-gd-2/metrics.csv",
               small_csv({small_row(0, 1.0), small_row(1, 0.1, 20), small_row(2, 0.002, 20)}));
  folder.write(name + "/fedred-gd-3/metrics.csv", small_csv({small_row(0, 1.0), small_row(1, 0.2, 30)}));
}

}  // namespace driftless
