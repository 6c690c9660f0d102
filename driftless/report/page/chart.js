// One chart: its controls, its drawing with uPlot, and what the cursor reads.

const powerTicks = (least, most) => {
  const first = Math.ceil(Math.log10(least) - 1e-9);
  const last = Math.floor(Math.log10(most) + 1e-9);
  const ticks = [];
  if (last - first < 2) {
    for (let k = first - 1; k <= last; ++k)
      for (const factor of [1, 2, 5]) {
        const value = factor * 10 ** k;
        if (value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9)) ticks.push(value);
      }
    return ticks;
  }
  const step = Math.max(1, Math.ceil((last - first + 1) / 9));
  for (let k = first; k <= last; ++k)
    if (k % step === 0) ticks.push(10 ** k);
  return ticks;
};

const powerText = value => {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9 ? `10${superscript(Math.round(exponent))}` : tickText(value);
};

const scaleOf = log => ({
  time: false,
  distr: log ? 3 : 1,
  range: (plot, least, most) => {
    if (least === null || most === null) return log ? [1, 10] : [0, 1];
    if (least === most) return log ? [least / 2, most * 2] : [least - 0.5, most + 0.5];
    return [least, most];
  },
});

const axisOf = (title, log, side) => ({
  label: title,
  stroke: colourOf("--muted"),
  labelFont: "13px system-ui, sans-serif",
  font: "12px system-ui, sans-serif",
  labelSize: 22,
  size: side === "y" ? 58 : 34,
  space: side === "y" ? 30 : 60,
  grid: { stroke: colourOf("--grid"), width: 1 },
  ticks: { stroke: colourOf("--grid"), width: 1, size: 5 },
  values: (plot, splits) => splits.map(log ? powerText : tickText),
  ...(log ? { splits: (plot, axis, least, most) => powerTicks(least, most), filter: (plot, splits) => splits } : {}),
});

// The index nearest to `index` at which the series has a value.
const nearestValue = (values, index) => {
  for (let away = 0; away < values.length; ++away) {
    if (values[index - away] != null) return index - away;
    if (values[index + away] != null) return index + away;
  }
  return null;
};

// Where the marks of a curve stand: evenly along its length, as in the figures (marks_along of line_style.cpp).
const marksAlong = (points, phase, ratio) => {
  const apart = 80 * ratio;
  const marks = [];
  let next = apart * (0.5 + phase % 4) / 4;
  let length = 0;
  for (let i = 1; i < points.length; ++i) {
    const [[ax, ay], [bx, by]] = [points[i - 1], points[i]];
    const step = Math.hypot(bx - ax, by - ay);
    for (; step > 0 && next <= length + step; next += apart) {
      const part = (next - length) / step;
      marks.push([ax + part * (bx - ax), ay + part * (by - ay)]);
    }
    length += step;
  }
  return marks.length || !points.length ? marks : [points.at(-1)];
};

class Chart {
  // The charts of all problems that stand in one column share their state; `changed` redraws them. Curves are hidden by
  // their names, which are the same in all problems.
  constructor(host, { number, state, hidden, problem, changed }) {
    this.state = state;
    this.hidden = hidden;
    this.number = number;
    this.problem = problem;
    this.changed = changed;
    this.readout = element("div", { class: "readout", role: "status", "aria-live": "polite", hidden: true });
    this.plotHost = element("div", { class: "plot", tabindex: "0", role: "group" });
    this.controls = element("div", { class: "controls" });
    this.host = element("div", { class: "chart" }, this.controls, this.plotHost);
    host.append(this.host);
    this.plotHost.addEventListener("keydown", event => this.key(event));
    this.plotHost.addEventListener("blur", () => this.hideReadout());
    new ResizeObserver(() => this.resize()).observe(this.plotHost);
  }

  show(report) {
    this.report = report;
    this.curves = report.curves.filter(curve => curve.problem === this.problem);
    const known = report.y.filter(column => report.curves.some(curve => curve.mean[column.key]));
    if (!known.some(column => column.key === this.state.y)) this.state.y = known.length ? known[0].key : report.y[0].key;
    if (JSON.stringify(known) !== JSON.stringify(this.known)) {
      this.known = known;
      this.makeControls();
    }
    if (!this.inUse()) this.draw();
  }

