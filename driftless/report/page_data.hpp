// What the page shows, as one JSON text: the curves thinned, every number of a table exact.
#pragma once

#include "driftless/results/run_files.hpp"

#include <span>
#include <string>

namespace driftless {

enum class PageKind { file, live };  // live: the page asks again for its data while the run is under way

std::string page_data(std::span<const RunFiles> runs, PageKind kind = PageKind::file);

}  // namespace driftless
