// The coefficients of a model: a table whose rows draw their intervals.

const usualCoefficients = 50;  // that are shown before somebody asks for all

const sourceNames = { model: "of the model", row: "robust, over rows", site: "robust, over sites" };
const sourceNotes = {
  model: "Standard errors are from the inverse Fisher information over all sites: valid where labels are distributed " +
    "as the family says.",
  row: "Standard errors are a sandwich over rows (HC0): valid where rows are independent.",
  site: "Standard errors are a sandwich over sites: valid also where rows of a site depend on each other, with many " +
    "more sites than coefficients.",
};

// About five round numbers between the ends.
const roundTicks = (least, most) => {
  const rough = (most - least) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(factor => factor * power >= rough * (1 - 1e-9));
  const first = Math.ceil(least / step - 1e-9);
  return Array.from({ length: Math.floor(most / step + 1e-9) - first + 1 }, (_, k) =>
    Number(((first + k) * step).toPrecision(12)));
};

// On a logarithmic axis, with 1 among them.
const ratioTicks = (least, most) => {
  if (most < 1.8 * least) return roundTicks(least, most);
  if (most > 30 * least) {
    const powers = powerTicks(least, most);
    return powers.filter(value => Math.round(Math.log10(value)) % Math.ceil(powers.length / 6) === 0);
  }
  const factors = most > 15 * least ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
  return [-3, -2, -1, 0, 1, 2, 3].flatMap(k => factors.map(factor => Number((factor * 10 ** k).toPrecision(2))))
    .filter(value => value >= least && value <= most);
};

// Where values stand between the ends, 0 … 100. The ends reach to 0 and to all intervals, but an interval of more than
// three times the largest estimate is cut, since the others would be dots beside it.
const forestScale = (lines, isRatio) => {
  const drawn = lines.filter(line => !line.constant && line.estimate !== null);
  if (!drawn.length) return null;
  const cap = 3 * Math.max(...drawn.map(line => Math.abs(line.estimate)));
  const cut = value => Math.max(-cap, Math.min(cap, value));
  const least = Math.min(0, ...drawn.map(line => cut(line.low ?? line.estimate)));
  const most = Math.max(0, ...drawn.map(line => cut(line.high ?? line.estimate)));
  if (!(most > least)) return null;
  const margin = 0.04 * (most - least);
  const [left, right] = [least - margin, most + margin];
  const at = value => 100 * (value - left) / (right - left);
  const values = isRatio ? ratioTicks(Math.exp(left), Math.exp(right)) : roundTicks(left, right);
  const ticks = values.map(value => ({ at: at(isRatio ? Math.log(value) : value), text: tickText(value) }));
  return { at, left, right, zero: at(0), ticks };
};

const placed = (name, left, width) => element("span", {
  class: name, style: `left:${left.toFixed(3)}%` + (width === undefined ? "" : `;width:${width.toFixed(3)}%`),
});

const excludesZero = line => line.low !== null && line.high !== null && (line.low > 0 || line.high < 0);

const forestCell = (line, scale, text) => {
  if (!scale || line.constant || line.estimate === null) return element("td", { class: "forest-cell" });
  const parts = scale.ticks.map(tick => placed("tick", tick.at));
  parts.push(placed("zero", scale.zero));
  const { left, right, at } = scale;
  if (line.low !== null && line.high !== null) {
    const [from, to] = [Math.max(left, line.low), Math.min(right, line.high)];
    const ends = `${line.low < left ? " before" : ""}${line.high > right ? " beyond" : ""}`;
    if (to > from) parts.push(placed(`interval${ends}`, at(from), at(to) - at(from)));
  }
  if (line.estimate >= left && line.estimate <= right) parts.push(placed("point", at(line.estimate)));
  const name = `forest${excludesZero(line) ? " clear" : ""}`;
  return element("td", { class: "forest-cell" },
    element("div", { class: name, role: "img", "aria-label": text }, ...parts));
};

const forestHead = (scale, title) => element("th", { scope: "col", class: "forest-cell" }, title,
  element("div", { class: "forest axis", "aria-hidden": "true" }, ...(scale?.ticks ?? []).map(tick => {
    const label = placed("label", tick.at);
    label.textContent = tick.text;
    return label;
  })));

// 4 digits; the cell's title has all of them.
const fewDigits = value =>
  shortNumber(value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(4)));
const pText = p => (p === null ? "–" : p < 1e-15 ? "< 1e-15" : String(Number(p.toPrecision(3))).replace("e+", "e"));

// The coefficients as lines, with the errors of one source; `step` is by how much a step of the coded variable is
// larger than one of the column.
const coefficientLines = (coefficients, source) => {
  const errors = coefficients.errors.find(one => one.source === source);
  const of = (key, i) => errors?.[key][i] ?? null;
  return coefficients.names.map((name, i) => ({
    name, constant: coefficients.constant[i], estimate: coefficients.estimate[i], step: coefficients.step?.[i] ?? null,
    error: of("error", i), statistic: of("statistic", i), p: of("p", i), low: of("low", i), high: of("high", i),
  }));
};

const onCodedScale = line => {
  const scaled = value => (value === null || line.step === null ? null : value * line.step);
  return { ...line, estimate: scaled(line.estimate), low: scaled(line.low), high: scaled(line.high) };
};

// The most certain of many: constants first, then by |z|; without errors the order is that of the report.
const mostCertain = lines => [...lines].map((line, i) => ({ line, i })).sort((a, b) =>
  Number(b.line.constant) - Number(a.line.constant) ||
  Math.abs(b.line.statistic ?? 0) - Math.abs(a.line.statistic ?? 0) || a.i - b.i).map(({ line }) => line);

