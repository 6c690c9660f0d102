#include "driftless/report/target_costs.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Traces = std::vector<const std::vector<TraceRow>*>;

Traces rows_of(const Curve& curve) {
  Traces rows;
  for (const CurveMember& member : curve.members) rows.push_back(&member.method->rows);
  return rows;
}

Json spread_json(const Spread& s) { return {{"mean", s.mean}, {"min", s.least}, {"max", s.most}}; }

Json line_json(const TargetLine& line, std::size_t curve, bool member) {
  Json json{
      {"label", line.label}, {"curve", curve}, {"member", member}, {"runs", line.runs}, {"reached", line.reached}};
  if (!line.complete()) return json;
  json["rounds"] = spread_json(line.rounds);
  json["exchanges"] = spread_json(line.exchanges);
  json["bytes"] = spread_json(line.bytes);
  json["grad_evals"] = spread_json(line.grad_evals);
  json["seconds"] = spread_json(line.seconds);
  for (std::size_t k = 0; k < line.link_s.size(); ++k) json[link_key(k)] = spread_json(line.link_s[k]);
  return json;
}

}  // namespace

TargetTable target_costs(const std::vector<Curve>& curves) {
  TargetTable table;
  if (curves.empty()) return table;
  table.yardstick = yardstick_of(curves.front().members.front().method->rows);
  for (const double target : targets) {
    TargetBlock& block = table.blocks.emplace_back(TargetBlock{.target = target, .lines = {}});
    for (const Curve& curve : curves) block.lines.push_back(target_line(curve.label, rows_of(curve), target));
  }
  return table;
}

Json target_costs_json(const std::vector<Curve>& curves) {
  Json blocks = Json::array();
  for (const TargetBlock& block : target_costs(curves).blocks) {
    Json lines = Json::array();
    for (std::size_t c = 0; c < curves.size(); ++c) {
      lines.push_back(line_json(block.lines[c], c, false));
      if (!curves[c].group()) continue;
      const Traces rows = rows_of(curves[c]);
      for (std::size_t m = 0; m < rows.size(); ++m)
        lines.push_back(
            line_json(target_line(curves[c].members[m].method->label, std::span(&rows[m], 1), block.target), c, true));
    }
    blocks.push_back({{"target", block.target}, {"lines", std::move(lines)}});
  }
  return blocks;
}

Json links_json(std::span<const RunFiles> runs) {
  Json list = Json::array();
  if (!runs.empty())
    for (std::size_t k = 0; k < runs.front().links.size(); ++k)
      list.push_back({{"key", link_key(k)}, {"link", runs.front().links[k].text}});
  return list;
}

}  // namespace driftless
