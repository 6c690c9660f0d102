// Which settings of figure 3 stay in the race. A pure function of the finished trials, so a study that is continued
// decides as one that was never stopped.
#pragma once

#include "driftless/reproduce/figure3_grid.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace driftless {

struct Figure3Point {
  std::uint64_t round = 0;
  std::uint64_t exchanges = 0;
  double f = 0.0;
  double accuracy = 0.0;  // of the test images, 0 … 1

  bool operator==(const Figure3Point&) const = default;
};

struct Figure3Result {
  Figure3Trial trial;
  bool diverged = false;
  std::vector<Figure3Point> points;  // the first at round 0
  std::string arithmetic;            // "bf16 on cuda (NVIDIA H200)"
  double seconds = 0.0;              // with measuring

  double accuracy() const { return diverged ? -1.0 : points.back().accuracy; }
  bool operator==(const Figure3Result&) const = default;
};

enum class SettingState {
  unseen,      // no trial is finished
  racing,      // seen, and not decided
  eliminated,  // others were better
  chosen       // the best of the method
};
std::string_view name_of(SettingState state);

struct SettingStatus {
  Figure3Setting setting;
  SettingState state = SettingState::unseen;
  std::size_t rounds = 0;  // of its longest trial with the first seed
  double accuracy = 0.0;   // at the end of that trial; −1: diverged
};

// The race of one method:
//   1. where there is a λ, each (rate, K) has its λ compared after 5 rounds, and the best remains; small rates learn
//      faster at first, so rates are not compared this early;
//   2. after 20 rounds the best remains, and the second where it is within `close_race` of it;
//   3. after all rounds the better of them is chosen;
//   4. the chosen one runs with the other seeds.
// A setting without rivals skips the stages that would compare it.
struct Figure3Race {
  static constexpr std::size_t first_rounds = 5;
  static constexpr std::size_t choice_rounds = 20;
  static constexpr double close_race = 0.03;

  std::string method;
  std::vector<SettingStatus> settings;  // the whole grid of the method
  std::vector<Figure3Trial> pending;    // what the next stage needs
  std::size_t stage = 1;                // of `pending`; 5: the race is over
  std::optional<Figure3Setting> chosen;

  std::size_t seen() const;
};

// Settings outside `grid` take part where they were seen before. Nothing is pending for a method outside it.
Figure3Race race_of(const std::string& method, const Figure3Setup& setup, const Figure3Grid& grid,
                    std::span<const Figure3Result> results);

const Figure3Result* find_result(std::span<const Figure3Result> results, const Figure3Trial& trial);

}  // namespace driftless
