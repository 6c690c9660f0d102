// What the page that `driftless report` writes shows of models of tables, in a real Chromium.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { call, emptyWorkFolder, fileUrl, inked, open, startBrowser, stopBrowser, work } from "./page_browser.mjs";

// Levels of a text column that would do harm in a page that took them for more than text.
const hostile = "zz<script>document.title=1</script><img src=x onerror=alert(1)>";
const sites = [["north", 300], ["south", 200], ["west", 30]];
const levels = ["a", "b & c", hostile];

// The same numbers in every run: the low bits of a linear congruential generator are not used.
const dice = seed => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

const writeTables = () => {
  const chance = dice(7);
  for (const [site, rows] of sites) {
    const lines = ["age,ward,town,visits,stage,ill"];
    for (let i = 0; i < rows; ++i) {
      const age = Math.round(20 + 60 * chance());
      const ward = Math.floor(3 * chance());
      const eta = 0.05 * (age - 50) + ward - 1;
      const ill = chance() < 1 / (1 + Math.exp(-eta)) ? "<b>yes</b>" : "no";
      const visits = Math.floor(-Math.log(chance()) * Math.exp(0.01 * age));
      const stage = Math.min(2, Math.floor(age / 30 + chance()));
      const town = `t${Math.floor(70 * chance())}`;
      lines.push([age, `"${levels[ward]}"`, town, visits, "I".repeat(stage + 1), `"${ill}"`].join(","));
    }
    writeFileSync(join(work, `${site}.csv`), `${lines.join("\n")}\n`);
  }
};

const schemaOf = columns => columns.map(([name, role, more = ""]) =>
  `[[column]]\nname = "${name}"\nrole = "${role}"\n${more}\n`).join("");
const configOf = (family, schema, more = "") => `[problem]
kind = "glm"
family = "${family}"
schema = "${schema}"
test = 0.25
min_rows = 20
${more}
[federation]
files = [${sites.map(([site]) => `"${site}.csv"`).join(", ")}]
`;

before(async () => {
  emptyWorkFolder();
  writeTables();
  const ill = ["ill", "label", 'levels = ["no", "<b>yes</b>"]'];
  writeFileSync(join(work, "ill.toml"), schemaOf([["age", "numeric"], ["ward", "categorical"], ill]));
  writeFileSync(join(work, "towns.toml"), schemaOf([["age", "numeric"], ["town", "categorical"], ill]));
  writeFileSync(join(work, "visits.toml"), schemaOf([["age", "numeric"], ["visits", "label"]]));
  const stage = ["stage", "label", 'levels = ["I", "II", "III"]'];
  writeFileSync(join(work, "stage.toml"), schemaOf([["age", "numeric"], stage]));
  const runs = {
    logistic: configOf("logistic", "ill.toml", 'l2 = "cv"\nfolds = 3\npath_length = 9'),
    towns: configOf("logistic", "towns.toml", "l2 = 0.01"),
    poisson: configOf("poisson", "visits.toml"),
    multinomial: configOf("multinomial", "stage.toml", "l2 = 0.01"),
  };
  for (const [name, config] of Object.entries(runs)) {
    writeFileSync(join(work, `${name}-run.toml`), config);
    call("run", `${name}-run.toml`, "--out", name);
    call("report", name);
  }
  call("report", "logistic", "poisson", "--out", "both.html");
  await startBrowser();
});
after(stopBrowser);

const json = (run, file) => JSON.parse(readFileSync(join(work, run, "auto", file), "utf8"));
const pageOf = (name, options) => open(fileUrl(`${name}/report.html`), options);
const plotOf = (page, title) => page.locator(".chart", { has: page.locator("h3", { hasText: title }) });
const numberOf = text => Number(text.replaceAll("\u202f", ""));
const near = (value, wanted, digits) =>
  assert.equal(Number(value.toPrecision(digits)), Number(wanted.toPrecision(digits)));

// Moves along a plot with the keyboard and reads the last line of the readout that has this name.
const readingOf = async (plot, keys, name) => {
  await plot.locator(".plot").focus();
  for (const key of keys) await plot.page().keyboard.press(key);
  return plot.locator(".readout tr", { hasText: name }).locator("td").allTextContents();
};

