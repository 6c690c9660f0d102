#!/usr/bin/env python3
"""Times driftless on tables beside data.table::fread, pandas.read_csv and R's glm, in turns, and prints the ratios.

    tools/bench_tables.py PROGRAM FOLDER [--rows N] [--columns N] [--repeats N] [--fits N]

The table is made up: numeric columns of six digits, a part of which all columns share, and a label 0 or 1 that depends
on all of them; one that is in the folder already is taken as it is. driftless reads it as ten files, one of each site;
the others read one file with all rows. All have the same two processors. Times are the shortest of all repeats, beside
them the processor time of all threads, which other work on the machine disturbs less; memory is the most that the
process had at a time.

  whole process    `driftless run` with test = 0.2 and all defaults: read, divide, prepare, fit to |grad f| <= 1e-8,
                   evaluate, fit and judge a model of each site alone, find standard errors, write
  fit              of `driftless run` without test rows: wall_s of metrics.csv; of R: glm.fit, the iterations of glm,
                   on the matrix of all rows, with its usual accuracy (of the deviance)
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

SITES = 10
PROCESSORS = 2
MAKER = Path(__file__).with_suffix(".R")
READ_WITH_PANDAS = """
import sys, time, pandas
start, processor_start = time.perf_counter(), time.process_time()
pandas.read_csv(sys.argv[1])
print("read", time.perf_counter() - start, time.process_time() - processor_start)
"""


class Result:
    """What one process took, or the work in it that it timed itself."""

    def __init__(self, seconds, usage, output):
        self.seconds = seconds
        self.processor = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss * 1024e-6
        self.facts = dict(line.split(maxsplit=1) for line in output.splitlines() if " " in line)

    def of_work(self, name):
        self.seconds, self.processor = map(float, self.facts[name].split())
        return self


def shortest(results):
    return min(results, key=lambda one: one.seconds)


def show(name, result, ratio):
    processor = f"{result.processor:.2f}" if result.processor else ""
    print(f"{name:<54}{result.seconds:>9.2f}{processor:>11}{ratio:>9.2f}{result.megabytes:>9.0f}", flush=True)


def run(command):
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        messages.seek(0)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}\n{messages.read().decode()}")
        return Result(seconds, usage, output.read().decode())


def make_tables(folder, rows, columns):
    run(["Rscript", MAKER, "make", folder, rows, columns, SITES])
    files = sorted(folder.glob("site-*.csv"))
    with open(folder / "all.csv", "wb") as everything:
        for number, file in enumerate(files):
            with open(file, "rb") as site:
                header = site.readline()
                if number == 0:
                    everything.write(header)
                shutil.copyfileobj(site, everything, 1 << 20)
    return files


def write_configs(folder, files, columns):
    names = [f"x{k + 1}" for k in range(columns)]
    schema = "".join(f'[[column]]\nname = "{name}"\nrole = "numeric"\n\n' for name in names)
    schema += '[[column]]\nname = "label"\nrole = "label"\nlevels = ["0", "1"]\n'
    (folder / "schema.toml").write_text(schema, encoding="utf-8")
    listed = ", ".join(f'"{file}"' for file in files)
    for name, part in (("judged", 0.2), ("fitted", 0.0)):
        (folder / f"{name}.toml").write_text(f"""[problem]
kind = "glm"
family = "logistic"
schema = "{folder / 'schema.toml'}"
test = {part}

[federation]
files = [{listed}]
threads = {PROCESSORS}

