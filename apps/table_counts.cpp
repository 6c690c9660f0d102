#include "apps/table_counts.hpp"

#include <nlohmann/json.hpp>

namespace driftless::app {

nlohmann::ordered_json counts_json(const DesignCounts& counts) {
  return {{"rows_read", counts.rows_read},
          {"rows_without_label", counts.rows_without_label},
          {"rows_with_missing", counts.rows_with_missing},
          {"cells_imputed", counts.cells_imputed},
          {"cells_unseen", counts.cells_unseen}};
}

}  // namespace driftless::app
