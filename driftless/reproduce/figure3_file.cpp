#include "driftless/reproduce/figure3_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
constexpr int format_version = 1;

Json json_of(const Figure3Result& result) {
  const Figure3Trial& trial = result.trial;
  Json points = Json::array();
  for (const Figure3Point& point : result.points)
    points.push_back({point.round, point.exchanges, point.f, point.accuracy});
  return {{"method", trial.method},
          {"rate", trial.setting.rate},
          {"local_steps", trial.setting.local_steps},
          {"lambda", trial.setting.lambda ? Json(*trial.setting.lambda) : Json()},
          {"seed", trial.seed},
          {"rounds", trial.rounds},
          {"diverged", result.diverged},
          {"points", std::move(points)},
          {"arithmetic", result.arithmetic},
          {"seconds", result.seconds}};
}

// JSON has no numbers that are not finite; they are written as null.
double number_of(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Figure3Result result_of(const Json& json) {
  Figure3Result result{.trial = {.method = json.at("method"),
                                 .setting = {.rate = json.at("rate"), .local_steps = json.at("local_steps")},
                                 .seed = json.at("seed"),
                                 .rounds = json.at("rounds")},
                       .diverged = json.at("diverged"),
                       .points = {},
                       .arithmetic = json.at("arithmetic"),
                       .seconds = json.at("seconds")};
  if (!json.at("lambda").is_null()) result.trial.setting.lambda = json.at("lambda").get<double>();
  for (const Json& point : json.at("points"))
    result.points.push_back({.round = point.at(0),
                             .exchanges = point.at(1),
                             .f = number_of(point.at(2)),
                             .accuracy = number_of(point.at(3))});
  return result;
}

// Without the number of seeds: more of them continue the same study.
Json json_of(const Figure3Setup& setup) {
  return {{"figure3", format_version},
          {"data", setup.data},
          {"model", setup.model},
          {"images", setup.images ? Json(*setup.images) : Json()},
          {"rounds", setup.rounds}};
}

// Every line begins with a digest of the rest, so that a changed digit is noticed.
std::string line_of(const Json& json) {
  const std::string text = json.dump();
  return short_hash(text) + " " + text + "\n";
}

Json read_line(const std::string& line, const std::string& location) {
  const std::size_t digits = 8;
  const bool whole =
      line.size() > digits && line[digits] == ' ' && short_hash(line.substr(digits + 1)) == line.substr(0, digits);
  if (!whole)
    throw DataError({.what = "the file of the study is damaged",
                     .seen = location + ": the line does not match its digest",
                     .advice = "remove the line, and its trial is run again; a damaged first line costs the study"});
  return Json::parse(line.substr(digits + 1));
}

}  // namespace

Figure3File::Figure3File(const std::filesystem::path& folder, const Figure3Setup& setup)
    : path_(folder / name), setup_(setup) {
  if (std::filesystem::exists(path_)) {
    read();
    return;
  }
  if (!std::filesystem::is_empty(folder))
    throw ConfigError({.what = "the folder has other files and no study of figure 3",
                       .seen = "--out: " + folder.string(),
                       .advice = "give a folder that is new or empty, or that of a study, which is continued"});
  write();
}

void Figure3File::read() {
  std::istringstream lines(read_input_file(path_));
  std::string line;
  std::size_t number = 0;
  while (std::getline(lines, line)) {
    const std::string location = fmt::format("{}:{}", path_.string(), ++number);
    try {
      if (number == 1) read_head(line);
      else results_.push_back(result_of(read_line(line, location)));
    } catch (const nlohmann::json::exception& error) {
      throw DataError({.what = "the file of the study cannot be read by this version",
                       .seen = location + ": " + error.what(),
                       .advice = "use the version that began the study, or begin another one in a new folder"});
    }
  }
  if (number == 0)
    throw DataError({.what = "the file of the study is empty",
                     .seen = path_.string(),
                     .advice = "remove the file, and the study starts from the beginning"});
}

void Figure3File::read_head(const std::string& line) {
  Json head = read_line(line, path_.string() + ":1");
  images_ = head.at("image_digest");
  const Json asked = json_of(setup_);
  for (const auto& [key, value] : asked.items())
    if (head.at(key) != value)
      throw ConfigError(
          {.what = "the folder holds a study of something else",
           .seen = fmt::format("{}: {} = {}, asked for {}", path_.string(), key, head.at(key).dump(), value.dump()),
           .advice = "give the options that the study began with, or another folder with --out"});
}

void Figure3File::check_images(const std::string& digest) {
  if (!images_.empty() && images_ != digest)
    throw DataError({.what = "the images are not those that the study began with",
                     .seen = fmt::format("{}: digest {}, now {}", path_.string(), images_, digest),
                     .advice = "use the same files, or begin another study in a new folder"});
  images_ = digest;
}

void Figure3File::add(Figure3Result result) {
  results_.push_back(std::move(result));
  write();
}

void Figure3File::write() const {
  Json head = json_of(setup_);
  head["image_digest"] = images_;
  std::string text = line_of(head);
  for (const Figure3Result& result : results_) text += line_of(json_of(result));
  write_output_file(path_, text, Durability::synced);
}

}  // namespace driftless