// The columns of pixels in which a dashed line in the colour of notes goes from the top to the bottom.
const linesIn = plot => plot.locator("canvas").evaluate(canvas => {
  const probe = document.createElement("span");
  probe.style.color = "var(--muted)";
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
  probe.remove();
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const isInk = (x, y) => wanted.every((v, k) => Math.abs(data[4 * (y * canvas.width + x) + k] - v) < 60) &&
    data[4 * (y * canvas.width + x) + 3] > 100;
  const inkIn = x => Array.from({ length: canvas.height }, (_, y) => isInk(x, y)).filter(Boolean).length;
  const full = Array.from({ length: canvas.width }, (_, x) => x).filter(x => inkIn(x) > 0.3 * canvas.height);
  return full.filter((x, i) => i === 0 || x > full[i - 1] + 1);
});

test("loads without complaints and without asking for anything else, for every family", async () => {
  for (const [run, plots] of [["logistic", 5], ["poisson", 2], ["multinomial", 2]]) {
    const { page, errors } = await pageOf(run);
    await page.locator(".plot canvas").nth(plots - 1).waitFor();
    assert.equal(await page.locator(".plot canvas").count(), plots);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("a run without such a model has none of the sections", async () => {
  writeFileSync(join(work, "plain.toml"), `[problem]\nkind = "quadratic"\ndim = 5\n[federation]\nclients = 2\n[[method]]
name = "gd"\nstep = 0.01\n[stop]\nrounds = 3\n`);
  call("run", "plain.toml", "--out", "plain");
  call("report", "plain");
  const { page, errors } = await pageOf("plain");
  for (const section of ["model", "coefficients", "judging", "sites", "penalty"])
    assert.equal(await page.locator(`#${section}`).isVisible(), false, section);
  assert.deepEqual(errors, []);
  await page.close();
});

test("facts are those of model.json and inference.json", async () => {
  const { page } = await pageOf("logistic");
  const facts = Object.fromEntries(await page.locator(".facts > div").evaluateAll(found =>
    found.map(fact => [fact.querySelector("dt").textContent, fact.querySelector("dd").textContent])));
  const inference = json("logistic", "inference.json");
  assert.equal(facts.family, "logistic");
  assert.equal(facts.label, "ill");
  assert.equal(facts.classes, "no (negative), <b>yes</b>");
  assert.equal(numberOf(facts["fitted rows"]), inference.rows);
  near(numberOf(facts.AIC), inference.aic, 6);
  near(numberOf(facts.deviance), inference.deviance, 6);
  assert.match(facts.l2, /by 3-fold cross-validation \(1se rule\)$/);
  await page.close();
});

test("coefficients, intervals and odds ratios are those of inference.json", async () => {
  const { page } = await pageOf("logistic");
  const rows = page.locator(".coefficients tbody tr");
  const { coefficients } = json("logistic", "inference.json");
  assert.equal(await rows.count(), coefficients.length);
  for (const [i, one] of coefficients.entries()) {
    assert.equal(await rows.nth(i).locator("th").textContent(), one.name);
    const cells = await rows.nth(i).locator("td:not(.forest-cell)").allTextContents();
    near(numberOf(cells[0]), one.estimate, 4);
    near(numberOf(cells[1]), one.error, 4);
    const [low, high] = cells[4].split(" to ").map(numberOf);
    near(low, one.low, 4);
    near(high, one.high, 4);
    near(numberOf(cells[5]), one.ratio, 4);
    near(numberOf(cells[6].split(" to ")[1]), one.ratio_high, 4);
  }
  await page.close();
});

test("intervals are drawn where the axis says, and the sign decides on the side of 1", async () => {
  const { page } = await pageOf("logistic");
  const { coefficients } = json("logistic", "inference.json");
  const drawn = await page.locator(".coefficients tbody tr").evaluateAll(rows => rows.map(row => {
    const box = name => row.querySelector(`.${name}`)?.getBoundingClientRect();
    const [zero, point, interval] = [box("zero"), box("point"), box("interval")];
    return point && { point: (point.left + point.right) / 2 - zero.left, low: interval.left - zero.left,
      high: interval.right - zero.left, clear: row.querySelector(".forest").classList.contains("clear") };
  }));
  assert.equal(drawn[0], undefined);  // the intercept
  const unit = drawn.at(-1).point / coefficients.at(-1).estimate;
  drawn.slice(1).forEach((line, i) => {
    const one = coefficients[i + 1];
    for (const [key, value] of [["point", one.estimate], ["low", one.low], ["high", one.high]])
      assert.ok(Math.abs(line[key] - unit * value) < 2, `${one.name}: ${key}`);
    assert.equal(line.clear, one.low > 0 || one.high < 0);
  });
  await page.close();
});

test("other errors and the scaled variables can be chosen", async () => {
  const { page, errors } = await pageOf("logistic");
  const inference = json("logistic", "inference.json");
  const offered = await page.locator("#errors-source option").evaluateAll(found => found.map(option => option.value));
  assert.deepEqual(offered, Object.keys(inference.errors).filter(source => inference.errors[source]));
  await page.locator("#errors-source").selectOption("row");
  const cells = await page.locator('.coefficients tr[data-name="age"] td:not(.forest-cell)').allTextContents();
  near(numberOf(cells[1]), inference.errors.row.error[inference.coefficients.findIndex(one => one.name === "age")], 4);
  assert.match(await page.locator("#coefficients").textContent(), /sandwich over rows/);
  const width = () => page.locator('.coefficients tr[data-name="age"] .interval').evaluate(one => one.offsetWidth);
  const before = await width();
  await page.locator("#forest-scale").selectOption("coded");
  assert.ok(await width() > 3 * before);
  assert.deepEqual(errors, []);
  await page.close();
});

test("texts of tables are shown as text", async () => {
  const { page, errors } = await pageOf("logistic");
  const names = await page.locator(".coefficients tbody th").allTextContents();
  assert.ok(names.includes(`ward=${hostile}`), names.join());
  assert.equal(await page.locator("main img, main script, main b").count(), 0);
  assert.match(await page.title(), /^logistic/);
  assert.ok((await page.locator("#judging .heat thead").first().textContent()).includes("predicted <b>yes</b>"));
  assert.deepEqual(errors, []);
  await page.close();
});

test("of many coefficients the most certain are shown first, and a search finds the others", async () => {
  const { page, errors } = await pageOf("towns");
  const rows = page.locator(".coefficients tbody tr");
  const { coefficients } = json("towns", "inference.json");
  assert.ok(coefficients.length > 60);
  assert.equal(await rows.count(), 50);
  const certain = coefficients.slice(1).sort((a, b) => Math.abs(b.statistic) - Math.abs(a.statistic));
  const shown = await rows.locator("th").allTextContents();
  assert.deepEqual(shown, ["(intercept)", ...certain.slice(0, 49).map(one => one.name)]);
  const last = certain.at(-1).name;
  await page.locator("#coefficient-search").fill(last.toUpperCase());
  assert.ok((await rows.locator("th").allTextContents()).includes(last));
  await page.locator("#coefficient-search").fill("");
  await page.getByRole("button", { name: `Show all ${coefficients.length}` }).click();
  assert.equal(await rows.count(), coefficients.length);
  assert.deepEqual(errors, []);
  await page.close();
});

test("the ROC curve is that of evaluation.json, with fitted and test rows", async () => {
  const { page } = await pageOf("logistic");
  const plot = plotOf(page, "ROC curve");
  await plot.locator("canvas").waitFor();
  const label = await plot.locator(".plot").getAttribute("aria-label");
  assert.match(label, /true positive rate against false positive rate/);
  for (const colour of ["--c0", "--c1"]) assert.ok(await inked(page, colour, "#judging .plot") > 100, colour);
  const { train, test: tested } = json("logistic", "evaluation.json");
  const cells = await readingOf(plot, ["Home"], "fitted rows");
  assert.deepEqual(cells.slice(2, 4).map(Number), [train.roc[0][0], train.roc[0][1]]);
  const [x, y] = (await readingOf(plot, Array(20).fill("ArrowRight"), "fitted rows")).slice(2, 4).map(Number);
  assert.ok(x !== y && train.roc.some(point => Math.abs(point[0] - x) < 1e-5 && Math.abs(point[1] - y) < 1e-5));
  const end = await readingOf(plot, ["End"], "test rows");
  assert.deepEqual(end.slice(2, 4).map(Number).map(Math.round), tested.roc.at(-1).slice(0, 2));
  near(Number(end[4]), 1 / (1 + Math.exp(-tested.roc.at(-1)[2])), 6);
  await page.close();
});

test("the calibration has a point for each bin with rows", async () => {
  const { page } = await pageOf("logistic");
  const plot = plotOf(page, "Calibration");
  await plot.locator("canvas").waitFor();
  const bins = json("logistic", "evaluation.json").train.calibration.filter(bin => bin.rows > 0);
  const cells = await readingOf(plot, ["End", "ArrowLeft"], "fitted rows");
  const read = bins.find(bin => Number(bin.predicted.toPrecision(6)) === Number(cells[2]));
  assert.ok(read, cells.join());
  near(Number(cells[3]), read.observed, 6);
  assert.equal(Number(cells[4]), read.rows);
  await page.close();
});

test("measures and the confusion matrix are those of evaluation.json", async () => {
  const keysOf = {
    logistic: ["loss", "auc", "brier", "accuracy"],
    poisson: ["loss", "r_squared", "mean_absolute_error", "deviance"],
    multinomial: ["loss", "auc", "accuracy"],
  };
  for (const [run, keys] of Object.entries(keysOf)) {
    const { page } = await pageOf(run);
    const evaluation = json(run, "evaluation.json");
    for (const key of keys) {
      const cells = await page.locator(`#judging tr[data-measure="${key}"] td`).evaluateAll(found =>
        found.map(cell => Number(cell.dataset.value)));
      assert.deepEqual(cells, [evaluation.train[key], evaluation.test[key]], `${run}: ${key}`);
    }
    const counts = await page.locator("#judging .heat").evaluateAll(found => found.map(heat =>
      [...heat.querySelectorAll("tbody tr")].map(row =>
        [...row.querySelectorAll("td")].map(cell => Number(cell.textContent)))));
    assert.deepEqual(counts, run === "poisson" ? []
      : [evaluation.train.confusion.weights, evaluation.test.confusion.weights]);
    await page.close();
  }
});

test("sites stand beside the models of their own rows, and small sites are suppressed", async () => {
  const { page } = await pageOf("logistic");
  const evaluation = json("logistic", "evaluation.json");
  const cellsOf = async site => (await page.locator(`#sites tr[data-site="${site}"] td`).evaluateAll(found =>
    found.map(cell => cell.dataset.value ?? cell.textContent)));
  assert.deepEqual(evaluation.sites.map(site => site.shown), [true, false, false]);
  const north = await cellsOf("north.csv");
  assert.equal(Number(north[1]), evaluation.sites[0].loss);
  assert.equal(Number(north[2]), evaluation.local[0].loss);
  near(Number(north[3].replace("+", "")), evaluation.sites[0].loss - evaluation.local[0].loss, 3);
  assert.deepEqual(await cellsOf("west.csv"), ["too few rows to show"]);
  assert.deepEqual(await cellsOf("south.csv"), ["too few rows to show"]);
  assert.match(await page.locator("#sites .note").textContent(), /smallest of the others is not shown either/);
  assert.equal(Number((await cellsOf("all sites"))[1]), evaluation.test.loss);
  await page.close();
});

test("the path of the penalty has its mean losses, its errors and the chosen value", async () => {
  const { page } = await pageOf("logistic");
  const path = json("logistic", "penalty_path.json");
  const plot = page.locator("#penalty .chart");
  await plot.locator("canvas").waitFor();
  const cells = await readingOf(plot, ["Home", "ArrowRight"], "mean over folds");
  const second = path.path.at(-2);
  near(Number(cells[2]), second.l2, 6);
  near(Number(cells[3]), second.loss, 6);
  near(Number(cells[4].replace("± ", "")), second.standard_error, 6);
  assert.notEqual(path.least, path.chosen);
  assert.equal((await linesIn(plot)).length, 2);
  const note = await page.locator("#penalty .note").textContent();
  const [chosen, least] = note.match(/l2 = [\d.e-]*\d/g).map(text => Number(text.slice(5)));
  near(chosen, path.l2, 4);
  near(least, path.path[path.least].l2, 4);
  const { page: other } = await pageOf("poisson");
  assert.equal(await other.locator("#penalty").isVisible(), false);
  await page.close();
  await other.close();
});

test("of several runs one model is shown at a time", async () => {
  const { page, errors } = await open(fileUrl("both.html"));
  await page.locator("#judging .plot canvas").first().waitFor();
  await page.locator("#model-select").selectOption({ label: "auto · poisson" });
  assert.match(await page.locator("#model").textContent(), /familypoisson/);
  assert.equal(await page.locator("#judging .plot").count(), 0);
  assert.equal(await page.locator("#penalty").isVisible(), false);
  await page.locator("#model-select").selectOption({ label: "auto · logistic" });
  await page.locator("#penalty .plot canvas").waitFor();
  assert.deepEqual(errors, []);
  await page.close();
});

test("a phone needs no scrolling sideways, and the colours of the system are followed", async () => {
  for (const name of ["logistic", "towns", "multinomial"]) {
    const { page } = await pageOf(name, { viewport: { width: 375, height: 800 }, colorScheme: "dark" });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 375, name);
    await page.close();
  }
  const { page } = await pageOf("logistic", { colorScheme: "dark" });
  await page.locator("#judging .plot canvas").first().waitFor();
  assert.ok(await inked(page, "--c0", "#judging .plot") > 100);
  await page.locator("#theme").click();
  assert.ok(await inked(page, "--c0", "#judging .plot") > 100);
  await page.close();
});
