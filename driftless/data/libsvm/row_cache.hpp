// What packed LIBSVM files held, one binary file each, recognised by the digest of the packed bytes. Such a file spares
// unpacking, reading and the digest of the text. For plain files it would spare nothing: they are read as fast as their
// digest is formed.
#pragma once

#include "driftless/data/libsvm/libsvm_text.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace driftless {

class RowCache {
 public:
  using Warn = std::function<void(const std::string&)>;

  RowCache(std::filesystem::path folder, Warn warn) : folder_(std::move(folder)), warn_(std::move(warn)) {}

  // None where there is no entry, or, with a warning, none to be trusted. `name` is what the rows are called.
  std::optional<ParsedText> read(const std::string& packed_digest, const std::string& name) const;
  void write(const std::string& packed_digest, const ParsedText& rows) const;  // failing is worth a warning only

  std::filesystem::path file(const std::string& packed_digest) const;

 private:
  std::filesystem::path folder_;
  Warn warn_;
};

}  // namespace driftless
