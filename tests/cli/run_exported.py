"""run_exported.py MODEL.onnx MODEL.sql TABLE.csv PREDICTED.csv: runs exported models on a table and compares with the
predictions of driftless. Exit code 77: this Python lacks what is needed."""
import csv
import math
import sys

try:
    import sqlite3
except ImportError:
    print("no sqlite3")
    sys.exit(77)

MISSING = ("", "NA", "NaN", "nan", "NULL", "null", "?")
TEXTS = ("patient", "sex", "ward", "stage", "readmitted")


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def compare(name, found, expected):
    """`found` are pairs of a probability and a class, None where the form has no classes."""
    assert len(found) == len(expected), f"{name}: {len(found)} rows, {len(expected)} are expected"
    for row, ((probability, kind), wanted) in enumerate(zip(found, expected)):
        assert abs(probability - float(wanted["probability"])) < 1e-12, (name, row, probability, wanted)
        assert kind in (None, wanted["class"]), (name, row, kind, wanted)
    print(f"{name}: {len(found)} rows agree")


def cell(column, text):
    if text in MISSING:
        return None
    return text if column in TEXTS else float(text)


def run_sql(path, rows):
    base = sqlite3.connect(":memory:")
    base.create_function("exp", 1, math.exp)
    names = list(rows[0])
    base.execute("CREATE TABLE data (" + ", ".join(f'"{name}"' for name in names) + ")")
    base.executemany("INSERT INTO data VALUES (" + ", ".join("?" * len(names)) + ")",
                     [[cell(name, row[name]) for name in names] for row in rows])
    with open(path, encoding="utf-8") as file:
        found = base.execute(file.read())
    columns = [column[0] for column in found.description]
    return [(line[columns.index("probability")], None) for line in found]


def run_onnx(path, rows):
    try:
        import numpy
        import onnxruntime
    except ImportError:
        print("no onnxruntime")
        return None
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    feed = {}
    for wanted in session.get_inputs():
        cells = [cell(wanted.name, row[wanted.name]) for row in rows]
        if wanted.name in TEXTS:
            feed[wanted.name] = numpy.array([[value or ""] for value in cells], dtype=object)
        else:
            feed[wanted.name] = numpy.array([[numpy.nan if value is None else value] for value in cells])
    names = [output.name for output in session.get_outputs()]
    found = dict(zip(names, session.run(names, feed)))
    return [(float(p), str(kind)) for p, kind in zip(found["probability"].ravel(), found["class"].ravel())]


def main(onnx, sql, table, predicted):
    rows, expected = read(table), read(predicted)
    compare("sql", run_sql(sql, rows), expected)
    found = run_onnx(onnx, rows)
    if found is not None:
        compare("onnx", found, expected)


main(*sys.argv[1:])
