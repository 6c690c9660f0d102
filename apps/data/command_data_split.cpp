// driftless data split
#include "driftless/console/text_table.hpp"
#include "driftless/data/images/find_images.hpp"
#include "driftless/data/libsvm/libsvm_writer.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/data/split_rows.hpp"

#include "apps/data/data_output.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct DataSplitRequest {
  std::string data;
  std::optional<std::size_t> dim;
  std::size_t clients = 0;
  std::string split = "iid";
  double alpha = 1.0;
  std::size_t seed = 1;
  std::string out;  // a new folder; NAME-split if empty
  Format format = Format::text;
};

std::string stem_of(const std::string& data) {
  const fs::path path(data);
  return (path.has_filename() ? path : path.parent_path()).stem().string();  // a folder may end in a slash
}

struct WrittenSplit {
  Partition partition;
  std::string out;
  fs::path folder;
};

// Divides the rows and writes the manifest into a new folder.
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
    const LabelCounts counts = list_labels ? label_counts(data.label, partition.clients[id]) : LabelCounts{};
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
  const Dataset data = load_rows(request.data, request.dim);
  const WrittenSplit split = write_split(data, options, request);
  write_to_flag(split.out, [&] {
    for (std::size_t id = 0; id < split.partition.clients.size(); ++id)
      write_libsvm(split.folder / ("client-" + std::to_string(id) + ".svm"), data, split.partition.clients[id]);
  });
  print_split(data, data.label_values_complete, split, request.format);
  return ExitCode::done;
}

}  // namespace

void declare_data_split(CLI::App& command, Action& action) {
  const auto request = std::make_shared<DataSplitRequest>();
  const auto dirichlet = std::make_shared<std::optional<double>>();
  add_data_name(command, request->data);
  command.add_option("--clients", request->clients, "number of clients")->required()->type_name("N");
  add_dim(command, request->dim);
  CLI::Option* split = command
                           .add_option("--split", request->split,
                                       "iid | dirichlet | dirichlet-lin | label | contiguous; iid if not given")
                           ->type_name("HOW");
  CLI::Option* alpha =
      command.add_option("--alpha", request->alpha, "Dirichlet parameter; 1 if not given")->type_name("A");
  command.add_option("--dirichlet", *dirichlet, "short for --split dirichlet --alpha A")
      ->type_name("A")
      ->excludes(split)
      ->excludes(alpha);
  command.add_option("--seed", request->seed, "seed of the split; 1 if not given")->type_name("S");
  command
      .add_option("--out", request->out,
                  "folder for split.json and, of rows, one file per client; NAME-split if not given")
      ->type_name("DIR");
  add_format(command, request->format);
  command.footer("Example:\n  driftless data split a9a --clients 5 --dirichlet 0.5 --out a9a-split");
  command.callback([&action, request, dirichlet] {
    if (*dirichlet) {
      request->split = "dirichlet";
      request->alpha = **dirichlet;
    }
    action = [request] { return data_split(*request); };
  });
}

}  // namespace driftless::app
