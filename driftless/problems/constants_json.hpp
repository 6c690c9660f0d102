// Problems and their constants as JSON. Every file and every --format json of the program writes them by these
// functions, so that they have one set of keys.
#pragma once

#include "driftless/problems/problem_constants.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace driftless {

// Kind, data, rows, columns, clients, split, digest of the only file, l2, and a sentence under "summary".
nlohmann::ordered_json problem_json(const Problem& problem);

// {"L": …, "L_f": …, …, "delta_1": …}: the names of constant_list.
nlohmann::ordered_json constants_json(const Constants& constants);

// The contents of constants.json: schema_version, at, method, n, the constants with L_sample, and their errors.
nlohmann::ordered_json constants_document(const ProblemConstants& constants);

std::string constants_file_text(const ProblemConstants& constants);  // the document as text

}  // namespace driftless
