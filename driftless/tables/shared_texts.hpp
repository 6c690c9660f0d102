// Texts that every client tells all peers, such as the levels of a column: sent as numbers, by the transport that sends
// all else.
#pragma once

#include "driftless/federation/transport.hpp"

#include <string>
#include <vector>

namespace driftless {

using TextLists = std::vector<std::vector<std::string>>;  // of one client: a list for each question

// Collective, two exchanges. The lists of all clients in the order of their ids, empty for the absent; `mine` are those
// of the clients hosted here, `questions` the number of lists of each. TransportError where a client sends what cannot
// be read.
std::vector<TextLists> share_texts(const std::vector<TextLists>& mine, std::size_t questions, Transport& transport);

}  // namespace driftless
