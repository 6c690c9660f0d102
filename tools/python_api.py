#!/usr/bin/env python3
"""Writes docs/python-api.md from the docstrings of the Python package.

    PYTHONPATH=build/release/python tools/python_api.py [--check]

--check changes nothing and fails where the page is not current. A section is a public name of a module of MODULES, in the
order of GROUPS where it is named there.
"""

import dataclasses
import importlib
import inspect
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "python-api.md"
MODULES = ("driftless", "driftless.sklearn", "driftless.torch", "driftless._flower")
# Modules with one group of their own: their public name, which can be imported only where its package is, and the title.
SINGLE = {"driftless._flower": ("driftless.flower", "Flower")}
GROUPS = {
    "Minimizing": ("minimize", "Stop", "Summary", "RoundInfo", "Decision"),
    "Objectives": ("logistic", "least_squares", "linear", "glm", "quadratic", "Objective"),
    "Data": ("split", "split_rows", "read_libsvm", "generate_quadratics", "QuadraticProblem"),
    "Methods": ("methods", "describe", "Method", "Option"),
    "Federations": ("serve", "join"),
    "Methods of your own": ("Federation", "Client", "Cohort"),
    "Experiments": ("run", "resume", "read_run", "Run", "Fit", "compare", "Comparison", "inspect", "Inspection", "tune",
                    "Search", "reproduce", "Study"),
    "scikit-learn": ("FederatedLogisticRegression", "FederatedRidge", "FederatedGLM"),
    "PyTorch": ("client", "vector", "load", "TorchClient"),
    "Errors": ("Error", "ConfigError", "DataError", "RunError", "TransportError", "InternalError"),
}
HEAD = """# Python: reference

What `import driftless` offers. [The guide](python.md) shows it in use. This page is written by
`tools/python_api.py` from the docstrings.
"""


def public_names(module):
    return [name for name in module.__all__ if not name.startswith("__")]


def groups_of(module):
    """(title, names): those of GROUPS, then what they leave out."""
    names = public_names(module)
    if module.__name__ in SINGLE:
        return [(SINGLE[module.__name__][1], names)]
    groups = [(title, [name for name in members if name in names]) for title, members in GROUPS.items()]
    rest = [name for name in names if not any(name in members for _, members in groups)]
    return [(title, members) for title, members in groups + [("More", rest)] if members]


def annotation(text):
    return re.sub(r"\b(driftless\._\w+\.|npt\.|collections\.abc\.|typing\.)", "", str(text))


def signature_of(function, name):
    try:
        signature = inspect.signature(function)
    except ValueError:
        return ""
    parameters = []
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    for index, parameter in enumerate(signature.parameters.values()):
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.KEYWORD_ONLY not in kinds[:index]:
            parameters.append("*")
        prefix = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parameters.append(prefix + parameter.name + default)
    result = signature.return_annotation
    arrow = "" if result is signature.empty else f" -> {annotation(result)}"
    return f"{name}({', '.join(parameters)}){arrow}"


def compiled_text(text):
    """pybind11 puts a line with the signature before the text: (signature, text)."""
    first, _, rest = (text or "").partition("\n")
    found = re.match(r"(\w+)\(self: [\w.]+(?:, )?(.*)\) -> (.+)$", first)
    if not found:
        return "", text or ""
    arguments = re.sub(r": [^,=*()]+(?:\([^)]*\))?", "", found.group(2))
    return f"{found.group(1)}({arguments})", rest.strip()


def paragraphs(text):
    """The text with lists of arguments, attributes, results and errors as lists of Markdown; examples stay as they are."""
    lines = []
    in_example = False
    for line in inspect.cleandoc(text or "").splitlines():
        in_example = line == "Example:" or (in_example and not line[:1].strip())
        if line == "Example:":
            lines += [line, ""]
        elif in_example:
            lines.append(line)
        elif re.fullmatch(r"(Args|Attributes|Returns|Raises):", line):
            lines.append(f"{line[:-1]}:" if line != "Args:" else "Arguments:")
            lines.append("")
        elif match := re.match(r"    ([\w*]+): (.*)", line):
            lines.append(f"* `{match.group(1)}`: {match.group(2)}")
        elif line.startswith("        "):
            lines.append("  " + line.strip())
        else:
            lines.append(line.strip() if line.startswith("    ") and not line.startswith("    >>>") else line)
    return "\n".join(lines)


def field_notes(kind):
    """The comments "#: ..." behind the fields of a dataclass."""
    notes = {}
    for line in inspect.getsource(kind).splitlines():
        if match := re.match(r"    (\w+): ([^#]+?)(?: = [^#]+?)?(?:  #: (.*))?$", line):
            notes[match.group(1)] = (match.group(2).strip(), match.group(3) or "")
    return notes


def members_of(kind):
    """Lines for the attributes and functions of a class."""
    lines = []
    if dataclasses.is_dataclass(kind):
        for name, (type_text, note) in field_notes(kind).items():
            lines.append(f"* `{name}: {type_text}`" + (f": {note}" if note else ""))
    # What a class has from one of the package that is not public itself is its own for a reader.
    private = [base for base in kind.__mro__[1:] if base.__module__ == kind.__module__ and base.__name__.startswith("_")]
    members = {name: member for base in [*reversed(private), kind] for name, member in vars(base).items()}
    for name, member in members.items():
        member = getattr(member, "__func__", member) if isinstance(member, classmethod) else member
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            lines.append(f"* `{name}`: {inspect.cleandoc(member.__doc__ or '')}")
        elif inspect.isfunction(member):
            lines.append(f"* `{signature_of(member, name)}`: {first_lines(member.__doc__)}")
        elif type(member).__name__ == "instancemethod":
            shown, text = compiled_text(member.__doc__)
            lines.append(f"* `{shown}`: {' '.join(text.split())}")
    return lines


def first_lines(text):
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())


def section_of(module, name):
    member = getattr(module, name)
    shown, _ = SINGLE.get(module.__name__, (module.__name__, ""))
    lines = [f"### `{name}`" if module.__name__ not in SINGLE else f"### `{shown.partition('.')[2]}.{name}`", ""]
    if inspect.isclass(member):
        bases = [base.__name__ for base in member.__bases__ if base.__module__ != "pybind11_builtins" and base is not object]
        lines.append(f"    class {shown}.{name}" + (f"({', '.join(bases)})" if bases else ""))
        lines += ["", paragraphs(member.__doc__), ""]
        members = members_of(member)
        lines += members + [""] if members else []
    else:
        lines += [f"    {shown}.{signature_of(member, name)}", "", paragraphs(member.__doc__), ""]
    return lines


def page():
    lines = [HEAD, "<!-- python api: begin -->"]
    for module in map(importlib.import_module, MODULES):
        for title, names in groups_of(module):
            lines += [f"## {title}", ""]
            for name in names:
                lines += section_of(module, name)
    lines.append("<!-- python api: end -->")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = page()
    if not arguments:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE} is not current; write it again by tools/python_api.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
