#include "driftless/reproduce/figure3_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/reproduce/study_lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

}  // namespace

Figure3File::Figure3File(const std::filesystem::path& folder, const Figure3Setup& setup)
    : path_(folder / name), setup_(setup) {
  if (std::filesystem::exists(path_)) {
    read();
    return;
  }
  check_study_folder(folder);
  write();
}

void Figure3File::read() {
  read_study_lines(path_, [&](const Json& json, std::size_t number) {
    if (number == 1) read_head(json);
    else results_.push_back(result_of(json));
  });
}

void Figure3File::read_head(const Json& head) {
  images_ = head.at("image_digest");
  check_study_head(head, json_of(setup_), path_);
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
  std::string text = study_line(head);
  for (const Figure3Result& result : results_) text += study_line(json_of(result));
  write_output_file(path_, text, Durability::synced);
}

}  // namespace driftless
