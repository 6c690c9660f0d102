// Run directories: their files, checked as the report checks them, and models of tables in use.
#include "driftless/console/log.hpp"
#include "driftless/glm/inference.hpp"
#include "driftless/glm/model_file.hpp"
#include "driftless/glm/predict/table_evaluation.hpp"
#include "driftless/glm/predict/table_predictions.hpp"
#include "driftless/report/line_style.hpp"
#include "driftless/results/fit_files.hpp"
#include "driftless/results/run_files.hpp"

#include "python/bindings/declare.hpp"
#include "python/bindings/experiments/requests.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace driftless::python {
namespace {

namespace fs = std::filesystem;

py::dict facts_of(const MethodFiles& method) {
  py::dict facts;
  facts["label"] = method.label;
  facts["title"] = method.title;
  facts["name"] = method.name;
  facts["stop_reason"] = method.stop_reason;
  facts["begun"] = !method.rows.empty();
  facts["fitted"] = method.fit != nullptr;
  facts["warning"] = method.warning;
  return facts;
}

py::list methods_of(const fs::path& directory) {
  RunFiles run;
  {
    const py::gil_scoped_release unlocked;
    run = read_run(directory);
  }
  py::list methods;
  for (const MethodFiles& method : run.methods) methods.append(facts_of(method));
  return methods;
}

// CSV, as `driftless predict` writes it.
std::string predict(const fs::path& model_file, const fs::path& table, const std::vector<std::string>& keep,
                    const py::object& stop_token) {
  const GlmModel model = read_model(model_file);
  std::string text;
  serve(stop_token, [&](CallerThread& caller) {
    predict_table(model, table, {.keep = keep}, token_of(caller), [&](std::string_view line) { text += line; });
  });
  return text;
}

std::string evaluate(const fs::path& model_file, const std::vector<fs::path>& tables, const py::object& stop_token) {
  const GlmModel model = read_model(model_file);
  TableEvaluation found;
  serve(stop_token, [&](CallerThread& caller) { found = evaluate_tables(model, tables, token_of(caller)); });
  if (found.pooled.rows == 0)
    throw DataError({.what = "no row can be judged",
                     .seen = tables.front().string(),
                     .advice = "give a table whose label has values"});
  return evaluation_json(found.pooled);
}

// inference.json with the errors from this source, and intervals of this level.
std::string summarize(const fs::path& inference_file, const std::string& source, double level) {
  SummaryOptions options{.level = level};
  if (!source.empty() && !OptionType<ErrorSource>::read(source, options.source.emplace()))
    throw ConfigError({.what = "there are no errors of this name",
                       .seen = "errors = " + toml_string(source),
                       .advice = "use one of: " + OptionType<ErrorSource>::allowed()});
  if (!(level >= 0.5 && level <= 0.9999))
    throw ConfigError({.what = "the level of an interval is out of range",
                       .seen = "level = " + number(level),
                       .advice = "give a number from 0.5 to 0.9999"});
  return inference_json(read_inference(inference_file), options);
}

py::tuple style_of(std::size_t index) {
  const LineStyle style = line_style(index);
  return py::make_tuple(std::string(line_colours.at(style.colour)),
                        std::vector<double>(style.dashes.begin(), style.dashes.end()),
                        std::string(marker_name(style.marker)));
}

}  // namespace

void declare_results(py::module_& m) {
  m.def("run_methods", &methods_of, py::arg("directory"));
  m.def("fit_file", &fit_file, py::arg("given"), py::arg("name"), py::arg("method"));
  m.def("coefficient_summary", &summarize, py::arg("inference_file"), py::arg("source"), py::arg("level"));
  m.def("predict_table", &predict, py::arg("model_file"), py::arg("table"), py::arg("keep"), py::arg("stop_token"));
  m.def("evaluate_tables", &evaluate, py::arg("model_file"), py::arg("tables"), py::arg("stop_token"));
  m.def("line_style", &style_of, py::arg("index"));
}

}  // namespace driftless::python
