// The tables of the page. Numbers stand with 6 digits; the cell's title has all of them.

const table = (heading, rows, attributes = {}) =>
  element("table", attributes, element("thead", {}, element("tr", {}, ...heading)), ...rows);
const heading = (...texts) => texts.map(text => element("th", { scope: "col" }, text));
const rowHead = text => element("th", { scope: "row" }, text);
const exact = value => element("td", { title: value === null ? null : String(value), "data-value": value }, shortNumber(value));

const spreadText = (spread, text) =>
  spread.min === spread.max ? text(spread.mean) : `${text(spread.mean)} [${text(spread.min)}–${text(spread.max)}]`;
const countText = value => shortNumber(Number.isInteger(value) ? value : Number(value.toFixed(1)));
const secondsText = value => `${Number(value.toPrecision(3))} s`;

const costs = [
  ["rounds", "rounds", countText], ["exchanges", "exchanges", countText], ["bytes", "bytes", bytesText],
  ["grad_evals", "gradients", countText], ["seconds", "time", secondsText],
];

const ratioText = ratio => `${ratio >= 100 ? ratio.toFixed(0) : Number(ratio.toPrecision(3))} ×`;

const targetCells = (line, base, best) => {
  if (line.reached < line.runs) {
    const text = line.runs === 1 ? "not reached" : `not reached by ${line.runs - line.reached} of ${line.runs}`;
    return [element("td", { class: "muted left", colspan: costs.length }, text)];
  }
  return costs.map(([key, , text]) => {
    const ratio = base?.[key]?.mean > 0 ? element("span", { class: "ratio" }, ratioText(line[key].mean / base[key].mean)) : null;
    return element("td", {
      class: !line.member && line[key].mean === best[key] ? "best" : null, "data-value": line[key].mean,
      title: String(line[key].mean),
    }, spreadText(line[key], text), ratio);
  });
};

const targetsTable = (report, baseline) => {
  const of = report.targets_of === "gap" ? "first gap" : "first gradient norm";
  const bodies = report.targets.map(block => {
    const base = block.lines.find(line => !line.member && line.label === baseline);
    const complete = block.lines.filter(line => !line.member && line.reached === line.runs);
    const best = Object.fromEntries(costs.map(([key]) => [key, Math.min(...complete.map(line => line[key].mean))]));
    const power = `10${superscript(Math.round(Math.log10(block.target)))}`;
    return element("tbody", { "data-target": block.target },
      element("tr", {}, element("th", { class: "group", scope: "rowgroup", colspan: costs.length + 1 }, `${power} of the ${of}`)),
      ...block.lines.map(line => element("tr", { class: line.member ? "member" : null, "data-label": line.label },
        rowHead(line.label), ...targetCells(line, base, best))));
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

const settingsTable = (settings, lines) =>
  table(heading("", ...settings.names), [element("tbody", {}, ...lines.map(line =>
    element("tr", {}, rowHead(line.key), ...line.values.map(value =>
      element("td", { class: value === null ? "muted" : null }, value === null ? "–" : value.replace(/^"(.*)"$/, "$1"))))))],
  { class: "settings" });

const settingsTables = report => {
  const parts = [];
  const scrolled = (label, made) => element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, made);
  const add = (title, settings) => {
    const different = settings.lines.filter(line => !line.same);
    const same = settings.lines.filter(line => line.same);
    if (different.length) parts.push(element("h3", {}, `${title} differ in`), scrolled(`${title} differ in`, settingsTable(settings, different)));
    if (same.length)
      parts.push(element("details", {}, element("summary", {}, `${title}: ${same.length} settings ${settings.names.length > 1 ? "in common" : ""}`),
        scrolled(title, settingsTable({ names: ["value"] }, same.map(line => ({ key: line.key, values: [line.values[0]] }))))));
  };
  add("Methods", report.method_settings);
  add(report.runs.length > 1 ? "Runs" : "The run", report.run_settings);
  return parts;
};

// Numbers, texts and short lists of a JSON object as [path, value].
const flat = (object, path = "") => Object.entries(object).flatMap(([key, value]) => {
  const name = path ? `${path}.${key}` : key;
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return flat(value, name);
  return [[name, Array.isArray(value) ? `[${value.slice(0, 8).map(v => (typeof v === "number" ? shortNumber(v) : JSON.stringify(v))).join(", ")}${value.length > 8 ? ", …" : ""}]` : value]];
});

const valueCell = value => (typeof value === "number" ? exact(value) : element("td", {}, value ?? "–"));

const constantsTable = runs => {
  const columns = runs.map(run => new Map(flat(run.constants).filter(([key]) => key !== "schema_version")));
  const keys = [...new Set(columns.flatMap(column => [...column.keys()]))];
  return table(heading("", ...runs.map(run => run.name)),
    [element("tbody", {}, ...keys.map(key => element("tr", {}, rowHead(key), ...columns.map(column => valueCell(column.get(key))))))]);
};

const verdictBadge = verdict =>
  element("span", { class: `badge ${{ holds: "good", violated: "bad" }[verdict] ?? ""}` }, verdict ?? "unknown");

const certificatesTable = runs => {
  const rows = runs.flatMap(run => run.certificates.map(({ label, certificate }) => {
    const { schema_version: version, theorem, verdict, ...rest } = certificate;
    const facts = flat(rest).map(([key, value]) => `${key}: ${typeof value === "number" ? shortNumber(value) : value}`).join("; ");
    return element("tr", {}, rowHead(runs.length > 1 ? `${label} · ${run.name}` : label), element("td", { class: "left" }, verdictBadge(verdict)),
      element("td", { class: "left" }, theorem ?? "–"), element("td", { class: "left" }, facts));
  }));
  return table(heading("method", "verdict", "theorem", "in detail").map(cell => (cell.className = "left", cell)),
    [element("tbody", {}, ...rows)], { class: "settings" });
};

const heatMap = split => {
  const most = 200;
  const labels = [...new Set(split.clients.flatMap(client => Object.keys(client.labels)))].sort((a, b) => a - b);
  const rows = split.clients.slice(0, most).map(client => element("tr", {}, rowHead(`client ${client.id}`), element("td", {}, client.rows),
    ...labels.map(label => {
      const count = client.labels[label] ?? 0;
      const part = client.rows ? count / client.rows : 0;
      const style = `background:color-mix(in srgb, var(--accent) ${Math.round(70 * part)}%, var(--card))`;
      return element("td", { style, title: `client ${client.id}, label ${label}: ${count} of ${client.rows} rows` }, count);
    })));
  const how = split.alpha === undefined ? split.split : `${split.split}, α = ${split.alpha}`;
  const note = `${split.data?.name ?? "data"}, divided by ${how}; the darker, the larger the label's part of the client's rows.` +
    (split.clients.length > most ? ` The first ${most} of ${split.clients.length} clients.` : "");
  return [element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rows by client and label" },
    table(heading("", "rows", ...labels), [element("tbody", {}, ...rows)], { class: "heat" })), element("p", { class: "note" }, note)];
};
