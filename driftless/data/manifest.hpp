// A split as a file: which rows went to which client, of what data, and how it was drawn. Another run can use it as it
// is; the digests make sure that it belongs to this data and that the lists are unchanged.
#pragma once

#include "driftless/data/labelled_rows.hpp"
#include "driftless/data/partition.hpp"

#include <filesystem>
#include <string>

namespace driftless {

struct SplitManifest {
  std::string data_name;
  std::string data_digest;
  SplitOptions options;
  std::uint64_t seed = 0;
  Partition partition;
};

std::string partition_digest(const Partition& partition);

std::string manifest_text(const LabelledRows& data, const SplitOptions& options, std::uint64_t seed,
                          const Partition& partition);
void write_manifest(const std::filesystem::path& path, const LabelledRows& data, const SplitOptions& options,
                    std::uint64_t seed, const Partition& partition);

// DataError if it is not a manifest, was made for other data, or its lists were changed, overlap or miss rows.
SplitManifest read_manifest(const std::filesystem::path& path, const LabelledRows& data);

}  // namespace driftless
