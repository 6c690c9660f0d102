// driftless export
#include "driftless/console/log.hpp"
#include "driftless/experiments/model_export.hpp"

#include "apps/commands.hpp"

namespace driftless::app {

ExitCode export_network(const ExportRequest& request) {
  export_model(request.directory, request.method, request.out);
  log_info("TorchScript in " + request.out);
  return ExitCode::done;
}

}  // namespace driftless::app
