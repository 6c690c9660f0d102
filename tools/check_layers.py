#!/usr/bin/env python3
"""Checks who includes whom: the table of layers, cycles, where third-party headers may appear, the form of headers, and
the size of folders.

    tools/check_layers.py [ROOT]       check a source tree; exit 1 and file:line for every violation
    tools/check_layers.py --self-test  plant violations in a temporary tree and check that each is reported

Needs nothing but Python's standard library.
"""

import re
import sys
import tempfile
from pathlib import Path

# Folder under driftless/ -> the folders, or single headers, it may include besides itself.
LAYERS = {
    "core": (),
    "console": ("core",),
    "files": ("core",),
    "data": ("core", "files"),
    "pki": ("core", "files"),
    "privacy": ("core",),
    "kernels": ("core",),
    "solvers": ("core",),
    "federation": ("core", "solvers"),
    "objectives": (
        "core", "data/dataset.hpp", "data/glm_rows.hpp", "data/rows_view.hpp", "kernels",
        "federation/client_objective.hpp",
    ),
    "components": ("core", "solvers", "federation"),
    "methods": ("core", "solvers", "federation", "components"),
    "optimize": ("core", "data/dataset.hpp", "objectives", "solvers", "federation", "components", "methods"),
    "checkpoints": ("core", "files", "federation", "methods", "optimize"),
    "theory": ("core", "solvers", "federation", "components", "methods"),
    "secure_sum": (
        "core", "files", "pki/openssl_handles.hpp", "federation/checkpointing.hpp", "federation/transport.hpp",
    ),
    "network": (
        "core", "files", "federation/checkpointing.hpp", "federation/transport.hpp", "federation/tree_sum.hpp",
        "secure_sum",
    ),
    "torch": ("core", "data", "solvers", "federation"),
    "config": ("core", "methods"),
    "tables": ("core", "console", "files", "data", "kernels/lane_sum.hpp", "federation", "config"),
    "glm": (
        "core", "console", "files", "data", "objectives", "solvers", "federation", "methods", "optimize", "config",
        "tables",
    ),
    "problems": (
        "core", "console", "files", "data", "kernels", "objectives", "solvers", "federation", "theory", "torch",
        "config", "tables", "glm",
    ),
    "results": (
        "core", "console", "files", "federation", "methods", "optimize", "checkpoints", "theory", "config", "glm",
        "problems",
    ),
    "experiments": (
        "core", "console", "files", "data", "pki", "solvers", "federation", "methods", "optimize", "checkpoints",
        "theory", "network/hub/site_slot.hpp", "torch", "config", "glm", "problems", "results",
    ),
    "peers": (
        "core", "console", "files", "data", "pki", "secure_sum", "objectives", "federation", "methods", "optimize", "network",
        "config", "tables", "glm", "problems", "results", "experiments",
    ),
    "tuning": (
        "core", "console", "files", "federation", "methods", "optimize", "theory", "config", "problems", "results",
        "experiments",
    ),
    "bench": ("core", "console", "data", "kernels", "objectives", "solvers", "federation", "methods", "experiments"),
    "report": ("core", "console", "files", "config", "glm", "results"),
    "reproduce": (
        "core", "console", "files", "data", "objectives", "solvers", "federation", "methods", "optimize", "theory",
        "problems", "results", "experiments", "tuning", "report",
    ),
}

# Third-party headers that are confined: what, pattern of the included name, folders it may appear in.
CONFINED = (
    ("CLI11", re.compile(r"CLI/|CLI11\.hpp"), ("apps",)),
    ("LibTorch", re.compile(r"(torch|ATen|c10)/"), ("driftless/torch", "tests/torch")),
    ("gRPC", re.compile(r"grpc(pp|\+\+)?/|google/protobuf/|.*\.pb\.h$"), ("driftless/network/grpc", "tests/network", "fuzz")),
    ("Highway", re.compile(r"hwy/"), ("driftless/kernels", "tests/kernels", "benchmarks")),
    ("MPI", re.compile(r"mpi(\+\+|cxx)?\.h$"), ("driftless/network/mpi", "tests/network", "benchmarks")),
    ("OpenSSL", re.compile(r"openssl/"), ("driftless/files", "driftless/pki", "driftless/secure_sum", "tests/pki")),
    ("cpp-httplib", re.compile(r"httplib\.h$"), ("tests/cli",)),
    ("pybind11", re.compile(r"pybind11/"), ("python",)),
    ("googletest", re.compile(r"(gtest|gmock)/"), ("tests",)),
)

