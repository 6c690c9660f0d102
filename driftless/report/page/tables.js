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

const costsOf = report => [
  ["rounds", "rounds", countText], ["exchanges", "exchanges", countText], ["bytes", "bytes", bytesText],
  ["grad_evals", "gradients", countText], ["seconds", "time", secondsText],
  ...report.links.map(({ key, link }) => [key, `time on ${link}`, secondsText]),
];

const ratioText = ratio => `${ratio >= 100 ? ratio.toFixed(0) : Number(ratio.toPrecision(3))} ×`;

// Local problems that are solved in closed form need no gradient; that is not the least of a cost.
const isExact = (key, line) => key === "grad_evals" && line[key].max === 0 && line.rounds.min > 0;

const targetCells = (costs, line, base, best) => {
  if (line.reached < line.runs) {
    const text = line.runs === 1 ? "not reached" : `not reached by ${line.runs - line.reached} of ${line.runs}`;
    return [element("td", { class: "muted left", colspan: costs.length }, text)];
  }
  return costs.map(([key, , text]) => {
    if (isExact(key, line)) return element("td", { class: "muted", "data-value": 0 }, "exact");
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
  return Object.fromEntries(costs.map(([key]) =>
    [key, Math.min(...there.filter(other => !isExact(key, other)).map(other => other[key].mean))]));
};

const powerName = value => `10${superscript(Math.round(Math.log10(value)))}`;

const wideRow = (columns, tag, attributes, text) =>
  element("tr", {}, element(tag, { colspan: columns, ...attributes }, element("span", {}, text)));

// The lines of one target: first the methods that reached it, then the names of those that did not.
const targetBody = (report, baseline, { target, lines }, title) => {
  const costs = costsOf(report);
  const whole = lines.filter(line => !line.member);
  const isMissed = line => !line.member && line.runs === 1 && line.reached === 0;
  const nameOf = line => (line.member ? line.label : report.curves[line.curve].name);
  const missed = lines.filter(isMissed).map(nameOf);
  return element("tbody", { "data-target": target },
    wideRow(costs.length + 1, "th", { class: "group", scope: "rowgroup" }, title),
    ...lines.filter(line => !isMissed(line)).map(line =>
      element("tr", { class: line.member ? "member" : null, "data-label": line.label }, rowHead(nameOf(line)),
        ...targetCells(costs, line, baseOf(report, whole, line, baseline), bestOf(report, costs, whole, line)))),
    missed.length ? wideRow(costs.length + 1, "td", { class: "missed" }, `not reached by ${missed.join("; ")}`) : null);
};

// Every problem has its own lines; targets that nobody reached there share one.
const targetsTable = (report, baseline) => {
  const columns = costsOf(report).length + 1;
  const of = report.targets_of === "gap" ? "first gap" : "first gradient norm";
  const bodies = report.problems.flatMap(({ name }, problem) => {
    const here = report.targets.map(({ target, lines }) =>
      ({ target, lines: lines.filter(line => problemOf(report, line) === problem) }));
    const isReached = block => block.lines.some(line => line.reached > 0);
    const where = report.problems.length > 1 ? `${name}: ` : "";
    const missed = here.filter(block => !isReached(block)).map(block => powerName(block.target));
    return [
      ...here.filter(isReached).map(block =>
        targetBody(report, baseline, block, `${where}${powerName(block.target)} of the ${of}`)),
      ...(missed.length ? [element("tbody", {}, wideRow(columns, "td", { class: "missed" },
        `${where}${missed.join(", ")} of the ${of}: reached by nobody`))] : []),
    ];
  });
  const anyone = report.endings.some(end => end.reached !== null);
  return table(anyone ? heading("method", ...costsOf(report).map(([, title]) => title)) : [], bodies);
};

// Green is a target that was reached; a budget that was spent without reaching any is grey.
const endingBadge = end => {
  if (end.ended_by === null) return element("span", { class: "badge" }, "not ended");
  const asked = ["gap", "grad_norm"].includes(end.ended_by);
  const stopped = ["diverged", "interrupted"].includes(end.ended_by);
  const kind = end.ended_by === "diverged" ? "bad" : asked || (!stopped && end.reached !== null) ? "good" : "";
  return element("span", { class: `badge ${kind}`.trim() }, end.ended_by.replace("_", " "));
};

const endingCell = (key, last) => {
  if (last && key === "grad_evals" && last[key] === 0 && last.round > 0)
    return element("td", { class: "muted", "data-value": 0 }, "exact");
  if (last && key === "wall_s")
    return element("td", { title: `${last[key]} s`, "data-value": last[key] }, secondsText(last[key]));
  return exact(last ? last[key] : null);
};

const endingsTable = report => {
  const several = report.runs.length > 1;
  const numbers = [["round", "rounds"], ["exchanges", "exchanges"], ["grad_evals", "gradients"], ["f", "f(x)"],
    ["f_gap", "f(x) − f*"], ["grad_norm", "‖∇f(x)‖"], ["dist", "‖x − x*‖"], ["wall_s", "time"]];
  const rows = report.endings.map(end => element("tr", { "data-label": end.label }, rowHead(end.title),
    several ? element("td", { class: "left" }, end.run) : null, element("td", {}, end.seed),
    element("td", { class: "left" }, endingBadge(end)),
    ...numbers.map(([key]) => endingCell(key, end.last))));
  const titles = ["method", ...(several ? ["run"] : []), "seed", "ended by", ...numbers.map(([, title]) => title)];
  return table(heading(...titles), [element("tbody", {}, ...rows)]);
};

// 6 digits, the whole number as the title; theory's values are marked, with their formula.
const settingCell = (value, formula) => {
  if (value === null) return element("td", { class: "muted" }, "–");
  const isNumber = value !== "" && Number.isFinite(Number(value));
  const text = isNumber ? shortNumber(Number(value)) : value.replace(/^"(.*)"$/, "$1");
  const mark = formula ? element("span", { class: "theory", title: formula }, "theory") : null;
  return element("td", { title: isNumber && text !== value ? value : null }, text, mark);
};

const settingsTable = (names, lines) =>
  table(heading("", ...names), [element("tbody", {}, ...lines.map(line =>
    element("tr", {}, rowHead(line.key), ...line.values.map((value, i) => settingCell(value, line.theory[i])))))],
    { class: "settings" });

const scrolled = (label, made) =>
  element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, made);

const settingsTables = report => {
  const parts = [];
  const add = (title, { names, lines }) => {
    const different = lines.filter(line => !line.same);
    const same = lines.filter(line => line.same).map(({ key, values, theory }) =>
      ({ key, values: [values[0]], theory: [theory[0]] }));
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

// The bound of the error of a constant stands beside its value.
const constantCell = (value, error) => {
  if (typeof value !== "number") return element("td", {}, value ?? "–");
  const cell = exact(value);
  if (error > 0) cell.append(element("span", { class: "error" }, ` ± ${Number(error.toPrecision(1))}`));
  return cell;
};

const constantsTable = runs => {
  const columns = runs.map(run => new Map(flat(run.constants)));
  const keys = [...new Set(columns.flatMap(column => [...column.keys()]))]
    .filter(key => key !== "schema_version" && !key.startsWith("errors."));
  const rows = keys.map(key => element("tr", {}, rowHead(key),
    ...columns.map(column => constantCell(column.get(key), column.get(`errors.${key}`)))));
  return table(heading("", ...runs.map(run => run.name)), [element("tbody", {}, ...rows)], { class: "narrow" });
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

// The numbers that a method measured, by name, below its choice and the reason for it.
const measuredList = measured => element("dl", { class: "measured" },
  ...Object.entries(measured ?? {}).flatMap(([name, value]) =>
    [element("dt", {}, name), element("dd", { title: value === null ? null : String(value) }, shortNumber(value))]));

const decisionsTable = runs => {
  const rows = runs.flatMap(run => run.decisions.map(({ label, decision }) => element("tr", { "data-label": label },
    rowHead(runs.length > 1 ? `${label} · ${run.name}` : label),
    element("td", { class: "left" }, decision.chosen ?? "–"),
    element("td", {}, decision.reason ?? "", measuredList(decision.measured)))));
  return table(heading("method", "chosen", "because"), [element("tbody", {}, ...rows)], { class: "settings" });
};

// The larger the part, 0 … 1, the stronger the colour.
const shadedCell = (part, title, text) => element("td", {
  style: `background:color-mix(in srgb, var(--accent) ${Math.round(70 * part)}%, var(--card))`, title,
}, text);

const heatCell = (client, label) => {
  const count = client.labels[label] ?? 0;
  return shadedCell(client.rows ? count / client.rows : 0,
    `client ${client.id}, label ${label}: ${count} of ${client.rows} rows`, count);
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
