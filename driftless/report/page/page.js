// Builds the page, and refreshes it while a run is under way.

const hidden = new Set();
let baseline = null;
let report = JSON.parse(byId("data").textContent);

// A row of charts for each problem; the charts of one column show the same.
const columns = ["round", "grad_evals"].map(x => ({ x, y: report.first_shown, log_x: false, log_y: true }));
const charts = [];
const stateChanged = state => charts.filter(chart => chart.state === state).forEach(chart => chart.redraw());
const addCharts = () => {
  for (let problem = charts.length / columns.length; problem < Math.max(1, report.problems.length); ++problem) {
    const host = element("div", { class: "charts" });
    const heading = element("h3", { class: "problem" });
    byId("charts").append(heading, host);
    columns.forEach(state => charts.push(new Chart(host,
      { number: charts.length + 1, state, hidden, problem, changed: stateChanged })));
  }
  [...byId("charts").querySelectorAll(".problem")].forEach((heading, problem) => {
    heading.hidden = report.problems.length < 2;
    const { name, summary } = report.problems[problem] ?? {};
    replace(heading, name ?? "", element("span", { class: "muted" }, summary ?? ""));
  });
};

// The plots of the model that is shown.
let modelPlots = [];
let shownModel = 0;
const modelSections = ["model", "coefficients", "judging", "sites", "penalty"];
const showModel = fits => {
  const { run, fit } = fits[shownModel] ?? {};
  modelPlots = [];
  const parts = fit ? modelParts(run, fit, modelPlots) : {};
  modelSections.forEach(section => {
    byId(section).hidden = !parts[section]?.length;
    replace(byId(`${section}-parts`), ...(parts[section] ?? []));
  });
};
const makeModels = () => {
  const fits = report.runs.flatMap(run => run.fits.map(fit => ({ run, fit })));
  if (shownModel >= fits.length) shownModel = 0;
  byId("model-choice").hidden = fits.length < 2;
  const select = byId("model-select");
  replace(select, ...fits.map(({ run, fit }, i) => element("option", { value: i, selected: i === shownModel },
    report.runs.length > 1 ? `${fit.method} · ${run.name}` : fit.method)));
  select.onchange = () => { shownModel = Number(select.value); showModel(fits); };
  showModel(fits);
};

const drawCharts = () => [...charts, ...modelPlots].forEach(chart => chart.draw());

const runEnding = run => {
  if (run.exit_code === null) return element("span", { class: "badge" }, "not ended");
  if (run.exit_code === 0) {
    const endings = report.endings.filter(end => end.run === run.name);
    const reached = endings.some(end => end.reached !== null || ["gap", "grad_norm"].includes(end.ended_by));
    return reached ? element("span", { class: "badge good" }, "done")
      : element("span", { class: "badge" }, "done, no target reached");
  }
  const reasons = { 1: "a method diverged", 7: "a check failed", 130: "interrupted", 143: "terminated" };
  return element("span", { class: "badge bad" }, reasons[run.exit_code] ?? `exit ${run.exit_code}`);
};

const runCard = run => {
  const facts = [run.start && `started ${run.start.replace("T", " ")}`, run.seed !== null && `seed ${run.seed}`,
    run.cpu, run.threads && `${run.threads} thread${run.threads === 1 ? "" : "s"}`,
    run.version && `driftless ${run.version}`, run.config_hash && `configuration ${run.config_hash}`];
  return element("div", { class: "card" }, element("h3", {}, run.name, runEnding(run)),
    element("p", {}, run.problem?.summary ?? ""), element("p", { class: "muted" }, facts.filter(Boolean).join(" · ")));
};

const makeLegend = () => {
  const focused = document.activeElement?.dataset?.curve;
  const button = look => {
    const pressed = String(!hidden.has(look.name));
    const made = element("button", { type: "button", "aria-pressed": pressed, "data-curve": look.name },
      swatch(look), look.name);
    made.addEventListener("click", () => {
      if (!hidden.delete(look.name)) hidden.add(look.name);
      made.setAttribute("aria-pressed", String(!hidden.has(look.name)));
      drawCharts();
    });
    return made;
  };
  const all = element("button", { type: "button", class: "all" }, "show all");
  all.addEventListener("click", () => { hidden.clear(); makeLegend(); drawCharts(); });
  replace(byId("legend"), ...report.looks.map(button), ...(report.looks.length > 1 ? [all] : []));
  if (focused) [...byId("legend").children].find(child => child.dataset.curve === focused)?.focus();
};