ROOTS = ("driftless", "apps", "python", "tests", "benchmarks", "examples", "fuzz")
MOST_FILES = 35
HEADERS = {".hpp", ".h", ".hh"}
SOURCES = HEADERS | {".cpp", ".cc", ".cxx"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
PRAGMA_ONCE = re.compile(r"\s*#\s*pragma\s+once\b")
# Standard headers have neither folder nor suffix.
CORE_MAY_NAME = re.compile(r"Eigen/|[a-z_]+$")


def within(path, folder):
    return path.startswith(folder + "/")


def layer_of(path):
    """The folder of the library a file belongs to, or "" for files outside driftless/ or directly in it."""
    parts = path.split("/")
    return parts[1] if parts[0] == "driftless" and len(parts) > 2 else ""


def check_own_include(layer, name):
    """What is wrong with a file of `layer` including the driftless header `name`, or ""."""
    inside = name[len("driftless/"):]
    target = layer_of(name)
    if layer not in LAYERS:
        return f"driftless/{layer} is not in the table of layers"
    if target == layer or target in LAYERS[layer] or inside in LAYERS[layer]:
        return ""
    return f"{layer} may not include {name}; it may include: {', '.join((layer,) + LAYERS[layer])}"


def check_include(path, quote, name):
    layer = layer_of(path)
    if ".." in name.split("/"):
        return f"{name} climbs out of its folder; name it from the root"
    if name.startswith("driftless/"):
        return check_own_include(layer, name) if layer else ""
    if layer and quote == '"' and not name.endswith(".pb.h"):
        return f'"{name}" is not named from the root ("driftless/...")'
    for what, pattern, folders in CONFINED:
        if pattern.match(name) and not any(within(path, folder) for folder in folders):
            return f"{what} ({name}) may be used only under {', '.join(folders)}"
    if layer == "core" and not CORE_MAY_NAME.match(name):
        return f"core may use only the standard library and Eigen, not {name}"
    return ""


def check_file(path, text):
    """Violations of one file as (path, line, message)."""
    found = []
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        include = INCLUDE.match(line)
        message = check_include(path, *include.groups()) if include else ""
        if message:
            found.append((path, number, message))
    if Path(path).suffix in HEADERS and not any(PRAGMA_ONCE.match(line) for line in lines):
        found.append((path, 1, "a header needs #pragma once"))
    return found


def check_tree(root):
    """(number of files, violations) of a source tree."""
    texts = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
             for top in ROOTS for file in sorted((root / top).rglob("*"))
             if file.suffix in SOURCES and file.is_file()}
    found = [violation for path, text in texts.items() for violation in check_file(path, text)]
    return len(texts), found + find_cycles(include_graph(texts)) + check_folders(texts)


def unit_of(path):
    """A header and the source of the same name are one unit."""
    return path.rsplit(".", 1)[0]


def include_graph(texts):
    """For each unit the units it includes, with the first line that does: {unit: {unit: (path, line)}}."""
    units = {unit_of(path) for path in texts}
    graph = {unit: {} for unit in units}
    for path, text in sorted(texts.items()):
        for number, line in enumerate(text.splitlines(), start=1):
            include = INCLUDE.match(line)
            target = unit_of(include.group(2)) if include else ""
            if target in units and target != unit_of(path):
                graph[unit_of(path)].setdefault(target, (path, number))
    return graph


def find_cycles(graph):
    """One violation for each set of units that include each other, at the first include that closes a circle."""
    found, state = [], {}  # state: 1 while a unit is on the path, 2 once all behind it is known
    for start in sorted(graph):
        path, stack = [], [(start, iter(sorted(graph[start])))] if start not in state else []
        if stack:
            state[start] = 1
            path.append(start)
        while stack:
            unit, rest = stack[-1]
            target = next(rest, None)
            if target is None:
                state[unit] = 2
                stack.pop()
                path.pop()
            elif target not in state:
                state[target] = 1
                path.append(target)
                stack.append((target, iter(sorted(graph[target]))))
            elif state[target] == 1:
                circle = path[path.index(target):] + [target]
                file, line = graph[unit][target]
                found.append((file, line, "include cycle: " + " -> ".join(circle)))
    return found


def check_folders(paths):
    """Folders with more files than a reader can survey."""
    counts = {}
    for path in paths:
        counts[str(Path(path).parent)] = counts.get(str(Path(path).parent), 0) + 1
    return [(folder, 1, f"{count} files in one folder; at most {MOST_FILES}")
            for folder, count in sorted(counts.items()) if count > MOST_FILES]


def report(root):
    count, found = check_tree(root)
    if count == 0:
        print(f"check_layers: no C++ files under {root}; give the root of the source tree", file=sys.stderr)
        return 2
    for path, line, message in found:
        print(f"{path}:{line}: {message}")
    print(f"check_layers: {count} files, {len(found)} violations")
    return 1 if found else 0


