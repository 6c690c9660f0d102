// A share on its way through the server: AES-256-GCM, so that only its holder can read it, and a change is noticed.
#pragma once

#include "driftless/secure_sum/secret.hpp"

#include <optional>

namespace driftless {

// A key serves for one share alone.
std::string sealed_share(const Secret& key, const Secret& share);
std::optional<Secret> opened_share(const Secret& key, std::string_view sealed);  // none where it was changed

}  // namespace driftless
