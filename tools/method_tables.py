#!/usr/bin/env python3
"""Writes the tables of methods in the README and in docs/ from the catalogue of a built program.

    tools/method_tables.py PROGRAM          write the tables
    tools/method_tables.py --check PROGRAM  write nothing; exit 1 and name the tables that are not up to date

PROGRAM is the `driftless` program; its `methods --format json` is the only source. A table stands between two marks,
`<!-- methods: TABLE begin -->` and `<!-- methods: TABLE end -->`; TABLE is a key of TABLES below. On the page of a
family it has the methods of that family, elsewhere all of them. Needs nothing but Python's standard library.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAMILY_PAGES = Path("docs/methods")
MARK = re.compile(r"(<!-- methods: (\w+) begin -->\n)(.*?)(<!-- methods: \2 end -->)", re.DOTALL)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def code(name):
    return f"`{name}`"


def amount(method, key):
    """'2', '≥ 3' where the data decide, '0.2 (+1)' where a coin adds something."""
    least = "≥ " if method["round_traffic"]["at_least"] else ""
    coin = method["coin_traffic"][key]
    return f"{least}{method['round_traffic'][key]:g}" + (f" (+{coin:g})" if coin > 0 else "")


def exchanges(method):
    first = method["start_traffic"]["exchanges"]
    return amount(method, "exchanges") + (f", and {first} at the start" if first > 0 else "")


def families(methods, page):
    """The number of methods, and the methods by family with the title of the family's page."""
    by_family = {}
    for method in methods:
        by_family.setdefault(method["family"], []).append(code(method["name"]))
    rows = []
    for family, names in by_family.items():
        family_page = FAMILY_PAGES / f"{family}.md"
        title = (ROOT / family_page).read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        link = Path(*[".."] * len(page.parent.parts)) / family_page
        rows.append((f"[{title}]({link})", ", ".join(names)))
    return f"{len(methods)} methods in {len(by_family)} families:\n\n" + table(("family", "methods"), rows)


def overview(methods, _):
    def theory(method):
        return ", ".join(f"{code(option)} = {formula}" for option, formula in method["theory"].items())

    return table(("method", "what it does", "paper", "values of theory"),
                 [(code(m["name"]), m["summary"], m["paper"], theory(m) or "none") for m in methods])


def rates(methods, _):
    def limit(method):
        return "x*" if method["reaches_minimizer"] else f"near x*: {method['limit']}"

    return table(("method", "rounds to accuracy ε", "proved for", "limit"),
                 [(code(m["name"]), m["rate"], m["proved_for"], limit(m)) for m in methods])


def traffic(methods, _):
    return table(("method", "exchanges", "up", "down", "clients send", "clients receive"),
                 [(code(m["name"]), exchanges(m), amount(m, "vectors_up_per_client"),
                   amount(m, "vectors_down_per_client"), m["messages"]["up"], m["messages"]["down"]) for m in methods])


TABLES = {"families": families, "overview": overview, "rates": rates, "traffic": traffic}


def written(methods, page):
    """The text of the page with its tables written, and the names of the tables that differ."""
    family = page.stem if page.parent == FAMILY_PAGES else None
    known = [m for m in methods if m["family"] == family] or methods
    stale = []

    def replace(mark):
        begin, name, old, end = mark.groups()
        new = TABLES[name](known, page) + "\n"
        if old != new:
            stale.append(name)
        return begin + new + end

    text = (ROOT / page).read_text(encoding="utf-8")
    return MARK.sub(replace, text), stale


def main(arguments):
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check:
        sys.exit(__doc__)
    listing = subprocess.run([arguments[-1], "methods", "--format", "json"], check=True, capture_output=True)
    methods = json.loads(listing.stdout)["methods"]
    pages = [Path("README.md"), Path("docs/methods.md")]
    pages += sorted(FAMILY_PAGES / f"{family}.md" for family in {m["family"] for m in methods})
    any_stale = False
    for page in pages:
        text, stale = written(methods, page)
        if "<!-- methods: " not in text:
            sys.exit(f"{page}: no table of methods; see {Path(__file__).name} for the marks")
        if not stale:
            continue
        any_stale = True
        print(f"{page}: {', '.join(stale)} {'out of date; run scripts/method-tables' if check else 'written'}")
        if not check:
            (ROOT / page).write_text(text, encoding="utf-8")
    if check and any_stale:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
