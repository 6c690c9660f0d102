// The page that `driftless report` writes, and the one that `driftless run --live` serves, in a real Chromium.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import {
  call, csv, emptyWorkFolder, fileUrl, inked, open, program, startBrowser, stopBrowser, work,
} from "./page_browser.mjs";

const quadratic = `seed = 1
[problem]
kind = "quadratic"
dim = 30
[federation]
clients = 4
[[method]]
name = "gd"
step = 0.01
${[1, 2, 3].map(seed => `[[method]]
name = "fedred-gd"
label = "fedred-gd-${seed}"
seed = ${seed}
lambda = 5
eta = 100
p = 0.1
`).join("")}
[[method]]
name = "fedprox"
title = "FedProx, λ = 1/3"
lambda = 0.3333333333333333
[stop]
rounds = 60
`;
const logistic = `seed = 2
[problem]
kind = "logistic"
data = "rows.svm"
[federation]
clients = 3
split = "dirichlet"
[[method]]
name = "gd"
step = 1
[stop]
rounds = 5
`;

const automatic = `seed = 3
[problem]
kind = "quadratic"
dim = 20
[federation]
clients = 4
[stop]
grad_norm = 1e-6
`;

before(async () => {
  emptyWorkFolder();
  writeFileSync(join(work, "quadratic.toml"), quadratic);
  writeFileSync(join(work, "logistic.toml"), logistic);
  writeFileSync(join(work, "automatic.toml"), automatic);
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 1 : -1} 1:${(i % 7) - 3} 2:${i % 2}\n`);
  writeFileSync(join(work, "rows.svm"), rows.join(""));
  call("run", "quadratic.toml", "--out", "first");
  call("run", "logistic.toml", "--out", "second");
  call("run", "automatic.toml", "--out", "third");
  call("report", "first");
  call("report", "third");
  call("report", "second");
  call("report", "first", "second", "--out", "both.html");
  call("report", "first", "--out", "links.html", "--link", "50ms,compute=0x", "--link", "1Mbit");
  await startBrowser();
});
after(stopBrowser);

test("loads from a file without complaints and without asking for anything else", async () => {
  for (const [name, charts] of [["first/report.html", 2], ["both.html", 4]]) {
    const { page, errors } = await open(fileUrl(name));
    assert.equal(await page.locator(".plot canvas").count(), charts);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("numbers are those of metrics.csv", async () => {
  const { page } = await open(fileUrl("first/report.html"));
  for (const label of ["gd", "fedred-gd-2"]) {
    const last = csv(`first/${label}/metrics.csv`).at(-1);
    const cells = await page.locator(`#endings-table tr[data-label="${label}"] td[data-value]`).evaluateAll(found =>
      found.map(cell => Number(cell.dataset.value)));
    const shown = ["round", "exchanges", "grad_evals", "f", "f_gap", "grad_norm", "dist", "wall_s"];
    assert.deepEqual(cells, shown.map(column => last[column]));
  }
  const rows = csv("first/gd/metrics.csv");
  const hit = rows.find(row => row.f_gap <= 1e-2 * rows[0].f_gap);
  const cells = await page.locator(`tbody[data-target="0.01"] tr[data-label="gd"] td[data-value]`).evaluateAll(found =>
    found.map(cell => Number(cell.dataset.value)));
  assert.deepEqual(cells, [hit.round, hit.exchanges, hit.bytes_up + hit.bytes_down, hit.grad_evals, hit.wall_s]);
  await page.close();
});

test("axes can be changed, and the cursor reads the values of the chosen ones", async () => {
  const { page, errors } = await open(fileUrl("first/report.html"));
  await page.locator("#chart-1-x").selectOption("bytes");
  await page.locator("#chart-1-y").selectOption("grad_norm");
  await page.locator("#chart-1-log-x").check();
  await page.locator("#chart-1-log-y").uncheck();
  const plot = page.locator(".plot").first();
  assert.match(await plot.getAttribute("aria-label"), /‖∇f\(x\)‖ against bytes/);
  await plot.focus();
  await page.keyboard.press("End");
  const line = page.locator(".readout").first().locator("tr", { hasText: "gd" }).first();
  const cells = await line.locator("td").allTextContents();
  const last = csv("first/gd/metrics.csv").at(-1);
  assert.equal(Number(cells[2].replaceAll("\u202f", "")), last.bytes_up + last.bytes_down);
  assert.equal(Number(cells[3]), Number(last.grad_norm.toPrecision(6)));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".readout").first().isVisible(), false);
  assert.deepEqual(errors, []);
  await page.close();
});

