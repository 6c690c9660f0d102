// The curves of one problem, with controls for what is drawn.

class Chart extends Plot {
  // The charts of all problems that stand in one column share their state; `changed` redraws them. Curves are hidden by
  // their names, which are the same in all problems.
  constructor(host, { number, state, hidden, problem, changed }) {
    const controls = element("div", { class: "controls" });
    super(host, controls);
    Object.assign(this, { number, state, hidden, problem, changed, controls });
  }

  isHidden(name) { return this.hidden.has(name); }

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

  content() {
    const { x, y, log_x: logX, log_y: logY } = this.state;
    return {
      x: { title: this.title(this.report.x, x), log: logX },
      y: { title: this.title(this.report.y, y), log: logY },
      series: this.tables().map(({ curve, kind, table }) =>
        ({ name: curve.name, look: this.report.looks[curve.look], phase: curve.look, kind, table })),
    };
  }
}
