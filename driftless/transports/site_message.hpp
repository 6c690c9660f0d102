// What the server does with a message of a site that has greeted. Only sources of this folder and fuzz targets include
// it.
#pragma once

#include "driftless/transports/wire.hpp"

namespace driftless::detail {

inline Refused unexpected(std::string seen) {
  return {ExitCode::connection,
          {.what = "the site sent something that makes no sense here",
           .seen = std::move(seen),
           .advice = "use the same program at the server and at all sites"}};
}

// Throws Refused.
inline void take_in(const wire::FromSite& message, driftless::Hub::Line& line) {
  if (message.has_piece()) {
    const wire::Piece& piece = message.piece();
    line.rows(piece.exchange(), piece.attempt(), piece.index(), values_of(piece.values()));
  } else if (message.has_saved()) {
    line.saved(message.saved().next_exchange());
  } else if (message.has_bye()) {
    line.finished();
  } else if (message.has_gives_up()) {
    throw refused_of(message.gives_up());
  } else {
    throw unexpected("neither rows nor news, in the middle of the run");
  }
}

}  // namespace driftless::detail