[stop]
grad_norm = 1e-8
""", encoding="utf-8")


def run_driftless(program, folder, name):
    out = folder / f"run-{name}"
    shutil.rmtree(out, ignore_errors=True)
    result = run([program, "run", folder / f"{name}.toml", "--out", out])
    with open(next(out.glob("*/metrics.csv")), newline="", encoding="utf-8") as file:
        last = list(csv.DictReader(file))[-1]
    if float(last["grad_norm"]) > 1e-8:
        raise SystemExit(f"driftless stopped at a gradient norm of {last['grad_norm']}")
    result.facts = last
    return result


def fit_of(result):
    """The fit within a run, whose processor time is not known."""
    result.seconds, result.processor = float(result.facts["wall_s"]), None
    return result


def coefficients(folder, columns):
    """Those of the run without test rows, on the scale of the columns; the intercept first."""
    with open(next((folder / "run-fitted").glob("*/inference.json")), encoding="utf-8") as file:
        estimates = {one["name"]: one["estimate"] for one in json.load(file)["coefficients"]}
    return [estimates[name] for name in ["(intercept)"] + [f"x{k + 1}" for k in range(columns)]]


def largest_difference(ours, file):
    theirs = [float(line) for line in file.read_text(encoding="utf-8").split()]
    return max(abs(a - b) / abs(b) for a, b in zip(ours, theirs, strict=True))


def size_of(table):
    """Rows and numeric columns. Reads all of it."""
    with open(table, "rb") as stream:
        columns = stream.readline().count(b",")
        return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 22), b"")), columns


def measure(program, folder, columns, given):
    everything = folder / "all.csv"
    readers = {
        f"data.table::fread, {PROCESSORS} threads, reading alone": ["Rscript", MAKER, "read", everything, PROCESSORS],
        "pandas.read_csv, reading alone": ["/usr/bin/python3", "-c", READ_WITH_PANDAS, everything],
    }
    results = {name: [] for name in ("judged", "fitted", *readers)}
    for _ in range(given.repeats):
        results["judged"].append(run_driftless(program, folder, "judged"))
        results["fitted"].append(fit_of(run_driftless(program, folder, "fitted")))
        for name, command in readers.items():
            results[name].append(run(command).of_work("read"))
    best = {name: shortest(all_of_one) for name, all_of_one in results.items()}
    whole, fit = best["judged"], best["fitted"]
    print(f"{'':<54}{'seconds':>9}{'processor':>11}{'ratio':>9}{'MB':>9}")
    show("driftless, whole process with test = 0.2", whole, 1.0)
    for name in readers:
        show(name, best[name], whole.seconds / best[name].seconds)
    show(f"driftless, fit alone, |grad f| = {float(fit.facts['grad_norm']):.0e}", fit, 1.0)
    if given.fits > 0:
        compare_fits(folder, columns, fit, given.fits)


def compare_fits(folder, columns, fit, repeats):
    command = ["Rscript", MAKER, "fit", folder / "all.csv", PROCESSORS, folder / "glm.txt"]
    theirs = shortest([run(command).of_work("fit") for _ in range(repeats)])
    show(f"R's glm.fit alone, {theirs.facts['iterations'].strip()} iterations", theirs, theirs.seconds / fit.seconds)
    print(f"\nratios: whole process / reading; glm.fit / fit. R's BLAS is {theirs.facts['blas'].strip()}")
    difference = largest_difference(coefficients(folder, columns), folder / "glm.txt")
    print(f"largest relative difference of a coefficient to R's after two more of its iterations: {difference:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fits", type=int, default=1)
    given = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:PROCESSORS])
    folder = given.folder.resolve()
    files = sorted(folder.glob("site-*.csv")) or make_tables(folder, given.rows, given.columns)
    everything = folder / "all.csv"
    # Every file is read once, so that the system has it in memory.
    rows, columns = size_of(everything)
    if sum(size_of(file)[0] for file in files) != rows:
        raise SystemExit(f"{folder}: all.csv does not have the rows of the sites; remove the folder")
    write_configs(folder, files, columns)
    print(f"{rows} rows of {columns} numbers and a label, {len(files)} sites, "
          f"{everything.stat().st_size / 1e6:.0f} MB, {PROCESSORS} processors, {given.repeats} repeats\n", flush=True)
    measure(given.program, folder, columns, given)


if __name__ == "__main__":
    main()
