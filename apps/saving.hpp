// What `auto` is to save, as flags of `run` and `serve`: short for -c method.save=… and -c method.link=….
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace driftless::app {

void add_save(CLI::App& command, std::string& save);

// The overrides with those of the flags behind them. ConfigError where a time is to be saved and there is not exactly
// one link.
std::vector<std::string> with_saving(std::vector<std::string> overrides, const std::string& save,
                                     const std::vector<std::string>& links);

}  // namespace driftless::app
