// The tables of the page. Numbers stand with 6 digits; the cell's title has all of them.

const table = (heading, rows, attributes = {}) =>
  element("table", attributes, element("thead", {}, element("tr", {}, ...heading)), ...rows);
const heading = (...texts) => texts.map(text => element("th", { scope: "col" }, text));
const rowHead = text => element("th", { scope: "row" }, text);
const exact = value =>
  element("td", { title: value === null ? null : String(value), "data-value": value }, shortNumber(value));

const spreadText = (spread, text) =>
  spread.min === spread.max ? text(spread.mean) : `${text(spread.mean)} [${text(spread.min)}–${text(spread.max)}]`;
const countText = value => shortNumber(Number.isInteger(value) ? value : Number(value.toFixed(1)));
const secondsText = value => `${Number(value.toPrecision(3))} s`;

const costsOf = report => [
  ["rounds", "rounds", countText], ["exchanges", "exchanges", countText], ["bytes", "bytes", bytesText],
  ["grad_evals", "gradients", countText], ["seconds", "time", secondsText],
  ...report.links.map(({ key, link }) => [key, `time on ${link}`, secondsText]),
];

const ratioText = ratio => `${ratio >= 100 ? ratio.toFixed(0) : Number(ratio.toPrecision(3))} ×`;

const targetCells = (costs, line, base, best) => {
  if (line.reached < line.runs) {
    const text = line.runs === 1 ? "not reached" : `not reached by ${line.runs - line.reached} of ${line.runs}`;
    return [element("td", { class: "muted left", colspan: costs.length }, text)];
  }
  return costs.map(([key, , text]) => {
    const ratio = base?.[key]?.mean > 0
      ? element("span", { class: "ratio" }, ratioText(line[key].mean / base[key].mean)) : null;
    return element("td", {
      class: !line.member && line[key].mean === best[key] ? "best" : null, "data-value": line[key].mean,
      title: String(line[key].mean),
    }, spreadText(line[key], text), ratio);
  });
};

const problemOf = (report, line) => report.curves[line.curve].problem;

// The chosen baseline; for curves of another problem the one that has the baseline's method there.
const baseOf = (report, lines, line, baseline) => {
  const chosen = report.curves.find(curve => curve.label === baseline);
  const there = lines.filter(other => problemOf(report, other) === problemOf(report, line));
  return there.find(other => other.label === baseline) ??
    there.find(other => report.curves[other.curve].method === chosen?.method);
};

const bestOf = (report, costs, lines, line) => {
  const there = lines.filter(other =>
    problemOf(report, other) === problemOf(report, line) && other.reached === other.runs);
  return Object.fromEntries(costs.map(([key]) => [key, Math.min(...there.map(other => other[key].mean))]));
};

const targetsTable = (report, baseline) => {
  const costs = costsOf(report);
  const of = report.targets_of === "gap" ? "first gap" : "first gradient norm";
  const bodies = report.targets.map(block => {
    const whole = block.lines.filter(line => !line.member);
    const power = `10${superscript(Math.round(Math.log10(block.target)))}`;
    return element("tbody", { "data-target": block.target },
      element("tr", {},
        element("th", { class: "group", scope: "rowgroup", colspan: costs.length + 1 }, `${power} of the ${of}`)),
      ...block.lines.map(line => element("tr", { class: line.member ? "member" : null, "data-label": line.label },
        rowHead(line.label),
        ...targetCells(costs, line, baseOf(report, whole, line, baseline), bestOf(report, costs, whole, line)))));
  });
  return table(heading("method", ...costs.map(([, title]) => title)), bodies);
};

const endingBadge = reason => {
  if (reason === null) return element("span", { class: "badge" }, "not ended");
  const kind = reason === "diverged" ? "badge bad" : reason === "interrupted" ? "badge" : "badge good";
  return element("span", { class: kind }, reason.replace("_", " "));
};

const endingsTable = report => {
  const several = report.runs.length > 1;
  const numbers = [["round", "rounds"], ["exchanges", "exchanges"], ["grad_evals", "gradients"], ["f", "f(x)"],
    ["f_gap", "f(x) − f*"], ["grad_norm", "‖∇f(x)‖"], ["dist", "‖x − x*‖"], ["wall_s", "seconds"]];
  const rows = report.endings.map(end => element("tr", { "data-label": end.label }, rowHead(end.label),
    several ? element("td", { class: "left" }, end.run) : null, element("td", {}, end.seed),
    element("td", { class: "left" }, endingBadge(end.ended_by)),
    ...numbers.map(([key]) => exact(end.last ? end.last[key] : null))));
  const titles = ["method", ...(several ? ["run"] : []), "seed", "ended by", ...numbers.map(([, title]) => title)];
  return table(heading(...titles), [element("tbody", {}, ...rows)]);
};

