// driftless data info | split | generate
#include "driftless/config/config_document.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/images/find_images.hpp"
#include "driftless/data/images/read_images.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/libsvm/libsvm_writer.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/data/split_rows.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/objectives/linear/dense_rows.hpp"
#include "driftless/objectives/linear/sparse_rows.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/problems/constants_json.hpp"

#include "apps/commands.hpp"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void print_json(const Json& json) { fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace)); }

Dataset load(const std::string& name, const std::optional<std::size_t>& dim) {
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

using Counts = std::map<double, std::size_t>;

Counts label_counts(const std::vector<double>& labels, std::span<const std::int32_t> rows) {
  Counts counts;
  for (const std::int32_t row : rows) ++counts[labels[static_cast<std::size_t>(row)]];
  return counts;
}

Counts label_counts(const LabelledRows& data) { return label_counts(data.label, all_rows(data)); }

std::string counts_text(const Counts& counts) {
  std::vector<std::string> parts;
  for (const auto& [label, count] : counts) parts.push_back(fmt::format("{} ({})", number(label), count));
  return join(parts);
}

Json counts_json(const Counts& counts) {
  Json json = Json::object();
  for (const auto& [label, count] : counts) json[number(label)] = count;
  return json;
}

// How one client with all rows would keep them, and why.
std::string storage_text(const Dataset& data) {
  const std::vector<std::int32_t> all = all_rows(data);
  if (prefers_dense(data, all)) return DenseRows(data, all).layout() + " (so many entries are nonzero)";
  const SparseRows rows(data, all);
  return fmt::format(
      "{} ({:.3g} bytes per nonzero)", rows.layout(),
      static_cast<double>(rows.bytes()) / static_cast<double>(std::max<std::size_t>(1, data.nonzeros())));
}

void print_info(const Dataset& data, Format format) {
  const double entries = static_cast<double>(data.rows()) * static_cast<double>(data.dim);
  const double density = static_cast<double>(data.nonzeros()) / entries;
  const Counts counts = data.label_values_complete ? label_counts(data) : Counts{};
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
                {"labels", counts_json(counts)}});
    return;
  }
  const double per_row = static_cast<double>(data.nonzeros()) / static_cast<double>(data.rows());
  fmt::print("name      {}\nsha256    {}\nrows      {}\ncolumns   {}\nnonzeros  {} ({:.3g} per row, {:.3g} % of all "
             "entries)\n",
             data.name, data.digest, data.rows(), data.dim, data.nonzeros(), per_row, 100.0 * density);
  if (data.explicit_zeros > 0) fmt::print("zeros     {} entries were written with the value 0\n", data.explicit_zeros);
  fmt::print("kept as   {}\n", storage_text(data));
  fmt::print("labels    {}\n", counts.empty() ? "numbers, too many to list" : counts_text(counts));
}

Json images_json(const ImageSet& set) {
  return {{"images", set.images()}, {"sha256", set.digest}, {"labels", counts_json(label_counts(labelled_rows(set)))}};
}

std::string images_text(const ImageSet& set) {
  const Counts counts = label_counts(labelled_rows(set));
  const std::size_t first = counts.begin()->second;
  const bool equal = counts.size() == set.classes &&
                     std::ranges::all_of(counts, [&](const auto& entry) { return entry.second == first; });
  return fmt::format("{} images\n  sha256     {}\n  per class  {}", set.images(), set.digest,
                     equal ? fmt::format("{} each", first) : counts_text(counts));
}

void print_info(const ImageData& data, Format format) {
  const ImageSet& train = data.train;
  const auto& [channels, height, width] = train.shape;
  if (format == Format::json) {
    print_json({{"schema_version", 1},
                {"name", train.name},
                {"shape", {channels, height, width}},
                {"classes", train.classes},
                {"mean", data.mean},
                {"deviation", data.deviation},
                {"train", images_json(train)},
                {"test", images_json(data.test)}});
    return;
  }
  fmt::print("name       {}\nshape      {} x {} x {} (channels, height, width)\nclasses    {}\nmean       {:.4g}\n"
             "deviation  {:.4g}\ntrain      {}\ntest       {}\n",
             train.name, channels, height, width, train.classes, fmt::join(data.mean, ", "),
             fmt::join(data.deviation, ", "), images_text(train), images_text(data.test));
}

// A folder that did not exist or was empty.
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

// What cannot be written is the flag's fault here.
template <class Write>
void write_to_flag(const std::string& out, Write&& write) {
  try {
    write();
  } catch (const DataError& error) {
    throw ConfigError({.what = error.trouble().what,
                       .seen = "--out " + out + ": " + error.trouble().seen,
                       .advice = error.trouble().advice});
  }
}

std::string stem_of(const std::string& data) {
  const fs::path path(data);
  return (path.has_filename() ? path : path.parent_path()).stem().string();  // a folder may end in a slash
}

struct WrittenSplit {
  Partition partition;
  std::string out;
  fs::path folder;
};

// The rows divided, in a new folder with the manifest.
WrittenSplit write_split(const LabelledRows& data, const SplitOptions& options, const DataSplitRequest& request) {
  WrittenSplit split;
  split.partition = split_rows(data, options, request.seed);
  split.out = request.out.empty() ? stem_of(request.data) + "-split" : request.out;
  split.folder = new_folder(split.out);
  write_to_flag(split.out,
                [&] { write_manifest(split.folder / "split.json", data, options, request.seed, split.partition); });
  return split;
}

