// What the verbs of `driftless data` share: reading data, counts of labels, new files.
#pragma once

#include "driftless/data/images/read_images.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"

#include "apps/command_line.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace driftless::app {

void add_data_name(CLI::App& command, std::string& name);
void add_dim(CLI::App& command, std::optional<std::size_t>& dim);
Dataset load_rows(const std::string& name, const std::optional<std::size_t>& dim);
ImageData load_images(const std::string& name, const std::optional<std::size_t>& dim);

using LabelCounts = std::map<double, std::size_t>;
LabelCounts label_counts(const std::vector<double>& labels, std::span<const std::int32_t> rows);
LabelCounts label_counts(const LabelledRows& data);
std::string counts_text(const LabelCounts& counts);
nlohmann::ordered_json counts_json(const LabelCounts& counts);

void print_info(const Dataset& data, Format format);

// A folder that did not exist or was empty. ConfigError otherwise.
std::filesystem::path new_folder(const std::string& name);

// A file that cannot be written is an error of the flag that named it.
template <class Write>
void write_to_flag(const std::string& out, Write&& write) {
  try {
    write();
  } catch (const DataError& error) {
    throw ConfigError(
        {.what = error.info().what, .seen = "--out " + out + ": " + error.info().seen, .advice = error.info().advice});
  }
}

}  // namespace driftless::app
