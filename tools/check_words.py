#!/usr/bin/env python3
"""Finds words that this project does not use, in code, comments, messages, scripts and pages. docs/glossary.md has those
that it does.

    tools/check_words.py [ROOT]       check a source tree; exit 1 and file:line for every finding
    tools/check_words.py --self-test  check that each word is found, and that its allowed uses are not

Needs nothing but Python's standard library.
"""

import re
import sys
from pathlib import Path

# Pattern, and what to write instead.
BANNED = (
    (r"\bwho(so)?ever\b", "name the peer, client or caller"),
    (r"\banew\b", "again, or from the beginning"),
    (r"\bat hand\b", "available, existing, hosted here"),
    (r"\b(goes|go|went) on\b(?! (to|a|an|the)\b)", "continues"),
    (r"\b(given|gave|gives|give) up\b", "dropped, cancelled, failed"),
    (r"\brefus(e|es|ed|al|als|ing)\b", "reject"),
    (r"\btired\b", "cancelled"),
    (r"\btroubles?\b", "error"),
    (r"\b(lists? of )places\b", "CSR, sliced ELLPACK"),
    (r"\bplaces?\b", "index, location (file:line), position"),
    (r"\bseats?\b", "site"),
    (r"\bshortest of many repeats\b", "minimum over repetitions"),
    (r"\bso they are not let\b", "say what the statement prevents"),
)
# Uses of these words that are ordinary English.
ALLOWED = re.compile(
    r"\b(in|into|take|takes|took|taking|taken) place\b|\bin(to)? (the|its|their) place of\b|\bdecimal places?\b"
    r"|\bplaces? (it|them|the|its|their|an?)\b|emplace|\bplaceholder", re.IGNORECASE)

ROOTS = ("driftless", "apps", "python", "tests", "benchmarks", "examples", "fuzz", "cmake", "scripts", "tools", "docs",
         "README.md", "CONTRIBUTING.md", "CMakeLists.txt")
SUFFIXES = {".hpp", ".cpp", ".cu", ".h", ".md", ".cmake", ".txt", ".py", ".pyi", ".proto", ".toml", ".mjs", ".js", ".html", ""}
SKIPPED = {"tools/check_words.py", "docs/glossary.md"}
PATTERNS = [(re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in BANNED]


def readable(line):
    """The line with identifiers taken apart, so that words inside of them are found."""
    line = re.sub(r"([a-z])([A-Z])", r"\1 \2", line)
    return line.replace("_", " ")


def check_line(line):
    """(word, advice) of every finding."""
    text = ALLOWED.sub("", readable(line))
    return [(match.group(0), advice) for pattern, advice in PATTERNS if (match := pattern.search(text))]


def files_of(root):
    for top in ROOTS:
        path = root / top
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            name = file.relative_to(root).as_posix()
            if file.is_file() and file.suffix in SUFFIXES and name not in SKIPPED and "/seeds/" not in name:
                yield name, file


def report(root):
    findings = files = 0
    for name, file in files_of(root):
        files += 1
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            for word, advice in check_line(line):
                findings += 1
                print(f"{name}:{number}: '{word}': {advice}")
    print(f"check_words: {files} files, {findings} findings")
    return 1 if findings else 0


def self_test():
    bad = ("whoever comes back", "begins anew", "the rows at hand", "the run goes on", "a site was given up",
           "it is refused", "Refused refused_by", "tired()", "struct Trouble", "lists of places", "std::string place;",
           "Seat seat", "shortest of many repeats", "so they are not let", "file_place")
    good = ("in place", "takes place", "list_.emplace_back(x)", "decimal places", "it goes on to the next",
            "std::optional placeholder", "instead of x")
    wrong = [f"'{line}' was not found" for line in bad if not check_line(line)]
    wrong += [f"'{line}' was found" for line in good if check_line(line)]
    for message in wrong:
        print(f"check_words: self-test: {message}", file=sys.stderr)
    print(f"check_words: self-test, {len(bad) + len(good)} lines, {len(wrong)} wrong")
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
