// driftless report
#include "driftless/console/log.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/report/figure.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/report_figures.hpp"
#include "driftless/report/target_costs.hpp"
#include "driftless/results/link_table.hpp"

#include "apps/command_line.hpp"

#include <fmt/format.h>
#include <fstream>

namespace driftless::app {
namespace {

struct ReportRequest {
  std::vector<std::string> directories;
  std::string out;  // the page; report.html if empty
  std::string svg;  // a folder for figures; none if empty
  std::string pdf;  // the same as PDF
  FigureChoice choice;
  std::string width;  // of the figures, such as 85mm; their own if empty
  std::string height;
  std::vector<std::string> links;  // networks to replay the runs on
  Format format = Format::text;
};

namespace fs = std::filesystem;

// Replaces an earlier report, which can always be made again, but no other file.
void write_or_reject(const fs::path& file, std::string_view bytes, std::string_view mark, const std::string& flag) {
  std::error_code error;
  if (fs::exists(file, error)) {
    std::string beginning(mark.size(), '\0');
    std::ifstream(file, std::ios::binary).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    if (beginning != mark)
      throw ConfigError({.what = "this file is not an earlier report, and is not overwritten",
                         .seen = flag + " " + file.string(),
                         .advice = "give another path with " + flag});
  }
  try {
    write_output_file(file, bytes);
  } catch (const DataError& unwritable) {
    throw ConfigError({.what = "the report cannot be written",
                       .seen = flag + ": " + unwritable.info().seen,
                       .advice = unwritable.info().advice});
  }
}

fs::path page_path(const ReportRequest& request) {
  if (!request.out.empty()) return request.out;
  return request.directories.size() == 1 ? fs::path(request.directories.front()) / "report.html"
                                         : fs::path("report.html");
}

FigureSize size_of(const ReportRequest& request) {
  FigureSize size;
  if (!request.width.empty()) size.width = read_length(request.width, "--width");
  if (!request.height.empty()) size.height = read_length(request.height, "--height");
  return size;
}

void check_figure_flags(const ReportRequest& request) {
  const bool chosen = !request.choice.figures.empty() || !request.choice.curves.empty() || !request.width.empty() ||
                      !request.height.empty();
  if (chosen && request.svg.empty() && request.pdf.empty())
    throw ConfigError({.what = "a choice of figures, curves or a size, but no figures are written",
                       .seen = "neither --svg nor --pdf",
                       .advice = "give a folder for the figures with --svg DIR or --pdf DIR"});
  size_of(request);
}

std::vector<std::string> write_figures(const ReportRequest& request, std::span<const RunFiles> runs) {
  std::vector<std::string> files;
  const auto write = [&](const std::string& folder, const std::string& name, const std::string& bytes,
                         std::string_view mark, const std::string& flag) {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path file = fs::path(folder) / name;
    write_or_reject(file, bytes, mark, flag);
    files.push_back(file.string());
  };
  if (request.svg.empty() && request.pdf.empty()) return files;
  const FigureSize size = size_of(request);
  for (const ReportFigure& figure : report_figures(runs, request.choice)) {
    const FigureLayout layout{.columns = figure.columns, .size = size};
    if (!request.svg.empty())
      write(request.svg, figure.name + ".svg", figure_svg(figure.panels, layout), figure_mark, "--svg");
    if (!request.pdf.empty())
      write(request.pdf, figure.name + ".pdf", figure_pdf(figure.panels, layout), pdf_figure_mark, "--pdf");
  }
  return files;
}

// "figures", "figures and paper": the folders of the written figures.
std::string figure_folders(const ReportRequest& request) {
  const bool both = !request.svg.empty() && !request.pdf.empty() && request.svg != request.pdf;
  return both ? request.svg + " and " + request.pdf : request.svg.empty() ? request.pdf : request.svg;
}

// The written files and, where links were given, the cost of each target with its time on the links.
void print_report_json(const fs::path& page, const std::vector<std::string>& figures, std::span<const RunFiles> runs) {
  nlohmann::ordered_json json{
      {"schema_version", 1}, {"page", page.string()}, {"figures", figures}, {"runs", runs.size()}};
  if (!runs.front().links.empty()) {
    json["links"] = links_json(runs);
    json["targets"] = target_costs_json(curves_of(runs));
  }
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitCode report(const ReportRequest& request) {
  check_figure_flags(request);
  const std::vector<Link> links = read_links(request.links);
  std::vector<RunFiles> runs;
  for (const std::string& directory : request.directories) replay(runs.emplace_back(read_run(directory)), links);
  for (const RunFiles& run : runs)
    for (const MethodFiles& method : run.methods)
      if (!method.warning.empty()) log_warning(method.warning);
  const fs::path page = page_path(request);
  write_or_reject(page, report_page(runs), page_mark, "--out");
  const std::vector<std::string> figures = write_figures(request, runs);
  if (request.format == Format::json) {
    print_report_json(page, figures, runs);
    return ExitCode::done;
  }
  fmt::print("{}", link_tables_text(target_costs(curves_of(runs)), links));
  fmt::print("report in {}\n", page.string());
  if (!figures.empty()) fmt::print("{} figures in {}\n", figures.size(), figure_folders(request));
  return ExitCode::done;
}

}  // namespace

void declare_report(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ReportRequest>();
  command.add_option("DIR", request->directories, "directories that 'driftless run' left")->required();
  command
      .add_option("--out", request->out,
                  "the page to write; report.html in the directory if not given, or here for several directories")
      ->type_name("FILE.html");
  command.add_option("--svg", request->svg, "also write the figures as SVG files into this folder")->type_name("DIR");
  command.add_option("--pdf", request->pdf, "also write the figures as PDF files into this folder")->type_name("DIR");
  command
      .add_option("--figure", request->choice.figures, "only these figures, such as f_gap-round, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  command
      .add_option("--curves", request->choice.curves,
                  "figures with only these methods, by their labels, separated by commas, in this order")
      ->delimiter(',')
      ->type_name("LABELS");
  command.add_option("--width", request->width, "width of the figures, such as 85mm or 3.35in")->type_name("LENGTH");
  command.add_option("--height", request->height, "height of the figures")->type_name("LENGTH");
  add_links(command, request->links);
  add_format(command, request->format);
  command.footer("Example:\n  driftless report results --pdf figures --figure f_gap-round --width 85mm");
  command.callback([&action, request] { action = [request] { return report(*request); }; });
}

}  // namespace driftless::app
