// The options of `auto`: what to save, and what it may use.
#pragma once

#include "driftless/core/link.hpp"
#include "driftless/core/options.hpp"

#include <string>

namespace driftless {

enum class Save { exchanges, bytes, messages, local, time };
template <>
struct EnumNames<Save> {
  static constexpr std::array<std::string_view, 5> value{"exchanges", "bytes", "messages", "local", "time"};
};

struct AutoOptions {
  Save save = Save::exchanges;
  std::string link;
  bool matrices = true;
  double gradient_goal = 0.0;

  static Fields fields() {
    using S = AutoOptions;
    return {field("save", &S::save, anything,
                  "what to save: exchanges, bytes, messages (vectors), local passes, or time on a link"),
            field("link", &S::link, anything,
                  "the network of save = \"time\", such as \"20ms,100Mbit\"; the syntax of --link"),
            field("matrices", &S::matrices, anything, "whether d x d matrices may be sent, where that saves"),
            field("gradient_goal", &S::gradient_goal, nonnegative,
                  "the ‖∇f‖ at which the run will be stopped; stop.grad_norm if not given, 0 = unknown")};
  }

  void check() const {
    if (save == Save::time && link.empty())
      throw ConfigError({.what = "save = \"time\" needs the network for which it saves",
                         .seen = "no 'link'",
                         .advice = "give latency and bandwidth of a client, as link = \"20ms,100Mbit\" or by --link"});
    if (save != Save::time && !link.empty())
      throw ConfigError({.what = "'link' is used only where time is to be saved",
                         .seen = "link = " + toml_string(link) + ", save = " + OptionType<Save>::write(save),
                         .advice = "set save = \"time\", or leave 'link' out"});
    if (!link.empty()) read_link(link, "link =");
  }
};

}  // namespace driftless
