// driftless export
#include "driftless/console/log.hpp"
#include "driftless/experiments/model_export.hpp"

#include "apps/command_line.hpp"

namespace driftless::app {
namespace {

struct ExportRequest {
  std::string directory;  // that 'driftless run' left
  std::string method;     // its label; empty: the only one
  std::string out = "model.pt";
};

ExitCode export_network(const ExportRequest& request) {
  export_model(request.directory, request.method, request.out);
  log_info("TorchScript in " + request.out);
  return ExitCode::done;
}

}  // namespace

void declare_export(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ExportRequest>();
  command.add_option("DIR", request->directory, "a directory that 'driftless run' left")->required();
  command.add_option("--method", request->method, "label of the method; needed where the run has several")
      ->type_name("LABEL");
  command.add_option("--out", request->out, "the file to write")->type_name("FILE.pt")->capture_default_str();
  command.footer("Example:\n  driftless export runs/net --method fedavg --out fedavg.pt");
  command.callback([&action, request] { action = [request] { return export_network(*request); }; });
}

}  // namespace driftless::app
