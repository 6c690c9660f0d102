#include "driftless/reproduce/auto/file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/reproduce/study_lines.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
constexpr int auto_format = 1;

template <class E>
E enum_of(const Json& json) {
  E value{};
  if (!OptionType<E>::read(json.get<std::string>(), value))
    throw nlohmann::json::type_error::create(302, "unknown name " + json.dump(), nullptr);
  return value;
}

Json json_of(const std::optional<AutoArrival>& arrival) {
  if (!arrival) return {};
  const Cost& cost = arrival->cost;
  return {{"setting", arrival->setting},
          {"rounds", cost.rounds},
          {"exchanges", cost.exchanges},
          {"bytes", cost.bytes},
          {"gradients", cost.grad_evals}};
}

std::optional<AutoArrival> arrival_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return AutoArrival{.setting = json.at("setting"),
                     .cost = {.rounds = json.at("rounds"),
                              .exchanges = json.at("exchanges"),
                              .bytes = json.at("bytes"),
                              .grad_evals = json.at("gradients")}};
}

Json json_of(const AutoResult& result) {
  return {{"method", result.method},
          {"end", enum_name(result.end)},
          {"best", json_of(result.best)},
          {"fewest_bytes", json_of(result.fewest_bytes)},
          {"fewest_gradients", json_of(result.fewest_gradients)},
          {"nearest", result.nearest},
          {"part", result.part},
          {"note", result.note},
          {"settings", result.settings},
          {"gradients", result.gradients},
          {"clock", result.clock},
          {"seconds", result.seconds}};
}

AutoResult auto_result_of(const Json& json) {
  return {.method = json.at("method"),
          .end = enum_of<AutoEnd>(json.at("end")),
          .best = arrival_of(json.at("best")),
          .fewest_bytes = arrival_of(json.at("fewest_bytes")),
          .fewest_gradients = arrival_of(json.at("fewest_gradients")),
          .nearest = json.at("nearest"),
          .part = json.at("part"),
          .note = json.at("note"),
          .settings = json.at("settings"),
          .gradients = json.at("gradients"),
          .clock = json.at("clock"),
          .seconds = json.at("seconds")};
}

Json json_of(const AutoRecord& record) {
  Json results = Json::array();
  for (const AutoResult& result : record.results) results.push_back(json_of(result));
  return {{"data", record.cell.data},
          {"clients", record.cell.clients},
          {"split", enum_name(record.cell.split)},
          {"l2", enum_name(record.cell.weight)},
          {"rows", record.rows},
          {"variables", record.variables},
          {"entries", record.entries},
          {"digest", record.digest},
          {"gradients", record.gradients},
          {"impossible", record.impossible},
          {"methods", std::move(results)}};
}

AutoRecord auto_record_of(const Json& json) {
  AutoRecord record{.cell = {.data = json.at("data"),
                             .clients = json.at("clients"),
                             .split = enum_of<Split>(json.at("split")),
                             .weight = enum_of<AutoWeight>(json.at("l2"))},
                    .rows = json.at("rows"),
                    .variables = json.at("variables"),
                    .entries = json.at("entries"),
                    .digest = json.at("digest"),
                    .gradients = json.at("gradients"),
                    .results = {},
                    .impossible = json.at("impossible")};
  for (const Json& result : json.at("methods")) record.results.push_back(auto_result_of(result));
  return record;
}

// Without the seconds: the safety net changes no result that is not marked.
Json auto_head(const AutoBudget& budget) {
  return {{"auto", auto_format},
          {"target", AutoPlan::target},
          {"exchanges", budget.exchanges},
          {"gradients", budget.gradients},
          {"least_gradients", budget.least_gradients},
          {"numbers", budget.numbers},
          {"matrix_dim", budget.matrix_dim}};
}

}  // namespace

const AutoResult* AutoRecord::find(const std::string& method) const {
  const auto found = std::ranges::find(results, method, &AutoResult::method);
  return found == results.end() ? nullptr : &*found;
}

AutoFile::AutoFile(const std::filesystem::path& folder, const AutoBudget& budget)
    : path_(folder / name), budget_(budget) {
  if (!std::filesystem::exists(path_)) {
    check_study_folder(folder);
    write();
    return;
  }
  read_study_lines(path_, [&](const Json& json, std::size_t number) {
    if (number == 1) check_study_head(json, auto_head(budget_), path_);
    else records_.push_back(auto_record_of(json));
  });
}

const AutoRecord* AutoFile::find(const AutoCell& cell) const {
  const auto found = std::ranges::find(records_, cell, &AutoRecord::cell);
  return found == records_.end() ? nullptr : &*found;
}

void AutoFile::put(AutoRecord record) {
  const auto known = std::ranges::find(records_, record.cell, &AutoRecord::cell);
  if (known == records_.end()) records_.push_back(std::move(record));
  else *known = std::move(record);
  write();
}

void AutoFile::forget(const std::string& method, const std::vector<AutoCell>& cells) {
  for (AutoRecord& record : records_)
    if (std::ranges::find(cells, record.cell) != cells.end())
      std::erase_if(record.results, [&](const AutoResult& result) { return result.method == method; });
  write();
}

void AutoFile::write() const {
  std::string text = study_line(auto_head(budget_));
  for (const AutoRecord& record : records_) text += study_line(json_of(record));
  write_output_file(path_, text, Durability::synced);
}

}  // namespace driftless
