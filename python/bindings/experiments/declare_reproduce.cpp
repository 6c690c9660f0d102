// The paper's experiments.
#include "driftless/console/log.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/reproduce/figure1.hpp"
#include "driftless/reproduce/figure2.hpp"
#include "driftless/reproduce/rate_study.hpp"

#include "apps/exit_code.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/experiments/requests.hpp"

#include <functional>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace driftless::python {
namespace {

namespace fs = std::filesystem;

fs::path new_folder(const fs::path& out) {
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_empty(out, error))
    throw ConfigError({.what = "the folder for the results is not empty",
                       .seen = "out = " + out.string(),
                       .advice = "give a folder that is new or empty"});
  fs::create_directories(out, error);
  if (!error) return out;
  throw ConfigError({.what = "results cannot be written to this folder",
                     .seen = "out = " + out.string() + ": " + error.message(),
                     .advice = "give a folder that can be written to"});
}

// A study as markdown for people and JSON for programs.
struct StudyTexts {
  std::string markdown;
  std::string json;
};

StudyTexts figure1(const StudyOptions& options) {
  const Figure1 figure = reproduce_figure1(options);
  return {.markdown = figure1_markdown(figure), .json = figure1_json(figure)};
}

StudyTexts figure2(const StudyOptions& options, bool quick, const std::vector<std::string>& data) {
  Figure2Plan plan = quick ? quick_figure2_plan() : Figure2Plan{.sets = figure2_sets()};
  if (!data.empty()) plan.sets = data;
  const Figure2 figure = reproduce_figure2(plan, options);
  return {.markdown = figure2_markdown(figure, plan), .json = figure2_json(figure, plan)};
}

StudyTexts table1(const StudyOptions& options, bool quick) {
  RateStudyOptions study{.stop_token = options.stop_token};
  if (quick) study.seeds = 5;
  const std::vector<RateFit> fits = rate_study(table1_claims(), study);
  StudyTexts texts{.markdown = rate_table(fits), .json = rate_json(fits)};
  write_output_file(options.out / "table1.md", texts.markdown);
  write_output_file(options.out / "table1.json", texts.json);
  if (const std::string figure = rate_figure(fits); !figure.empty())
    write_output_file(options.out / "table1-delta.svg", figure);
  return texts;
}

py::tuple reproduce(const std::string& what, const fs::path& out, bool quick, const std::vector<std::string>& data,
                    const py::object& stop_token) {
  if (what != "fig1" && what != "fig2" && what != "table1")
    throw ConfigError({.what = "there is no study of this name",
                       .seen = what,
                       .advice = "use one of: fig1, fig2, table1; 'driftless reproduce' also has fig3 and auto"});
  start_log();
  StudyOptions options{.out = new_folder(out), .exit_code = app::exit_number_of};
  StudyTexts texts;
  serve(stop_token, [&](CallerThread& caller) {
    options.stop_token = token_of(caller);
    if (what == "fig1") texts = figure1(options);
    else if (what == "fig2") texts = figure2(options, quick, data);
    else texts = table1(options, quick);
  });
  return py::make_tuple(texts.markdown, texts.json);
}

}  // namespace

void declare_reproduce(py::module_& m) {
  m.def("reproduce", &reproduce, py::arg("what"), py::arg("out"), py::arg("quick"), py::arg("data"),
        py::arg("stop_token"));
}

}  // namespace driftless::python
