// What is done with a fitted model of tables: summary, predict, evaluate, export.
#include "tests/cli/hospitals.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace driftless {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class TableCommands : public testing::Test {
 protected:
  ProgramResult say(std::vector<std::string> arguments) const {
    return run_program({.arguments = std::move(arguments), .folder = folder.path()});
  }
  json read_json(const std::string& name) const { return json::parse(TempFolder::read(folder / name)); }

  const TempFolder folder;
};

TEST_F(TableCommands, SummaryShowsTheCoefficientsOfTheRunInThreeForms) {
  fit_hospitals(folder);
  const ProgramResult text = say({"summary", "fit"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"logistic model of readmitted, yes against no: 896 rows of 3 sites", "(intercept)", "age",
                           "sex=M", "odds ratio", "AIC"})
    EXPECT_THAT(text.out, HasSubstr(part));
  EXPECT_EQ(say({"summary", "fit/auto"}).out, text.out);
  EXPECT_EQ(say({"summary", "fit/auto/inference.json"}).out, text.out);
  EXPECT_THAT(say({"summary", "fit", "--format", "markdown"}).out, HasSubstr("| sex=M |"));
  const json object = json::parse(say({"summary", "fit", "--format", "json", "--errors", "row", "--level", "0.9"}).out);
  EXPECT_EQ(object.at("source"), "row");
  EXPECT_EQ(object.at("level"), 0.9);
  EXPECT_EQ(object.at("coefficients").size(), 14U);
}