void print_split(const LabelledRows& data, bool list_labels, const WrittenSplit& split, Format format) {
  const Partition& partition = split.partition;
  std::vector<std::vector<std::string>> lines{{"client", "rows", "labels (rows)"}};
  Json clients = Json::array();
  for (std::size_t id = 0; id < partition.clients.size(); ++id) {
    const Counts counts = list_labels ? label_counts(data.label, partition.clients[id]) : Counts{};
    lines.push_back({std::to_string(id), std::to_string(partition.clients[id].size()), counts_text(counts)});
    clients.push_back({{"id", id}, {"rows", partition.clients[id].size()}, {"labels", counts_json(counts)}});
  }
  if (format == Format::json) {
    print_json({{"schema_version", 1},
                {"directory", split.folder.string()},
                {"indices_sha256", partition_digest(partition)},
                {"clients", std::move(clients)}});
    return;
  }
  fmt::print("{}\nwritten to {}\n", aligned(lines, {2}), split.folder.string());
}

void set_given(auto& spec, const GivenOptions& given) {
  for (const auto& [name, text] : given)
    located(fmt::format("--{} {}", name, text), [&] { set_option(spec, name, parse_value(text)); });
}

void write_client(const fs::path& folder, const std::string& name, const DiagonalQuadratic& f) {
  write_npy(folder / (name + "-hessian.npy"), f.mean_curvature());
  write_npy(folder / (name + "-linear.npy"), f.linear());
}

void write_client(const fs::path& folder, const std::string& name, const RotatedQuadratic& f) {
  write_npy(folder / (name + "-hessian.npy"), f.mean().hessian());
  write_npy(folder / (name + "-linear.npy"), f.mean().linear());
}

// The mean matrix and the linear term of every client, f_i(x) = ½x'A_i x − c_i'x + const; a diagonal matrix as a
// vector.
void write_quadratic(const fs::path& folder, const QuadraticProblem& problem) {
  std::visit(
      [&](const auto& clients) {
        for (std::size_t i = 0; i < clients.size(); ++i)
          write_client(folder, "client-" + std::to_string(i), clients[i]);
      },
      problem.clients);
  write_npy(folder / "start.npy", problem.start);
  if (problem.minimizer) write_npy(folder / "minimizer.npy", *problem.minimizer);
  write_output_file(folder / "constants.json",
                    constants_file_text({.values = problem.constants, .exact = true, .at = "everywhere"}));
}

Json spec_json(const QuadraticSpec& spec) {
  Json json = Json::object();
  for (const auto& [key, value] : echo_options(spec)) json[key] = Json::parse(value, nullptr, false);
  return json;
}

}  // namespace

ExitCode data_info(const DataInfoRequest& request) {
  if (names_images(request.data)) print_info(load_images(request.data, request.dim), request.format);
  else print_info(load(request.data, request.dim), request.format);
  return ExitCode::done;
}

ExitCode data_split(const DataSplitRequest& request) {
  SplitOptions options{.clients = request.clients, .split = Split::iid, .alpha = request.alpha};
  if (!OptionType<Split>::read(request.split, options.split))
    throw ConfigError({.what = "there is no such split",
                       .seen = "--split " + request.split,
                       .advice = "use " + OptionType<Split>::allowed()});
  if (names_images(request.data)) {
    const LabelledRows rows = labelled_rows(load_images(request.data, request.dim).train);
    print_split(rows, true, write_split(rows, options, request), request.format);
    return ExitCode::done;
  }
  const Dataset data = load(request.data, request.dim);
  const WrittenSplit split = write_split(data, options, request);
  write_to_flag(split.out, [&] {
    for (std::size_t id = 0; id < split.partition.clients.size(); ++id)
      write_libsvm(split.folder / ("client-" + std::to_string(id) + ".svm"), data, split.partition.clients[id]);
  });
  print_split(data, data.label_values_complete, split, request.format);
  return ExitCode::done;
}

ExitCode generate_quadratic(const GenerateRequest& request) {
  QuadraticSpec spec;
  spec.seed = request.seed;
  set_given(spec, request.given);
  const QuadraticProblem problem = driftless::generate_quadratic(spec);
  if (!request.out.empty()) {
    const fs::path folder = new_folder(request.out);
    write_to_flag(request.out, [&] { write_quadratic(folder, problem); });
  }
  const Constants& c = problem.constants;
  if (request.format == Format::json) {
    print_json({{"schema_version", 1},
                {"problem", spec_json(problem.spec)},
                {"constants", constants_json(c)},
                {"minimum", problem.minimum ? Json(*problem.minimum) : Json(nullptr)},
                {"directory", request.out}});
    return ExitCode::done;
  }
  for (const ConstantInfo& constant : constant_list) fmt::print("{:<12}{:.10g}\n", constant.name, c.*constant.member);
  if (problem.minimum) fmt::print("minimum     {}\n", number(*problem.minimum));
  if (!request.out.empty()) fmt::print("written to {}\n", request.out);
  return ExitCode::done;
}

ExitCode generate_classification(const GenerateRequest& request) {
  SparseClassificationSpec spec;
  set_given(spec, request.given);
  const Dataset data = driftless::generate_classification(spec, request.seed);
  write_to_flag(request.out, [&] { write_libsvm(request.out, data); });
  print_info(data, request.format);
  if (request.format == Format::text) fmt::print("written to {}\n", request.out);
  return ExitCode::done;
}

}  // namespace driftless::app
