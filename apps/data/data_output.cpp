#include "apps/data/data_output.hpp"

#include "driftless/core/text.hpp"
#include "driftless/data/column_scales.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/images/find_images.hpp"
#include "driftless/objectives/linear/dense_rows.hpp"
#include "driftless/objectives/linear/sparse_rows.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// How a client with all rows would store them, and why.
std::string storage_text(const Dataset& data) {
  const std::vector<std::int32_t> all = all_rows(data);
  if (prefers_dense(data, all)) return DenseRows(data, all).layout() + " (so many entries are nonzero)";
  const SparseRows rows(data, all);
  return fmt::format(
      "{} ({:.3g} bytes per nonzero)", rows.layout(),
      static_cast<double>(rows.bytes()) / static_cast<double>(std::max<std::size_t>(1, data.nonzeros())));
}

}  // namespace

void add_data_name(CLI::App& command, std::string& name) {
  command
      .add_option(
          "DATA", name,
          "a LIBSVM file, also packed, or a name such as a9a; cifar10, cifar100, mnist, fashion-mnist or a folder "
          "with the files of one")
      ->required();
}

void add_dim(CLI::App& command, std::optional<std::size_t>& dim) {
  command.add_option("--dim", dim, "number of columns; the largest index if not given")->type_name("D");
}

Dataset load_rows(const std::string& name, const std::optional<std::size_t>& dim) {
  LibsvmOptions options{.dim = {}, .labels = Labels::real, .positive_label = {}};
  if (dim) options.dim = static_cast<Index>(*dim);
  return read_libsvm(find_data(name), options);
}

ImageData load_images(const std::string& name, const std::optional<std::size_t>& dim) {
  if (dim)
    throw ConfigError({.what = "images have no number of columns",
                       .seen = fmt::format("--dim {}", *dim),
                       .advice = "leave it out; it belongs to LIBSVM files"});
  return read_images(name);
}

LabelCounts label_counts(const std::vector<double>& labels, std::span<const std::int32_t> rows) {
  LabelCounts counts;
  for (const std::int32_t row : rows) ++counts[labels[static_cast<std::size_t>(row)]];
  return counts;
}

LabelCounts label_counts(const LabelledRows& data) { return label_counts(data.label, all_rows(data)); }

std::string counts_text(const LabelCounts& counts) {
  std::vector<std::string> parts;
  for (const auto& [label, count] : counts) parts.push_back(fmt::format("{} ({})", number(label), count));
  return join(parts);
}

Json counts_json(const LabelCounts& counts) {
  Json json = Json::object();
  for (const auto& [label, count] : counts) json[number(label)] = count;
  return json;
}

namespace {

// The largest and the smallest of the columns in common use, and the hint where they differ much.
Json scales_json(const Dataset& data) {
  const std::optional<ColumnScales> scales = column_scales(std::span(&data, 1));
  if (!scales) return nullptr;
  const auto column = [](const ColumnScale& c) { return Json{{"column", c.column}, {"largest_value", c.scale}}; };
  const std::string hint = column_scales_hint(std::span(&data, 1));
  return {{"largest", column(scales->largest)},
          {"smallest", column(scales->smallest)},
          {"hint", hint.empty() ? Json(nullptr) : Json(hint)}};
}

}  // namespace

void print_info(const Dataset& data, Format format) {
  const double entries = static_cast<double>(data.rows()) * static_cast<double>(data.dim);
  const double density = static_cast<double>(data.nonzeros()) / entries;
  const LabelCounts counts = data.label_values_complete ? label_counts(data) : LabelCounts{};
  if (format == Format::json) {
    print_json({{"schema_version", 1},
                {"name", data.name},
                {"sha256", data.digest},
                {"rows", data.rows()},
                {"dim", data.dim},
                {"nonzeros", data.nonzeros()},
                {"density", density},
                {"explicit_zeros", data.explicit_zeros},
                {"storage", storage_text(data)},
                {"labels", counts_json(counts)},
                {"column_scales", scales_json(data)}});
    return;
  }
  const double per_row = static_cast<double>(data.nonzeros()) / static_cast<double>(data.rows());
  fmt::print("name      {}\nsha256    {}\nrows      {}\ncolumns   {}\nnonzeros  {} ({:.3g} per row, {:.3g} % of all "
             "entries)\n",
             data.name, data.digest, data.rows(), data.dim, data.nonzeros(), per_row, 100.0 * density);
  if (data.explicit_zeros > 0) fmt::print("zeros     {} entries were written with the value 0\n", data.explicit_zeros);
  fmt::print("kept as   {}\n", storage_text(data));
  fmt::print("labels    {}\n", counts.empty() ? "numbers, too many to list" : counts_text(counts));
  if (const std::string hint = column_scales_hint(std::span(&data, 1)); !hint.empty())
    fmt::print("hint      {}\n", hint);
}

fs::path new_folder(const std::string& name) {
  std::error_code error;
  const bool used = fs::exists(name, error) && !(fs::is_directory(name, error) && fs::is_empty(name, error));
  if (!used) fs::create_directories(name, error);
  if (used || error)
    throw ConfigError({.what = used ? "the folder for the result is not empty, and nothing is overwritten"
                                    : "the folder for the result cannot be made",
                       .seen = "--out " + name + (error ? ": " + error.message() : ""),
                       .advice = "give a new folder with --out DIR"});
  return name;
}

}  // namespace driftless::app
