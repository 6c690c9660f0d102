// driftless export
#include "driftless/run/log.hpp"
#include "driftless/run/model_export.hpp"

#include "apps/commands.hpp"

namespace driftless::app {

ExitCode export_network(const ExportRequest& request) {
  export_model(request.directory, request.method, request.out);
  log_info("TorchScript in " + request.out);
  return ExitCode::done;
}

}  // namespace driftless::app
