// One figure of a report.
#pragma once

#include "driftless/report/figure.hpp"

#include <string>
#include <vector>

namespace driftless {

struct ReportFigure {
  std::string name;           // "f_gap": against several costs side by side; "f_gap-round": against one
  std::vector<Panel> panels;  // every problem has its own
  std::size_t columns = 1;    // of panels side by side
};

}  // namespace driftless