class CoefficientView {
  constructor(fit) {
    this.fit = fit;
    this.all = false;
    this.search = "";
    this.source = fit.coefficients.errors[0]?.source ?? null;
    this.scale = "column";
    this.host = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Coefficients" });
    this.kind = element("p", { class: "note" });
    this.count = element("p", { class: "note", id: "coefficients-count", role: "status" });
    this.more = element("button", { type: "button", class: "no-print" });
    this.more.addEventListener("click", () => { this.all = true; this.show(); });
  }

  parts() {
    this.show();
    const more = element("p", { class: "control" }, this.more);
    return [this.controls(), this.host, more, this.count, this.kind, ...this.notes()];
  }

  controls() {
    const { errors, names, coded } = this.fit.coefficients;
    const parts = [];
    const choice = (id, label, options, key) => {
      const select = element("select", { id }, ...options.map(([value, text]) => element("option", { value }, text)));
      select.addEventListener("change", () => { this[key] = select.value; this.show(); });
      parts.push(element("label", { for: id }, label, select));
    };
    const sources = errors.map(({ source }) => [source, sourceNames[source]]);
    if (sources.length) choice("errors-source", "Errors", sources, "source");
    if (!coded) choice("forest-scale", "Drawn per",
      [["column", "unit of the column"], ["coded", "scaled variable, to compare"]], "scale");
    if (names.length > 15) {
      const box = element("input", { type: "search", id: "coefficient-search" });
      box.addEventListener("input", () => { this.search = box.value.toLowerCase(); this.show(); });
      parts.push(element("label", { for: "coefficient-search" }, "Search", box));
    }
    return element("div", { class: "controls" }, ...parts);
  }

  // The lines that are shown: those that were searched for, or the first.
  chosen(lines) {
    const found = this.search ? lines.filter(line => line.name.toLowerCase().includes(this.search)) : lines;
    const many = found.length > usualCoefficients;
    return { found: found.length, shown: many && !this.all ? mostCertain(found).slice(0, usualCoefficients) : found };
  }

  show() {
    const { ratio, coefficients } = this.fit;
    const lines = coefficientLines(coefficients, this.source);
    const { found, shown } = this.chosen(lines);
    const coded = this.scale === "coded";
    const drawn = coded ? shown.map(onCodedScale) : shown;
    const scale = forestScale(drawn, Boolean(ratio));
    const test = coefficients.errors.find(one => one.source === this.source)?.test ?? "z";
    const interval = this.source ? `${100 * coefficients.level} % interval` : null;
    const title = `${ratio ?? "coefficient"}${interval ? ` and ${interval}` : ""}`;
    const head = element("tr", {}, ...heading("coefficient"), forestHead(scale, title), ...heading("estimate"),
      ...(interval ? heading("std. error", test, "p", interval) : []), ...(ratio ? heading(ratio) : []),
      ...(ratio && interval ? heading(interval) : []));
    const rows = shown.map((line, i) => this.row(line, forestCell(drawn[i], scale, this.spoken(line))));
    replace(this.host, element("table", { class: "coefficients" }, element("thead", {}, head),
      element("tbody", {}, ...rows)));
    this.more.hidden = shown.length === found;
    this.more.textContent = `Show all ${found}`;
    this.tellCount(shown.length, found);
    this.kind.textContent = this.source
      ? `${sourceNotes[this.source]} Coloured intervals do not contain ${ratio ? 1 : 0}.` : "";
  }

  spoken(line) {
    return line.low === null ? shortNumber(line.estimate)
      : `${shortNumber(line.estimate)}, from ${shortNumber(line.low)} to ${shortNumber(line.high)}`;
  }

  row(line, forest) {
    const { ratio } = this.fit;
    const power = value => (value === null ? null : Math.exp(value));
    const range = (low, high) => element("td", { title: low === null ? null : `${low} to ${high}` },
      low === null ? "–" : `${fewDigits(low)} to ${fewDigits(high)}`);
    const number = value => element("td", { title: value, "data-value": value }, fewDigits(value));
    const name = rowHead(line.name.length > 120 ? `${line.name.slice(0, 119)}…` : line.name);
    name.title = line.name;
    return element("tr", { "data-name": line.name }, name, forest, number(line.estimate),
      ...(this.source ? [number(line.error), element("td", { title: line.statistic },
        line.statistic === null ? "–" : line.statistic.toFixed(2)), element("td", { title: line.p }, pText(line.p)),
      range(line.low, line.high)] : []),
      ...(ratio ? [number(power(line.estimate))] : []),
      ...(ratio && this.source ? [range(power(line.low), power(line.high))] : []));
  }

  tellCount(shown, found) {
    const { count, names } = this.fit.coefficients;
    const by = this.source ? "estimate / error" : "estimate";
    const of = this.search ? `${found} found of ${names.length}` : names.length;
    this.count.textContent = [
      shown < found ? `The ${shown} with the largest |${by}| of ${of} coefficients.`
        : this.search ? `${of} coefficients.` : "",
      count > names.length ? `The model has ${count} coefficients; the page holds the ${names.length} largest.` : "",
    ].filter(Boolean).join(" ");
  }

  notes() {
    const { coefficients, inference } = this.fit;
    const scale = coefficients.coded
      ? "There are too many coefficients for standard errors; these are of the scaled variables."
      : "Estimates are on the scale of the columns; of texts they are differences to the first level.";
    return [scale, ...(inference?.notes ?? [])].map(text => element("p", { class: "note" }, text));
  }
}
