// The file of a study of figure 3: what it is about, and one line per finished trial. It is small (a few hundred bytes
// per trial), so that a study can continue on another machine.
#pragma once

#include "driftless/reproduce/figure3_race.hpp"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace driftless {

class Figure3File {
 public:
  static constexpr const char* name = "study.jsonl";

  // A new study, or the one that the folder holds. ConfigError where the folder holds a study of something else, or
  // other files and no study; DataError where the file is damaged.
  Figure3File(const std::filesystem::path& folder, const Figure3Setup& setup);

  const std::vector<Figure3Result>& results() const { return results_; }
  void add(Figure3Result result);  // the file is replaced as a whole
  // The digest of the images that the trials were made with. DataError where it is another one.
  void check_images(const std::string& digest);

 private:
  void read();
  void write() const;
  void read_head(const nlohmann::ordered_json& head);

  std::filesystem::path path_;
  Figure3Setup setup_;
  std::string images_;  // empty before the first trial
  std::vector<Figure3Result> results_;
};

}  // namespace driftless