  // Somebody reads values or looks closer: a live page waits with the new drawing.
  inUse() {
    if (!this.plot) return false;
    const { min, max } = this.plot.scales.x;
    const positions = this.plot.data[0];
    return !this.readout.hidden || (positions.length > 1 && (min > positions[0] || max < positions.at(-1)));
  }

  makeControls() {
    const choice = (what, columns) => {
      const id = `chart-${this.number}-${what}`;
      const select = element("select", { id }, ...columns.map(column =>
        element("option", { value: column.key, selected: column.key === this.state[what] }, column.title)));
      select.addEventListener("change", () => { this.state[what] = select.value; this.changed(this.state); });
      return element("label", { for: id }, what === "y" ? "Show" : "against", select);
    };
    const log = what => {
      const id = `chart-${this.number}-log-${what}`;
      const checked = this.state[`log_${what}`];
      const box = element("input", { type: "checkbox", id, checked, "aria-label": `log ${what}` });
      box.addEventListener("change", () => { this.state[`log_${what}`] = box.checked; this.changed(this.state); });
      return element("label", { for: id }, box, what);
    };
    replace(this.controls, choice("y", this.known), choice("x", this.report.x),
      element("span", { class: "log" }, "log", log("y"), log("x")));
  }

  // After a change in another chart of the same state.
  redraw() {
    const focused = this.controls.contains(document.activeElement) ? document.activeElement.id : null;
    this.makeControls();
    if (focused) byId(focused).focus();
    this.draw();
  }

  title(columns, key) { return columns.find(column => column.key === key).title; }

  // What the axes cannot show is left out, as is a point whose cost is that of the point after it.
  tables() {
    const { x, y, log_x: logX, log_y: logY } = this.state;
    const series = [];
    const shown = (values, logarithmic) => values.map(v => (v === null || (logarithmic && v <= 0) ? null : v));
    this.curves.forEach(curve => {
      if (!curve.mean[y]) return;
      const positions = shown(curve.mean[x], logX);
      const keep = positions.map((_, i) => i).filter(i => positions[i] !== null && positions[i] !== positions[i + 1]);
      const add = (values, kind) => {
        const heights = shown(values, logY);
        series.push({ curve, kind, table: [keep.map(i => positions[i]), keep.map(i => heights[i])] });
      };
      add(curve.mean[y], "mean");
      if (curve.high[y]) {
        add(curve.high[y], "high");
        add(curve.low[y].map((v, i) => (logY && v !== null && v <= 0 ? curve.mean[y][i] : v)), "low");
      }
      curve.bounds.filter(bound => bound.of === y).forEach(bound => add(bound.values, "bound"));
    });
    return series;
  }

  lookOf(curve) { return this.report.looks[curve.look]; }

  seriesOptions({ curve, kind }) {
    const look = this.lookOf(curve);
    const stroke = colourOf(lookColour(look));
    const common = { label: curve.name, spanGaps: true, show: !this.hidden.has(curve.name), points: { show: false } };
    if (kind === "mean") return { ...common, stroke, width: 2, dash: look.dashes };
    if (kind === "bound") return { ...common, stroke: translucent(stroke, 60), width: 1.3, dash: [1, 4] };
    return { ...common, stroke: "transparent", width: 0 };
  }

  options(series) {
    const { x, y, log_x: logX, log_y: logY } = this.state;
    const bands = [];
    series.forEach((one, i) => {
      if (one.kind === "high")
        bands.push({ series: [i + 1, i + 2], fill: translucent(colourOf(lookColour(this.lookOf(one.curve))), 20) });
    });
    return {
      width: this.plotHost.clientWidth,
      height: this.height(),
      legend: { show: false },
      scales: { x: scaleOf(logX), y: scaleOf(logY) },
      axes: [axisOf(this.title(this.report.x, x), logX, "x"), axisOf(this.title(this.report.y, y), logY, "y")],
      series: [{}, ...series.map(one => this.seriesOptions(one))],
      bands,
      cursor: {
        y: false,
        dataIdx: (plot, s, index) => (s === 0 ? index : nearestValue(plot.data[s], index)),
        points: { size: 7 },
      },
      hooks: { setCursor: [plot => this.read(plot)], drawSeries: [(plot, s) => this.drawMarks(plot, s)] },
    };
  }