test("every problem has its own charts, with relative gaps and the same look for a method", async () => {
  const { page, errors } = await open(fileUrl("both.html"));
  const headings = await page.locator("#charts h3").allTextContents();
  assert.equal(headings.length, 2);
  assert.match(headings[0], /^first/);
  assert.match(headings[1], /^second/);
  for (const label of await page.locator(".plot").evaluateAll(found => found.map(plot => plot.ariaLabel)))
    assert.match(label, /\(f\(x\) − f\*\) \/ \(f\(x⁰\) − f\*\)/);
  assert.equal(await page.locator('#legend button[data-curve="gd"]').count(), 1);
  const coloured = () => page.evaluate(() => {
    const probe = document.createElement("span");
    probe.style.color = "var(--c0)";
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
    probe.remove();
    return [...document.querySelectorAll(".plot canvas")].map(canvas => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 200 && wanted.every((v, k) => Math.abs(data[i + k] - v) < 12)) ++count;
      return count;
    });
  });
  assert.ok((await coloured()).every(count => count > 30));
  await page.locator('#legend button[data-curve="gd"]').click();
  assert.deepEqual(await coloured(), [0, 0, 0, 0]);
  assert.deepEqual(errors, []);
  await page.close();
});

test("charts of one column show the same", async () => {
  const { page } = await open(fileUrl("both.html"));
  await page.locator("#chart-1-x").selectOption("bytes");
  assert.equal(await page.locator("#chart-3-x").inputValue(), "bytes");
  assert.equal(await page.locator("#chart-2-x").inputValue(), "grad_evals");
  await page.close();
});

test("targets that nobody reached are one line, and a budget that was spent without one is grey", async () => {
  const { page } = await open(fileUrl("second/report.html"));
  const text = await page.locator("#targets-table").textContent();
  assert.equal(text.trim(), "10⁻², 10⁻⁴, 10⁻⁶, 10⁻⁸ of the first gap: reached by nobody");
  assert.equal(await page.locator("#endings-table .badge").first().getAttribute("class"), "badge");
  assert.equal(await page.locator("#runs .badge").getAttribute("class"), "badge");
  const { page: other } = await open(fileUrl("first/report.html"));
  assert.equal(await other.locator("#endings-table .badge").first().getAttribute("class"), "badge good");
  await page.close();
  await other.close();
});

test("solves without gradients are exact and not the least cost, and times have units", async () => {
  const { page } = await open(fileUrl("first/report.html"));
  const cells = await page.locator('#endings-table tr[data-label="fedprox"] td').allTextContents();
  assert.ok(cells.includes("exact"));
  assert.match(cells.at(-1), /^[\d.]+ (s|ms|µs)$/);
  assert.equal(await page.locator("#targets-table td.best", { hasText: "exact" }).count(), 0);
  assert.equal(await page.locator("#endings-table tbody tr").last().locator("th").textContent(), "FedProx, λ = 1/3");
  await page.close();
});

test("settings are those that somebody changed, with 6 digits", async () => {
  const { page } = await open(fileUrl("first/report.html"));
  const keys = await page.locator("#settings-tables .settings tbody th").allTextContents();
  for (const key of ["step", "lambda", "p"]) assert.ok(keys.includes(key), key);
  for (const key of ["compressor", "output", "certificate", "cohort"]) assert.ok(!keys.includes(key), key);
  const row = page.locator("#settings-tables tr", { has: page.locator("th", { hasText: /^lambda$/ }) });
  assert.match(await row.textContent(), /0\.333333–?$|0\.333333(?!3)/);
  await page.close();
});

test("what a method chose by itself has a section of its own", async () => {
  const { page, errors } = await open(fileUrl("third/report.html"));
  const { decision } = JSON.parse(readFileSync(join(work, "third/auto/summary.json"), "utf8"));
  const row = page.locator('#decisions-table tr[data-label="auto"]');
  assert.equal(await row.locator("td").first().textContent(), decision.chosen);
  assert.ok((await row.textContent()).includes(decision.reason));
  assert.deepEqual(await row.locator("dt").allTextContents(), Object.keys(decision.measured));
  assert.deepEqual(errors, []);
  await page.close();
  const { page: other } = await open(fileUrl("first/report.html"));
  assert.equal(await other.locator("#decisions").isVisible(), false);
  await other.close();
});

