// All methods by name. A new one is one line in the catalog_*.cpp of its family; the command line, the docs and the
// contract tests read this list.
#pragma once

#include "driftless/methods/method.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace driftless {

struct MethodEntry {
  using Echo = std::vector<std::pair<std::string, std::string>>;

  std::string name;
  std::string family;  // set by the catalogue
  std::string summary;
  std::string paper;
  std::string rate;                 // rounds to accuracy ε that theory promises
  bool reaches_minimizer = true;    // false: a biased limit, or noise that does not vanish
  Settings fixed;                   // options that the name settles
  Settings initial;                 // defaults that differ from the general method's
  Settings demo;                    // settings for the quadratics of examples/synthetic.toml
  std::vector<OptionInfo> options;  // those that are left to the user
  std::function<std::unique_ptr<Method>(const Settings&)> make;  // ConfigError if the settings are unfit
  std::function<Echo(const Settings&)> echo;                     // every option with its value, as TOML text
};

const std::vector<MethodEntry>& method_catalog();
const MethodEntry& find_method(const std::string& name);  // ConfigError with the nearest name if there is none

}  // namespace driftless
