// Text of unknown origin made safe for terminals and logs: a peer may send line ends, escape sequences or characters
// that change the direction of writing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driftless {

// Control characters, bidirectional controls and bytes that are not UTF-8 become "\x1b" and the like; a text of more
// than `most` bytes is cut there and ends with "...".
std::string printable(std::string_view text, std::size_t most = 200);

// Whether the bytes are UTF-8, without overlong forms and surrogates.
bool is_utf8(std::string_view text);

}  // namespace driftless