const makeBaseline = () => {
  const labels = report.curves.map(curve => curve.label);
  if (!labels.includes(baseline)) baseline = labels[report.baseline] ?? null;
  const select = byId("baseline");
  replace(select, ...labels.map(label => element("option", { value: label, selected: label === baseline }, label)));
  select.onchange = () => { baseline = select.value; replace(byId("targets-table"), targetsTable(report, baseline)); };
};

// What was shown last under each name: a part of a live page that has not changed is left alone, with its focus, its
// open lists and its scroll position.
const shown = new Map();
const renew = (name, data, make) => {
  const now = JSON.stringify(data);
  if (shown.get(name) === now) return;
  shown.set(name, now);
  make();
};

// Shows the section where there is something in it.
const fill = (section, host, data, make) => renew(section, data, () => {
  const parts = data === null || data.length === 0 ? [] : make();
  byId(section).hidden = parts.length === 0;
  replace(byId(host), ...parts);
});

const thinnedText = () => {
  const thinned = report.curves.filter(curve => curve.shown < curve.rows);
  const seeds = report.curves.some(curve => curve.seeds > 1)
    ? "Methods that differ only in their seed are drawn as their mean over the rounds that all of them measured, " +
      "with the band from least to greatest. " : "";
  return seeds + (thinned.length ? `Drawn with fewer points than were measured: ${thinned.map(curve =>
    `${curve.label} (${curve.shown} of ${curve.rows})`).join(", ")}. The tables use all of them.` : "");
};

const show = () => {
  const count = report.runs.length;
  const title = count === 1 ? report.runs[0].name : count ? `${count} runs` : "begins";
  byId("title").textContent = title;
  document.title = `${title} – driftless report`;
  renew("runs", [report.runs, report.endings.map(end => [end.ended_by, end.reached])],
    () => replace(byId("runs"), ...report.runs.map(runCard)));
  renew("models", report.runs.map(run => run.fits), makeModels);
  const labels = report.curves.map(curve => curve.label);
  renew("legend", labels, () => { makeLegend(); makeBaseline(); });
  addCharts();
  charts.forEach(chart => chart.show(report));
  byId("thinned").textContent = thinnedText();
  fill("targets", "targets-table", labels.length ? report.targets : null, () => [targetsTable(report, baseline)]);
  fill("endings", "endings-table", report.endings, () => [endingsTable(report)]);
  fill("settings", "settings-tables", [report.method_settings, report.run_settings], () => settingsTables(report));
  const measured = report.runs.filter(run => run.constants);
  fill("constants", "constants-table", measured.map(run => run.constants), () => [constantsTable(measured)]);
  const decided = report.runs.filter(run => run.decisions.length);
  fill("decisions", "decisions-table", decided.map(run => run.decisions), () => [decisionsTable(decided)]);
  const certified = report.runs.filter(run => run.certificates.length);
  fill("certificates", "certificates-table", certified.map(run => run.certificates), () => [certificatesTable(certified)]);
  const divided = report.runs.filter(run => run.split);
  fill("split", "split-tables", divided.map(run => run.split), () => divided.flatMap(run =>
    [...(count > 1 ? [element("h3", {}, run.name)] : []), ...heatMap(run.split)]));
  byId("footer").textContent = `${report.program} · made from ${report.runs.map(run => run.name).join(", ")}`;
};

const themes = ["", "light", "dark"];
const setTheme = theme => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  byId("theme").textContent = `Colours: ${theme || "as the system"}`;
};
byId("theme").addEventListener("click", () => {
  setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme ?? "") + 1) % themes.length]);
  drawCharts();
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
// Redrawn in colours for paper, and back again.
matchMedia("print").addEventListener("change", drawCharts);
addEventListener("beforeprint", drawCharts);
addEventListener("afterprint", drawCharts);

// A page served by a run asks for the state of the run until that has ended.
const follow = async () => {
  const badge = byId("live");
  badge.hidden = false;
  const tell = (text, kind) => { badge.textContent = text; badge.className = `badge ${kind}`; };
  tell("live", "good");
  for (let ended = false; !ended;) {
    await new Promise(resolve => setTimeout(resolve, 1000));
    try {
      const answer = await fetch("data.json", { cache: "no-store" });
      if (!answer.ok) continue;
      report = await answer.json();
      show();
      ended = report.runs.length > 0 && report.runs.every(run => run.exit_code !== null);
      if (ended) tell("ended", "");
    } catch {
      tell("the run is gone", "");
      ended = true;
    }
  }
};

setTheme("");
show();
if (report.live) follow();
