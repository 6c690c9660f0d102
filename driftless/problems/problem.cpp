#include "driftless/problems/problem.hpp"

#include "driftless/core/check.hpp"

namespace driftless {

void keep_hosted(const Layout& layout, ClientObjectives& clients) {
  DRIFTLESS_ASSERT(clients.size() == layout.clients, "the problem and the transport have different numbers of clients");
  ClientObjectives hosted;
  for (const ClientId id : layout.hosted) hosted.push_back(std::move(clients[id]));
  clients = std::move(hosted);
}

}  // namespace driftless