# Path, text, and the line at which a violation must be reported with this word in it; line 0: none at all.
PLANTED = (
    ("driftless/core/good.hpp", '#pragma once\n#include <Eigen/Core>\n#include <vector>\n', 0, ""),
    ("driftless/core/upwards.hpp", '#pragma once\n#include "driftless/data/d.hpp"\n', 2, "core may not include"),
    ("driftless/core/fmt.cpp", "#include <fmt/core.h>\n", 1, "only the standard library"),
    ("driftless/core/guardless.hpp", "#include <vector>\n", 1, "#pragma once"),
    ("driftless/data/json.cpp", '#include "driftless/core/a.hpp"\n#include <nlohmann/json.hpp>\n', 0, ""),
    ("driftless/data/libsvm/deep.cpp", '#include "driftless/files/f.hpp"\n', 0, ""),
    ("driftless/objectives/o.hpp", '#pragma once\n#include "driftless/data/dataset.hpp"\n', 0, ""),
    ("driftless/objectives/linear/p.hpp", '#pragma once\n#include "driftless/data/d.hpp"\n', 2, "objectives may not"),
    ("driftless/solvers/s.hpp", '#pragma once\n\n#include "driftless/objectives/o.hpp"\n', 3, "solvers may not"),
    ("driftless/solvers/torch.cpp", "#include <torch/torch.h>\n", 1, "LibTorch"),
    ("driftless/federation/f.cpp", '#include "driftless/components/c.hpp"\n', 1, "federation may not"),
    ("driftless/components/server/r.cpp", '# include "driftless/methods/m.hpp"\n', 1, "components may not"),
    ("driftless/methods/m.hpp", '#pragma once\n#include <driftless/results/r.hpp>\n', 2, "methods may not"),
    ("driftless/methods/mpi.cpp", "#include <mpi.h>\n", 1, "MPI"),
    ("driftless/methods/local.cpp", '#include "m.hpp"\n', 1, "from the root"),
    ("driftless/methods/climb.cpp", '#include "../components/r.hpp"\n', 1, "climbs"),
    ("driftless/methods/comment.cpp", '// #include "driftless/results/r.hpp"\n', 0, ""),
    ("driftless/network/grpc/t.cpp", '#include "driftless/federation/transport.hpp"\n#include <grpcpp/grpcpp.h>\n', 0, ""),
    ("driftless/network/hub/t.cpp", "#include <grpcpp/grpcpp.h>\n", 1, "gRPC"),
    ("driftless/network/mpi/u.cpp", '#include "driftless/federation/federation.hpp"\n', 1, "network may not"),
    ("driftless/experiments/all.cpp", '#include "driftless/problems/p.hpp"\n#include "driftless/data/d.hpp"\n', 0, ""),
    ("driftless/experiments/cli.cpp", "#include <CLI/CLI.hpp>\n", 1, "CLI11"),
    ("driftless/report/server.cpp", "#include <httplib.h>\n", 1, "cpp-httplib"),
    ("driftless/results/proto.cpp", '#include "driftless.pb.h"\n', 1, "gRPC"),
    ("driftless/pki/p.cpp", '#include "driftless/files/d.hpp"\n#include <openssl/x509.h>\n', 0, ""),
    ("driftless/pki/q.cpp", '#include "driftless/results/r.hpp"\n', 1, "pki may not"),
    ("driftless/results/tls.cpp", "#include <openssl/ssl.h>\n", 1, "OpenSSL"),
    ("driftless/nowhere/n.cpp", '#include "driftless/core/a.hpp"\n', 1, "not in the table"),
    ("driftless/config/egg.hpp", '#pragma once\n#include "driftless/config/hen.hpp"\n', 0, ""),
    ("driftless/config/hen.hpp", "#pragma once\n", 0, ""),
    ("driftless/config/hen.cpp", '#include "driftless/config/egg.hpp"\n', 1, "include cycle"),
    ("apps/main.cpp", '#include "driftless/results/r.hpp"\n#include <CLI/CLI.hpp>\n', 0, ""),
    ("apps/test.cpp", "#include <gtest/gtest.h>\n", 1, "googletest"),
    ("tests/methods/m_test.cpp", '#include "driftless/results/r.hpp"\n#include <gtest/gtest.h>\n', 0, ""),
    ("tests/methods/climb_test.cpp", '#include "../support.hpp"\n', 1, "climbs"),
) + tuple((f"tests/crowd/c{i}.cpp", "", 0, "") for i in range(MOST_FILES + 1))


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text, _, _ in PLANTED:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        count, found = check_tree(root)
    wrong = [] if count == len(PLANTED) else [f"saw {count} files of {len(PLANTED)}"]
    if not any(path == "tests/crowd" and "in one folder" in message for path, _, message in found):
        wrong.append("tests/crowd: expected a report of too many files")
    for path, _, line, word in PLANTED:
        reports = [(number, message) for name, number, message in found if name == path]
        as_planted = len(reports) == 1 and reports[0][0] == line and word in reports[0][1]
        if not (as_planted if line else not reports):
            wrong.append(f"{path}: expected {f'line {line}: {word}' if line else 'nothing'}, got {reports}")
    for message in wrong:
        print(f"check_layers: self-test: {message}", file=sys.stderr)
    print(f"check_layers: self-test, {len(PLANTED)} planted files, {len(wrong)} wrong")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    return report(Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