test("time on links is an axis and a column of the targets", async () => {
  const { page, errors } = await open(fileUrl("links.html"));
  await page.locator("#chart-1-x").selectOption({ label: "seconds on 1Mbit" });
  assert.match(await page.locator(".plot").first().getAttribute("aria-label"), /against seconds on 1Mbit/);
  const titles = await page.locator("#targets-table thead th").allTextContents();
  assert.deepEqual(titles.slice(-2), ["time on 50ms,compute=0x", "time on 1Mbit"]);
  const rows = csv("first/gd/metrics.csv");
  const hit = rows.find(row => row.f_gap <= 1e-2 * rows[0].f_gap);
  const cell = page.locator(`tbody[data-target="0.01"] tr[data-label="gd"] td[data-value]`).nth(5);
  assert.ok(Math.abs(Number(await cell.getAttribute("data-value")) - 0.1 * hit.exchanges) < 1e-9);
  assert.deepEqual(errors, []);
  await page.close();
});

test("curves can be hidden and shown, with the keyboard too", async () => {
  const { page } = await open(fileUrl("first/report.html"));
  assert.ok(await inked(page, "--c0") > 50);
  const button = page.locator('#legend button[data-curve="gd"]');
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  assert.equal(await inked(page, "--c0"), 0);
  await button.focus();
  await page.keyboard.press("Enter");
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  assert.ok(await inked(page, "--c0") > 50);
  await page.close();
});

test("ratios follow the chosen baseline", async () => {
  const { page } = await open(fileUrl("first/report.html"));
  const ratio = label => page.locator(`tbody[data-target="0.01"] tr[data-label="${label}"] .ratio`).first().textContent();
  assert.equal(await ratio("gd"), "1 ×");
  await page.locator("#baseline").selectOption("fedred-gd (3 seeds)");
  assert.equal(await ratio("fedred-gd (3 seeds)"), "1 ×");
  assert.notEqual(await ratio("gd"), "1 ×");
  await page.close();
});

test("the split is a map of clients and labels", async () => {
  const { page } = await open(fileUrl("both.html"));
  const split = JSON.parse(readFileSync(join(work, "second/split.json"), "utf8"));
  const rows = await page.locator(".heat tbody tr").evaluateAll(found =>
    found.map(row => [...row.querySelectorAll("td")].map(cell => Number(cell.textContent))));
  assert.deepEqual(rows, split.clients.map(client => [client.rows, client.labels["-1"] ?? 0, client.labels["1"] ?? 0]));
  await page.close();
});

test("follows the colours of the system, and the button changes them", async () => {
  const { page } = await open(fileUrl("first/report.html"), { colorScheme: "dark" });
  const brightness = () => page.evaluate(() =>
    getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0));
  assert.ok(await brightness() < 150);
  await page.locator("#theme").click();
  assert.ok(await brightness() > 600);
  await page.locator("#theme").click();
  assert.ok(await brightness() < 150);
  await page.close();
});

test("a phone needs no scrolling sideways", async () => {
  const { page } = await open(fileUrl("both.html"), { viewport: { width: 375, height: 800 } });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 375);
  const broken = await page.locator(".settings td, .settings th").evaluateAll(found =>
    found.filter(cell => getComputedStyle(cell).overflowWrap === "anywhere").length);
  assert.equal(broken, 0);
  await page.close();
});

test("a live page follows the run and says when it has ended", async () => {
  const given = ["run", "quadratic.toml", "--live", "--out", "live", "-c", "stop.rounds=100000000"];
  const child = spawn(program, given, { cwd: work });
  try {
    const address = await new Promise((resolve, reject) => {
      let said = "";
      child.stderr.on("data", part => {
        said += part;
        const found = said.match(/http:\/\/127\.0\.0\.1:\d+\//);
        if (found) resolve(found[0]);
      });
      child.on("exit", () => reject(new Error(said)));
    });
    const { page, errors } = await open(address);
    await page.locator('#endings-table tr[data-label="gd"] td[data-value]').first().waitFor();
    const rounds = () => page.locator('#endings-table tr[data-label="gd"] td').nth(2).textContent();
    const early = await rounds();
    await page.waitForFunction(text =>
      document.querySelector('#endings-table tr[data-label="gd"]').cells[3].textContent !== text, early);
    child.kill("SIGINT");
    await page.waitForFunction(() => document.getElementById("live").textContent === "ended");
    assert.equal(await page.locator("#endings-table .badge").first().textContent(), "interrupted");
    assert.deepEqual(errors, []);
    await page.close();
  } finally {
    child.kill("SIGKILL");
  }
});