TEST_F(TableCommands, ARunWithoutStandardErrorsSaysSo) {
  fit_hospitals(folder, {"-c", "problem.standard_errors=false"});
  EXPECT_FALSE(std::filesystem::exists(folder / "fit/auto/inference.json"));
  const ProgramResult result = say({"summary", "fit"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("problem.standard_errors = false"));
  EXPECT_EQ(say({"predict", "fit", "examples/hospitals/west.csv", "--out", "predicted.csv"}).exit_code, 0);
}

TEST_F(TableCommands, TheLevelOfIntervalsWidensThem) {
  fit_hospitals(folder);
  const auto width = [&](const std::string& level) {
    const json age = json::parse(say({"summary", "fit", "--format", "json", "--level", level}).out)["coefficients"][1];
    return age.at("high").get<double>() - age.at("low").get<double>();
  };
  EXPECT_NEAR(width("0.99") / width("0.95"), 2.5758293035489 / 1.9599639845401, 1e-9);
}

TEST_F(TableCommands, PredictionsOfTheFittedRowsHaveTheMeanOfTheirLabels) {
  fit_hospitals(folder, {"-c", "problem.test=0"});
  double sum = 0.0;
  std::size_t rows = 0, positive = 0;
  for (const std::string site : {"north", "south", "west"}) {
    const std::string table = "examples/hospitals/" + site + ".csv";
    const ProgramResult result = say({"predict", "fit", table, "--keep", "readmitted", "--out", site + "-out.csv"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("rows predicted"));
    const Cells cells = read_csv(folder / (site + "-out.csv"));
    EXPECT_THAT(cells.front(), testing::ElementsAre("readmitted", "probability", "class"));
    for (std::size_t row = 1; row < cells.size(); ++row, ++rows) {
      const double probability = std::stod(cells[row][1]);
      EXPECT_EQ(cells[row][2], probability > 0.5 ? "yes" : "no");
      sum += probability;
      positive += cells[row][0] == "yes" ? 1 : 0;
    }
  }
  EXPECT_EQ(rows, 1120U);
  // The likelihood equation of the intercept.
  EXPECT_NEAR(sum, static_cast<double>(positive), 1e-5);
}

TEST_F(TableCommands, PredictionsHandleAndCountWhatTheModelDoesNotKnow) {
  fit_hospitals(folder);
  folder.write("new.csv", "ward,stage,age,sex,bmi,pressure,creatinine\n"
                          "cardiology,II,51,F,22.7,109,0.85\n"
                          "\"a ward, that is new\",II,51,F,22.7,109,0.85\n"
                          "cardiology,,51,F,NA,109,0.85\n");
  const ProgramResult result = say({"predict", "fit", "new.csv", "--jsonl"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("3 rows predicted; 2 missing cells were filled; 1 text is no level of the model"));
  std::istringstream lines(result.out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json row = json::parse(line);
    EXPECT_GT(row.at("probability").get<double>(), 0.0);
    EXPECT_LT(row.at("probability").get<double>(), 1.0);
  }
  EXPECT_EQ(count, 3U);
}

TEST_F(TableCommands, WhatIsMissingIsNamed) {
  fit_hospitals(folder);
  const ProgramResult no_model = say({"predict", "nowhere", "examples/hospitals/west.csv"});
  EXPECT_EQ(no_model.exit_code, 5);
  EXPECT_THAT(no_model.err, HasSubstr("there is no such file"));
  folder.write("short.csv", "age,sex\n51,F\n");
  const ProgramResult no_column = say({"predict", "fit", "short.csv", "--out", "short-out.csv"});
  EXPECT_EQ(no_column.exit_code, 5);
  EXPECT_THAT(no_column.err, HasSubstr("'bmi'"));
  EXPECT_FALSE(std::filesystem::exists(folder / "short-out.csv"));
  const ProgramResult two_outputs = say({"predict", "fit", "examples/hospitals/west.csv", "--format", "json"});
  EXPECT_EQ(two_outputs.exit_code, 2);
  EXPECT_THAT(two_outputs.err, HasSubstr("--out"));
  folder.write("unlabelled.csv",
               "age,sex,bmi,pressure,creatinine,ward,stage,readmitted\n51,F,22.7,109,0.85,general,II,\n");
  const ProgramResult no_label = say({"evaluate", "fit", "unlabelled.csv"});
  EXPECT_EQ(no_label.exit_code, 5);
  EXPECT_THAT(no_label.err, HasSubstr("no row can be judged"));
}

TEST_F(TableCommands, SeveralModelsOfARunNeedALabel) {
  copy_hospitals(folder);
  folder.write("two.toml", TempFolder::read(folder / "examples/hospitals/readmission.toml") +
                               "\n[[method]]\nname = \"newton-cg\"\n[[method]]\nname = \"l-bfgs\"\n");
  ASSERT_EQ(say({"run", "two.toml", "--out", "fit"}).exit_code, 0);
  const ProgramResult open = say({"summary", "fit"});
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_THAT(open.err, HasSubstr("give --method with one of: l-bfgs, newton-cg"));
  EXPECT_EQ(say({"summary", "fit", "--method", "newton-cg"}).exit_code, 0);
}

TEST_F(TableCommands, EvaluationOfTheFittedTablesIsThatOfTheRun) {
  fit_hospitals(folder, {"-c", "problem.test=0"});
  const ProgramResult result = say({"evaluate", "fit", "examples/hospitals/north.csv", "examples/hospitals/south.csv",
                                    "examples/hospitals/west.csv", "--format", "json", "--out", "again.json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out), of_run = read_json("fit/auto/evaluation.json");
  EXPECT_EQ(found, read_json("again.json"));
  EXPECT_EQ(found.at("test").at("rows"), 1120);
  EXPECT_EQ(found.at("sites").size(), 3U);
  for (const char* measure : {"loss", "accuracy", "brier", "deviance"})
    EXPECT_NEAR(found.at("test").at(measure).get<double>(), of_run.at("train").at(measure).get<double>(),
                1e-12 * std::abs(of_run.at("train").at(measure).get<double>()))
        << measure;
  EXPECT_EQ(found.at("test").at("confusion"), of_run.at("train").at("confusion"));
}

TEST_F(TableCommands, ModelsAreExportedByTheNameOfTheFileOrByTheFormAskedFor) {
  fit_hospitals(folder);
  EXPECT_THAT(say({"export", "fit", "--to", "formula"}).out, HasSubstr("score"));
  EXPECT_EQ(say({"export", "fit", "--out", "model.sql"}).exit_code, 0);
  EXPECT_THAT(TempFolder::read(folder / "model.sql"), HasSubstr("FROM"));
  EXPECT_EQ(say({"export", "fit"}).exit_code, 0);
  EXPECT_THAT(TempFolder::read(folder / "model.onnx"), HasSubstr("ai.onnx.ml"));
  const ProgramResult unknown = say({"export", "fit", "--out", "model.xlsx"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("onnx, formula, sql, csv"));
}

// The formula in SQL, by SQLite, where Python has it; and the ONNX file, where Python has ONNX Runtime.
TEST_F(TableCommands, ExportedModelsPredictWhatThePredictCommandDoes) {
  fit_hospitals(folder);
  ASSERT_EQ(say({"export", "fit", "--out", "model.onnx"}).exit_code, 0);
  ASSERT_EQ(say({"export", "fit", "--out", "model.sql"}).exit_code, 0);
  ASSERT_EQ(say({"predict", "fit", "examples/hospitals/west.csv", "--out", "predicted.csv"}).exit_code, 0);
  const char* given = std::getenv("DRIFTLESS_PYTHON");
  const ProgramResult result =
      run_program({.arguments = {std::string(DRIFTLESS_SOURCE_FOLDER) + "/tests/cli/run_exported.py", "model.onnx",
                                 "model.sql", "examples/hospitals/west.csv", "predicted.csv"},
                   .folder = folder.path(),
                   .program = given != nullptr ? given : "/usr/bin/python3"});
  if (result.exit_code == 77 || result.exit_code == 99) GTEST_SKIP() << "no Python with sqlite3: " << result.out;
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("sql: 240 rows agree"));
  if (result.out.find("no onnxruntime") == std::string::npos) {
    EXPECT_THAT(result.out, HasSubstr("onnx: 240 rows agree"));
  }
}

}  // namespace
}  // namespace driftless
