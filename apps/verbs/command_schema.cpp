// driftless schema
#include "driftless/console/log.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/tables/schema_file.hpp"
#include "driftless/tables/schema_proposal.hpp"

#include "apps/command_line.hpp"
#include "apps/output_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

struct SchemaRequest {
  std::vector<std::string> files;
  ProposalOptions options;
  std::string out;  // empty: standard output
  bool quiet = false;
  Format format = Format::text;
};

nlohmann::ordered_json column_json(const ProposedColumn& column) {
  nlohmann::ordered_json json{
      {"name", column.column.name},  {"role", column_role_names[static_cast<std::size_t>(column.column.role)]},
      {"reason", column.reason},     {"missing", column.missing},
      {"distinct", column.distinct}, {"distinct_complete", column.counted}};
  if (column.numbers) json["range"] = {column.low, column.high};
  if (!column.column.levels.empty()) json["levels"] = column.column.levels;
  return json;
}

nlohmann::ordered_json proposal_json(const SchemaProposal& proposal) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ProposedColumn& column : proposal.columns) columns.push_back(column_json(column));
  return {{"schema_version", 1},
          {"files", proposal.files},
          {"rows", proposal.rows},
          {"digest", schema_digest(proposal.schema())},
          {"columns", std::move(columns)}};
}

void warn_without_variables(const Schema& schema) {
  if (std::ranges::none_of(schema.columns, &SchemaColumn::is_variable))
    log_warning("no column of these files can explain the label: give roles to columns by hand");
}

ExitCode propose(const SchemaRequest& request) {
  const std::vector<std::filesystem::path> files(request.files.begin(), request.files.end());
  require_other_file(request.out, files);
  const SchemaProposal proposal = propose_schema(files, request.options);
  warn_without_variables(proposal.schema());
  const std::string text = proposal_text(proposal, !request.quiet);
  if (!request.out.empty()) {
    write_output_file(request.out, text);
    log_info("wrote " + request.out + ": check every role before it is shared");
  }
  if (request.format == Format::json) print_json(proposal_json(proposal));
  else if (request.out.empty()) fmt::print("{}", text);
  return ExitCode::done;
}

}  // namespace

void declare_schema(CLI::App& command, Action& action) {
  const auto request = std::make_shared<SchemaRequest>();
  command.add_option("FILE", request->files, "CSV tables, plain, .gz or .zst; of several, all columns of any of them")
      ->required();
  command
      .add_option("--label", request->options.label,
                  "the column to be explained; if not given, one called label, y, target or outcome, or the last")
      ->type_name("NAME");
  command.add_option("--out", request->out, "write the schema there, not to standard output")->type_name("FILE.toml");
  command.add_flag("--levels", request->options.levels, "write the levels of categorical columns: texts of the files");
  command.add_flag("--quiet", request->quiet, "without comments, which tell counts and rounded ranges of the files");
  command.add_option("--delimiter", request->options.format.delimiter, "the character between cells")
      ->type_name("CHARACTER");
  command.add_flag("--decimal-comma", request->options.format.decimal_comma, "numbers are written as 0,5");
  command
      .add_option("--missing", request->options.format.missing,
                  "texts of cells without a value (if not given: empty, NA, NaN, nan, NULL, null, ?)")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_format(command, request->format);
  command.footer("Example:\n  driftless schema north.csv --label died --out schema.toml");
  command.callback([&action, request] { action = [request] { return propose(*request); }; });
}

}  // namespace driftless::app