  drawMarks(plot, s) {
    const one = this.series[s - 1];
    if (one?.kind !== "mean" || !plot.series[s].show || this.lookOf(one.curve).marker === "none") return;
    const { min, max } = plot.scales.x;
    const points = [];
    plot.data[0].forEach((x, i) => {
      const y = plot.data[s][i];
      if (y != null && x >= min && x <= max) points.push([plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)]);
    });
    const look = this.lookOf(one.curve);
    plot.ctx.save();
    plot.ctx.fillStyle = colourOf(lookColour(look));
    for (const [x, y] of marksAlong(points, one.curve.look, devicePixelRatio)) {
      plot.ctx.beginPath();
      for (const corner of markOutline(look.marker, x, y, 3.8 * devicePixelRatio)) plot.ctx.lineTo(...corner);
      plot.ctx.fill();
    }
    plot.ctx.restore();
  }

  height() { return this.plotHost.clientWidth < 480 ? 300 : 360; }

  draw() {
    this.series = this.tables();
    const data = this.series.length ? uPlot.join(this.series.map(one => one.table)) : [[]];
    this.plot?.destroy();
    this.plot = new uPlot(this.options(this.series), data, this.plotHost);
    this.plotHost.append(this.readout);
    this.hideReadout();
    const { x, y } = this.state;
    this.plotHost.setAttribute("aria-label",
      `Chart of ${this.title(this.report.y, y)} against ${this.title(this.report.x, x)}; arrow keys read values`);
  }

  resize() {
    if (this.plot && this.plotHost.clientWidth !== this.plot.width)
      this.plot.setSize({ width: this.plotHost.clientWidth, height: this.height() });
  }

  hideReadout() { this.readout.hidden = true; }

  // The values under the cursor, each at its curve's own nearest point.
  read(plot) {
    if (plot.cursor.left < 0 || plot.cursor.idx == null) return this.hideReadout();
    const rows = [];
    this.series.forEach((one, i) => {
      const at = plot.cursor.idxs[i + 1];
      if (one.kind !== "mean" || at == null || this.hidden.has(one.curve.name)) return;
      rows.push(element("tr", {}, element("td", {}, swatch(this.lookOf(one.curve))),
        element("td", { class: "left" }, one.curve.name),
        element("td", {}, shortNumber(plot.data[0][at])), element("td", {}, shortNumber(plot.data[i + 1][at]))));
    });
    if (!rows.length) return this.hideReadout();
    const { x, y } = this.state;
    const heading = element("tr", { class: "muted" }, element("td"), element("td"),
      element("td", {}, this.title(this.report.x, x)), element("td", {}, this.title(this.report.y, y)));
    replace(this.readout, element("table", {}, heading, ...rows));
    this.readout.hidden = false;
    const left = plot.over.offsetLeft + plot.cursor.left;
    const room = this.plotHost.clientWidth - this.readout.offsetWidth;
    const beside = left + 14 <= room ? left + 14 : left - this.readout.offsetWidth - 14;
    this.readout.style.left = `${Math.max(0, Math.min(beside, room))}px`;
    this.readout.style.top = "10px";
  }

  key(event) {
    const positions = this.plot.data[0];
    if (!positions.length) return;
    const index = this.readout.hidden ? -1 : this.plot.cursor.idx ?? -1;
    const step = Math.max(1, Math.round(positions.length / 60));
    const next = { ArrowRight: index + step, ArrowLeft: index - step, Home: 0, End: positions.length - 1 }[event.key];
    if (event.key === "Escape") this.hideReadout();
    if (next === undefined) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(next, positions.length - 1));
    this.plot.setCursor({ left: this.plot.valToPos(positions[at], "x"), top: 20 });
  }
}