const settingCell = value =>
  element("td", { class: value === null ? "muted" : null }, value === null ? "–" : value.replace(/^"(.*)"$/, "$1"));

const settingsTable = (names, lines) =>
  table(heading("", ...names), [element("tbody", {}, ...lines.map(line =>
    element("tr", {}, rowHead(line.key), ...line.values.map(settingCell))))], { class: "settings" });

const scrolled = (label, made) =>
  element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, made);

const settingsTables = report => {
  const parts = [];
  const add = (title, { names, lines }) => {
    const different = lines.filter(line => !line.same);
    const same = lines.filter(line => line.same).map(({ key, values }) => ({ key, values: [values[0]] }));
    if (different.length)
      parts.push(element("h3", {}, `${title} differ in`), scrolled(`${title} differ in`, settingsTable(names, different)));
    if (!same.length) return;
    const count = `${same.length} setting${same.length === 1 ? "" : "s"}${names.length > 1 ? " in common" : ""}`;
    parts.push(element("details", {}, element("summary", {}, `${title}: ${count}`),
      scrolled(title, settingsTable(["value"], same))));
  };
  add("Methods", report.method_settings);
  add(report.runs.length > 1 ? "Runs" : "The run", report.run_settings);
  return parts;
};

const listText = values => {
  const texts = values.slice(0, 8).map(v => (typeof v === "number" ? shortNumber(v) : JSON.stringify(v)));
  return `[${texts.join(", ")}${values.length > 8 ? ", …" : ""}]`;
};

// Numbers, texts and short lists of a JSON object as [path, value].
const flat = (object, path = "") => Object.entries(object).flatMap(([key, value]) => {
  const name = path ? `${path}.${key}` : key;
  if (Array.isArray(value)) return [[name, listText(value)]];
  return value !== null && typeof value === "object" ? flat(value, name) : [[name, value]];
});

const valueCell = value => (typeof value === "number" ? exact(value) : element("td", {}, value ?? "–"));

const constantsTable = runs => {
  const columns = runs.map(run => new Map(flat(run.constants).filter(([key]) => key !== "schema_version")));
  const keys = [...new Set(columns.flatMap(column => [...column.keys()]))];
  const rows = keys.map(key => element("tr", {}, rowHead(key), ...columns.map(column => valueCell(column.get(key)))));
  return table(heading("", ...runs.map(run => run.name)), [element("tbody", {}, ...rows)]);
};

const verdictBadge = verdict =>
  element("span", { class: `badge ${{ holds: "good", violated: "bad" }[verdict] ?? ""}` }, verdict ?? "unknown");

const certificateRemark = theorem => {
  if (theorem.failed) return `not ${theorem.failed}`;
  const first = theorem.first_violation;
  return first ? `first in round ${first.round}: ${shortNumber(first.observed)} > ${shortNumber(first.bound)}` : "";
};

const certificatesTable = runs => {
  const rows = runs.flatMap(run => run.certificates.map(({ label, theorem }) => element("tr", {},
    rowHead(runs.length > 1 ? `${label} · ${run.name}` : label),
    element("td", {}, verdictBadge(theorem.verdict)),
    element("td", { title: theorem.source }, theorem.theorem ?? "–"),
    element("td", {}, theorem.statement ?? ""),
    exact(theorem.last_checked_round ?? null), exact(theorem.largest_ratio ?? null),
    element("td", {}, certificateRemark(theorem)))));
  return table(heading("method", "verdict", "theorem", "it says", "until round", "observed/bound", ""),
    [element("tbody", {}, ...rows)], { class: "settings" });
};

const heatCell = (client, label) => {
  const count = client.labels[label] ?? 0;
  const part = client.rows ? Math.round(70 * count / client.rows) : 0;
  return element("td", {
    style: `background:color-mix(in srgb, var(--accent) ${part}%, var(--card))`,
    title: `client ${client.id}, label ${label}: ${count} of ${client.rows} rows`,
  }, count);
};

const heatMap = split => {
  const most = 200;
  const labels = [...new Set(split.clients.flatMap(client => Object.keys(client.labels)))].sort((a, b) => a - b);
  const rows = split.clients.slice(0, most).map(client => element("tr", {}, rowHead(`client ${client.id}`),
    element("td", {}, client.rows), ...labels.map(label => heatCell(client, label))));
  const how = split.alpha === undefined ? split.split : `${split.split}, α = ${split.alpha}`;
  const note = `${split.data?.name ?? "data"}, divided by ${how}; ` +
    "the stronger the colour, the larger the label's part of the client's rows." +
    (split.clients.length > most ? ` The first ${most} of ${split.clients.length} clients.` : "");
  const made = table(heading("", "rows", ...labels), [element("tbody", {}, ...rows)], { class: "heat" });
  return [scrolled("Rows by client and label", made), element("p", { class: "note" }, note)];
};
