#!/usr/bin/env python3
"""Checks the pages: links lead to files and headings that exist, and lines are at most 120 characters long.

    tools/check_docs.py [ROOT]  exit 1 and file:line for every violation

Tables, code, generated text between marks, and lines that one link or address fills may be longer. Needs nothing but
Python's standard library.
"""

import re
import sys
from pathlib import Path

LONGEST = 120
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"#+ +(.*)")
MARK = re.compile(r"<!-- .*(begin|end) -->$")


def anchor_of(heading):
    """As GitHub forms it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors_of(text):
    return {anchor_of(match.group(1)) for line in prose(text) if (match := HEADING.match(line[1]))}


def prose(text):
    """(number, line) of the lines outside of fenced and indented code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def check_link(page, root, target, texts):
    if re.match(r"[a-z]+:", target):
        return ""
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page.resolve()
    if not file.exists():
        return f"{target} leads nowhere"
    if anchor and file.suffix == ".md" and anchor not in anchors_of(texts.get(file, file.read_text(encoding="utf-8"))):
        return f"{target}: there is no such heading"
    return ""


def check_page(page, root, texts):
    generated = False
    for number, line in prose(texts[page.resolve()]):
        if MARK.match(line):
            generated = line.endswith("begin -->")
        for target in LINK.findall(line):
            message = check_link(page, root, target, texts)
            if message:
                yield number, message
        if len(line) > LONGEST and not generated and not line.lstrip().startswith("|") and " " in LINK.sub("", line.strip(" *-")).strip():
            yield number, f"{len(line)} characters; wrap at {LONGEST}"


def main(arguments):
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    pages = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))
    texts = {page.resolve(): page.read_text(encoding="utf-8") for page in pages}
    findings = 0
    for page in pages:
        for number, message in check_page(page, root, texts):
            findings += 1
            print(f"{page.relative_to(root)}:{number}: {message}")
    print(f"check_docs: {len(pages)} pages, {findings} findings")
    return 1 if findings or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
