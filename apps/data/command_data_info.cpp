// driftless data info
#include "driftless/data/images/find_images.hpp"

#include "apps/data/data_output.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

using Json = nlohmann::ordered_json;

struct DataInfoRequest {
  std::string data;  // name or path
  std::optional<std::size_t> dim;
  Format format = Format::text;
};

Json images_json(const ImageSet& set) {
  return {{"images", set.images()}, {"sha256", set.digest}, {"labels", counts_json(label_counts(labelled_rows(set)))}};
}

std::string images_text(const ImageSet& set) {
  const LabelCounts counts = label_counts(labelled_rows(set));
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

ExitCode data_info(const DataInfoRequest& request) {
  if (names_images(request.data)) print_info(load_images(request.data, request.dim), request.format);
  else print_info(load_rows(request.data, request.dim), request.format);
  return ExitCode::done;
}

}  // namespace

void declare_data_info(CLI::App& command, Action& action) {
  const auto request = std::make_shared<DataInfoRequest>();
  add_data_name(command, request->data);
  add_dim(command, request->dim);
  add_format(command, request->format);
  command.footer("Example:\n  driftless data info a9a");
  command.callback([&action, request] { action = [request] { return data_info(*request); }; });
}

}  // namespace driftless::app
