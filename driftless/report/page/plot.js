// A plot: its drawing with uPlot, and what the cursor reads. Derived classes say what is drawn.

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

// uPlot wants positions that increase: steps become very steep.
const increasing = positions => {
  let last = -Infinity;
  return positions.map(x => (last = x > last ? x : last + 1e-9));
};

// content() of a derived class returns
//   { x: { title, log }, y: { title, log }, note, series, guides }
// A series is { name, look, phase, kind, table: [positions, values], notes, sizes }. Of the kinds, `mean` is a curve
// with marks along it, `points` one with a mark at each point (of these sizes, 0 … 1), `high` and the `low` after it
// are the ends of a band, `bound` is dotted, and `guide` is a thin line to compare with. Curves and points are read by
// the cursor, with their note, which `note` is the heading of. A guide is a vertical line { x, text }.
class Plot {
  constructor(host, heading) {
    this.readout = element("div", { class: "readout", role: "status", "aria-live": "polite", hidden: true });
    this.plotHost = element("div", { class: "plot", tabindex: "0", role: "group" });
    this.host = element("div", { class: "chart" }, heading, this.plotHost);
    host.append(this.host);
    this.plotHost.addEventListener("keydown", event => this.key(event));
    this.plotHost.addEventListener("blur", () => this.hideReadout());
    new ResizeObserver(() => this.resize()).observe(this.plotHost);
  }

  isHidden() { return false; }
  isRead({ kind, name }) { return (kind === "mean" || kind === "points") && !this.isHidden(name); }

  draw() {
    this.now = this.content();
    const { x, y, series } = this.now;
    const data = series.length ? uPlot.join(series.map(one => one.table)) : [[]];
    this.plot?.destroy();
    this.plot = new uPlot(this.options(), data, this.plotHost);
    this.plotHost.append(this.readout);
    this.hideReadout();
    this.plotHost.setAttribute("aria-label", `Chart of ${y.title} against ${x.title}; arrow keys read values`);
  }

  seriesOptions({ name, look, kind }) {
    const stroke = colourOf(lookColour(look));
    const common = { label: name, spanGaps: true, show: !this.isHidden(name), points: { show: false } };
    if (kind === "mean" || kind === "points") return { ...common, stroke, width: 2, dash: look.dashes };
    if (kind === "bound") return { ...common, stroke: translucent(stroke, 60), width: 1.3, dash: [1, 4] };
    if (kind === "guide") return { ...common, stroke, width: 1, dash: [4, 4] };
    return { ...common, stroke: "transparent", width: 0 };
  }

  options() {
    const { x, y, series } = this.now;
    const bands = [];
    series.forEach((one, i) => {
      if (one.kind === "high")
        bands.push({ series: [i + 1, i + 2], fill: translucent(colourOf(lookColour(one.look)), 20) });
    });
    return {
      width: this.plotHost.clientWidth,
      height: this.height(),
      legend: { show: false },
      scales: { x: scaleOf(x.log), y: scaleOf(y.log) },
      axes: [axisOf(x.title, x.log, "x"), axisOf(y.title, y.log, "y")],
      series: [{}, ...series.map(one => this.seriesOptions(one))],
      bands,
      cursor: {
        y: false,
        dataIdx: (plot, s, index) => (s === 0 ? index : nearestValue(plot.data[s], index)),
        points: { size: (plot, s) => (s > 0 && this.isRead(series[s - 1]) ? 7 : 0) },
      },
      hooks: {
        setCursor: [plot => this.read(plot)],
        drawSeries: [(plot, s) => this.drawMarks(plot, s)],
        draw: [plot => this.drawGuides(plot)],
      },
    };
  }

  drawMarks(plot, s) {
    const one = this.now.series[s - 1];
    if (!one || !this.isRead(one) || one.look.marker === "none") return;
    const { min, max } = plot.scales.x;
    const points = [];
    plot.data[0].forEach((x, i) => {
      const y = plot.data[s][i];
      if (y != null && x >= min && x <= max) points.push([plot.valToPos(x, "x", true), plot.valToPos(y, "y", true), x]);
    });
    plot.ctx.save();
    plot.ctx.fillStyle = colourOf(lookColour(one.look));
    for (const [x, y, radius] of this.marks(one, points)) {
      plot.ctx.beginPath();
      for (const corner of markOutline(one.look.marker, x, y, radius * devicePixelRatio)) plot.ctx.lineTo(...corner);
      plot.ctx.fill();
    }
    plot.ctx.restore();
  }

  marks({ kind, phase, table, sizes }, points) {
    if (kind === "points")
      return points.map(([x, y, position]) => [x, y, 3 + 6 * (sizes?.[table[0].indexOf(position)] ?? 0.15)]);
    return marksAlong(points, phase, devicePixelRatio).map(([x, y]) => [x, y, 3.8]);
  }

  // Every line has its text on its right, the next on its left, as far as there is room.
  drawGuides(plot) {
    const { ctx, bbox } = plot;
    const lines = (this.now.guides ?? []).map(({ x, text }) => ({ at: plot.valToPos(x, "x", true), text }))
      .filter(({ at }) => at >= bbox.left && at <= bbox.left + bbox.width);
    const gap = 5 * devicePixelRatio;
    ctx.save();
    ctx.fillStyle = ctx.strokeStyle = colourOf("--muted");
    ctx.lineWidth = devicePixelRatio;
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.setLineDash([gap, gap]);
    for (const { at } of lines) {
      ctx.beginPath();
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
    }
    // No line is seen close to a text.
    ctx.setLineDash([]);
    ctx.lineWidth = gap;
    ctx.strokeStyle = colourOf("--card");
    lines.forEach(({ at, text }, i) => {
      const width = ctx.measureText(text).width + gap;
      const room = { right: bbox.left + bbox.width - at, left: at - bbox.left };
      const [first, other] = i % 2 === 0 ? ["right", "left"] : ["left", "right"];
      const right = (room[first] >= width || room[first] >= room[other] ? first : other) === "right";
      ctx.textAlign = right ? "left" : "right";
      const where = [text, at + (right ? gap : -gap), bbox.top + (14 + 16 * i) * devicePixelRatio];
      ctx.strokeText(...where);
      ctx.fillText(...where);
    });
    ctx.restore();
  }

  height() { return this.plotHost.clientWidth < 480 ? 300 : 360; }

  resize() {
    if (this.plot && this.plotHost.clientWidth !== this.plot.width)
      this.plot.setSize({ width: this.plotHost.clientWidth, height: this.height() });
  }

  hideReadout() { this.readout.hidden = true; }

  // The values under the cursor, each at its curve's own nearest point.
  read(plot) {
    if (plot.cursor.left < 0 || plot.cursor.idx == null) return this.hideReadout();
    const { x, y, note, series } = this.now;
    const rows = [];
    series.forEach((one, i) => {
      const at = plot.cursor.idxs[i + 1];
      if (at == null || !this.isRead(one)) return;
      const position = plot.data[0][at];
      rows.push(element("tr", {}, element("td", {}, swatch(one.look)), element("td", { class: "left" }, one.name),
        element("td", {}, shortNumber(position)), element("td", {}, shortNumber(plot.data[i + 1][at])),
        note ? element("td", {}, one.notes[one.table[0].indexOf(position)]) : null));
    });
    if (!rows.length) return this.hideReadout();
    const heading = element("tr", { class: "muted" }, element("td"), element("td"), element("td", {}, x.title),
      element("td", {}, y.title), note ? element("td", {}, note) : null);
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
