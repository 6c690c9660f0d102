#include "tests/network/faults/campaign_record.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace driftless {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

using Count = std::function<std::size_t(const CampaignRecord&)>;

class Table {
 public:
  explicit Table(const std::vector<CampaignRecord>& records) : records_(records) {
    for (const CampaignRecord& record : records) dims_.insert(record.tested.dim);
  }

  // A column for each dimension and one for all.
  void heading(const std::string& title) {
    text_ += "\n" + title + std::string(title.size() < first ? first - title.size() : 1, ' ');
    for (const std::size_t dim : dims_) text_ += padded("d = " + std::to_string(dim), width);
    text_ += padded("all", width) + "\n";
  }

  void row(const std::string& title, const Count& count) {
    text_ += title + std::string(title.size() < first ? first - title.size() : 1, ' ');
    std::size_t all = 0;
    for (const std::size_t dim : dims_) {
      std::size_t sum = 0;
      for (const CampaignRecord& record : records_) sum += record.tested.dim == dim ? count(record) : 0;
      text_ += padded(std::to_string(sum), width);
      all += sum;
    }
    text_ += padded(std::to_string(all), width) + "\n";
  }

  // The smallest count of a run.
  void smallest(const std::string& title, const Count& count) {
    text_ += title + std::string(title.size() < first ? first - title.size() : 1, ' ');
    std::size_t all = SIZE_MAX;
    for (const std::size_t dim : dims_) {
      std::size_t least = SIZE_MAX;
      for (const CampaignRecord& record : records_)
        if (record.tested.dim == dim) least = std::min(least, count(record));
      text_ += padded(std::to_string(least), width);
      all = std::min(all, least);
    }
    text_ += padded(std::to_string(all), width) + "\n";
  }

  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t first = 28;
  static constexpr std::size_t width = 13;
  const std::vector<CampaignRecord>& records_;
  std::set<std::size_t> dims_;
  std::string text_;
};

std::size_t turnovers(const CampaignRecord& record) { return record.journal_files > 0 ? record.journal_files - 1 : 0; }

}  // namespace

std::string campaign_table(const std::vector<CampaignRecord>& records) {
  Table table(records);
  table.heading("faults");
  for (std::size_t kind = 0; kind < fault_kinds; ++kind)
    table.row(std::string(fault_names[kind]), [&](const CampaignRecord& record) { return record.faults[kind]; });
  table.row("in total", [](const CampaignRecord& record) {
    std::size_t sum = 0;
    for (const std::size_t count : record.faults) sum += count;
    return sum;
  });
  table.heading("runs");
  for (std::size_t verdict = 0; verdict < verdict_names.size(); ++verdict)
    table.row(std::string(verdict_names[verdict]), [&](const CampaignRecord& record) {
      return static_cast<std::size_t>(record.verdict) == verdict ? 1 : 0;
    });
  table.row("in total", [](const CampaignRecord&) { return 1; });
  table.row("of several methods", [](const CampaignRecord& record) { return record.tested.several ? 1 : 0; });
  table.heading("");
  table.row("damage rejected by name", [](const CampaignRecord& record) { return record.rejected; });
  table.row("damage without effect", [](const CampaignRecord& record) { return record.harmless; });
  table.row("unexpected errors", [](const CampaignRecord& record) { return record.surprises.size(); });
  table.row("journal turnovers", turnovers);
  table.smallest("  fewest in a run", turnovers);
  table.row("seconds", [](const CampaignRecord& record) { return static_cast<std::size_t>(record.seconds); });
  return table.text();
}

}  // namespace driftless
