#include "driftless/problems/hosted_files.hpp"

#include <fmt/format.h>

namespace driftless {

std::vector<std::filesystem::path> hosted_files(const ProblemSetup& setup, const PeerResources& peer) {
  const Layout& layout = peer.transport.layout();
  const SiteData& own = peer.own;
  if (own.files.empty()) {
    if (setup.federation.files.empty() && !layout.hosted.empty())
      throw ConfigError({.what = "every site brings its own data, and this one was given none",
                         .seen = location_of(setup.problem.source, "data") + ": data = \"sites\"",
                         .advice =
                             "use 'driftless serve' with 'driftless join --data FILE' at every site, 'serve --inspect' "
                             "to measure and compare there; in one process give federation.files"});
    std::vector<std::filesystem::path> files;
    for (const ClientId id : layout.hosted) files.emplace_back(setup.federation.files[id]);
    return files;
  }
  if (own.files.size() == layout.hosted.size()) return own.files;
  throw ConfigError({.what = "a site needs one data file for each client it hosts",
                     .seen = fmt::format("--data: {} files, {} clients", own.files.size(), layout.hosted.size()),
                     .advice = "give --data once for each client"});
}

}  // namespace driftless
