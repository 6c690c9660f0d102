// The sections of a model of tables: what it is, its coefficients, how good it is, and the path of its penalty.

const fittedLook = { colour: 0, dashes: [], marker: "circle" };
const testLook = { colour: 1, dashes: [7, 3], marker: "square" };
const guideLook = { dashes: [4, 4], marker: "none" };
const rowKinds = [["train", "fitted rows", fittedLook], ["test", "test rows", testLook]];

// A plot of one model, with its title and legend above it.
class ModelPlot extends Plot {
  constructor(host, title, content) {
    const keys = content.series.filter(one => ["mean", "points", "guide"].includes(one.kind)).map(one =>
      element("span", { class: "key" }, swatch(one.look), one.name));
    super(host, element("div", { class: "model-plot" }, element("h3", {}, title),
      element("div", { class: "keys" }, ...keys)));
    this.content = () => content;
  }

  // Its host is on the page by now, or its width has changed.
  resize() {
    if (!this.plotHost.clientWidth) return;
    if (this.plot) super.resize();
    else this.draw();
  }
}

const guideLine = (name, positions, heights) => ({ name, look: guideLook, kind: "guide", table: [positions, heights] });
const diagonal = name => guideLine(name, [0, 1], [0, 1]);
const axes = (x, y, logX = false) => ({ x: { title: x, log: logX }, y: { title: y, log: false } });

// Scores are log-odds where the family has probabilities.
const thresholdText = (score, family) =>
  (score === null ? "–" : shortNumber(family === "logistic" ? 1 / (1 + Math.exp(-score)) : score));

const rocContent = ({ family, evaluation }) => ({
  ...axes("false positive rate", "true positive rate"),
  note: family === "logistic" ? "from probability" : "from score",
  series: [...rowKinds.filter(([key]) => evaluation[key]?.roc).map(([key, name, look]) => {
    const { roc } = evaluation[key];
    return {
      name, look: { ...look, marker: "none" }, kind: "mean",
      table: [increasing(roc.map(point => point[0])), roc.map(point => point[1])],
      notes: roc.map(point => thresholdText(point[2], family)),
    };
  }), diagonal("no better than chance")],
});

const calibrationContent = evaluation => ({
  ...axes("mean prediction", "observed frequency"),
  note: "rows",
  series: [...rowKinds.filter(([key]) => evaluation[key]?.calibration).map(([key, name, look]) => {
    const bins = evaluation[key].calibration.filter(bin => bin.rows > 0);
    const most = Math.max(...bins.map(bin => bin.rows));
    return {
      name, look, kind: "points", table: [increasing(bins.map(bin => bin.predicted)), bins.map(bin => bin.observed)],
      notes: bins.map(bin => shortNumber(bin.rows)), sizes: bins.map(bin => Math.sqrt(bin.rows / most)),
    };
  }), diagonal("perfect")],
});

const ruleNames = { "1se": "1se rule", min: "least loss" };

const pathContent = path => {
  const { l2, loss, error, least, chosen } = path;
  const bound = path.rule === "1se" ? loss[least] + error[least] : null;
  const line = (kind, name, sign) => ({ name, kind, look: fittedLook, table: [l2, loss.map((value, i) =>
    (value === null ? null : value + sign * error[i]))], notes: error.map(value => `± ${shortNumber(value)}`) });
  return {
    ...axes("l2", "mean loss", true),
    note: "std. error",
    series: [
      line("points", "mean over folds, with its standard error", 0), line("high", "high", 1), line("low", "low", -1),
      ...(bound === null ? []
        : [guideLine("one standard error above the least", [l2[0], l2.at(-1)], [bound, bound])]),
    ],
    guides: [{ x: l2[chosen], text: `chosen (${path.rule}): ${fewDigits(l2[chosen])}` },
      ...(least === chosen ? [] : [{ x: l2[least], text: `least loss: ${fewDigits(l2[least])}` }])],
  };
};

const pathNote = ({ l2, rule, least, chosen }) => (rule === "1se"
  ? `Chosen is l2 = ${fewDigits(l2[chosen])}, the largest whose mean loss is within one standard error of the least; ` +
    `that is at l2 = ${fewDigits(l2[least])}.`
  : `Chosen is l2 = ${fewDigits(l2[chosen])}, where the mean loss is least.`);

// Facts as pairs of a name and a text; those without a text are left out.
const factList = facts => element("dl", { class: "facts" }, ...facts.filter(([, text]) => text !== null &&
  text !== undefined && text !== "").map(([name, text]) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, text))));

const penaltyText = ({ l2, path }) => {
  if (path) return `${fewDigits(l2)}, by ${path.folds}-fold cross-validation (${ruleNames[path.rule]})`;
  return l2 === 0 ? "none" : shortNumber(l2);
};

const modelFacts = fit => {
  const found = fit.inference ?? {};
  const rounded = value => (value === undefined || value === null ? null : shortNumber(value));
  const [first, ...others] = fit.classes;
  const options = ["tau", "delta"].filter(key => fit[key] !== undefined).map(key => `, ${key} = ${fit[key]}`);
  const role = fit.classes.length === 2 ? "negative" : "reference";
  const effective = found.parameters && !Number.isInteger(found.parameters);
  return factList([
    ["family", fit.family + options.join("")],
    ["label", fit.label],
    ["classes", fit.classes.length ? `${first} (${role}), ${others.join(", ")}` : ""],
    ["fitted rows", rounded(fit.rows)],
    ["test rows", rounded(fit.evaluation?.test?.rows)],
    ["sites", rounded(found.sites)],
    ["columns", `${fit.columns}, coded as ${fit.variables} variable${fit.variables === 1 ? "" : "s"}`],
    ["l2", penaltyText(fit)],
    ["intercept", fit.intercept ? null : "none"],
    ["weights", fit.weight], ["offset", fit.offset],
    ["dispersion", found.dispersion_estimated ? `${rounded(found.dispersion)}, estimated` : null],
    ["parameters", effective ? `${rounded(found.parameters)}, effective` : null],
    ["deviance", rounded(found.deviance)], ["null deviance", rounded(found.null_deviance)],
    ["log-likelihood", rounded(found.log_likelihood)], ["AIC", rounded(found.aic)],
  ]);
};

const isOfClasses = fit => fit.classes.length > 0;
const lossName = fit => (["logistic", "multinomial"].includes(fit.family) ? "log-loss" : "mean loss");

// Whether more is better, where that can be said.
const measuresOf = fit => [
  ["rows", "rows"], ["weight", "sum of weights"], ["loss", lossName(fit), -1], ["auc", "AUC", 1],
  ["average_precision", "average precision", 1], ["accuracy", "accuracy", 1], ["brier", "Brier score", -1],
  ["calibration_error", "calibration error", -1], ["r_squared", "R²", 1],
  ["mean_squared_error", "mean squared error", -1], ["mean_absolute_error", "mean absolute error", -1],
  ["below", "labels not above their prediction"],
  ["deviance", "deviance"], ["null_deviance", "null deviance"], ["explained_deviance", "explained deviance", 1],
  ["pearson", "Pearson’s χ²"], ["log_likelihood", "log-likelihood"],
];

// The bound of its error stands beside a measure from a histogram, where that can be seen.
const measureCell = (numbers, key) => {
  const cell = exact(numbers[key] ?? null);
  const bound = numbers[`${key}_error`];
  if (bound > 1e-6 * Math.abs(numbers[key]))
    cell.append(element("span", { class: "error" }, ` ± ${Number(bound.toPrecision(1))}`));
  return cell;
};

const measuresTable = fit => {
  const kinds = rowKinds.filter(([key]) => fit.evaluation[key]);
  const all = kinds.map(([kind]) => fit.evaluation[kind]);
  const isKnown = ([key]) => all.some(numbers => typeof numbers[key] === "number");
  const isNew = ([key]) => key !== "weight" || all.some(({ weight, rows }) => weight !== rows);
  const rows = measuresOf(fit).filter(isKnown).filter(isNew).map(([key, title]) =>
    element("tr", { "data-measure": key }, rowHead(title), ...all.map(numbers => measureCell(numbers, key))));
  return table(heading("measure", ...kinds.map(([, name]) => name)), [element("tbody", {}, ...rows)],
    { class: "narrow" });
};

const confusionTable = ({ classes, weights }) => table(heading("label", ...classes.map(name => `predicted ${name}`)),
  [element("tbody", {}, ...weights.map((line, i) => {
    const whole = line.reduce((sum, weight) => sum + weight, 0);
    return element("tr", {}, rowHead(classes[i]), ...line.map((weight, j) => shadedCell(whole ? weight / whole : 0,
      `label ${classes[i]}, predicted ${classes[j]}: ${weight} of ${whole}`, shortNumber(weight))));
  }))], { class: "heat" });

const confusionParts = evaluation => rowKinds.filter(([key]) => evaluation[key]?.confusion).map(([key, name]) =>
  element("div", {}, element("h3", {}, `Confusion matrix, ${name}`),
    scrolled(`Confusion matrix, ${name}`, confusionTable(evaluation[key].confusion))));

// The names of files, where each is a client.
const siteNames = (run, sites) => {
  const areFiles = run.problem?.split === "one file each" && run.data?.length === sites.length;
  return sites.map((site, i) => (areFiles ? run.data[i].name : null) ?? site.site);
};

// What a site gains by the model of all, in one measure: its sign alone does not say which model is better.
const gainCell = (difference, better) => {
  const kind = difference * better > 0 ? "gain" : difference * better < 0 ? "loss" : null;
  const sign = difference > 0 ? "+" : "";
  return element("td", { class: kind, title: difference }, sign + shortNumber(Number(difference.toPrecision(3))));
};
const noCell = () => element("td", { class: "muted" }, "–");

const siteCells = (measures, site, own, withLocal) => {
  if (!site.shown) {
    const columns = 1 + measures.length * (withLocal ? 3 : 1);
    return [element("td", { class: "muted left", colspan: columns }, "too few rows to show")];
  }
  const cellsOf = ([key, , better]) => {
    if (!withLocal) return [measureCell(site, key)];
    const comparable = own?.shown && typeof own[key] === "number" && typeof site[key] === "number";
    return comparable ? [measureCell(site, key), measureCell(own, key), gainCell(site[key] - own[key], better)]
      : [measureCell(site, key), noCell(), noCell()];
  };
  return [element("td", {}, shortNumber(site.rows)), ...measures.flatMap(cellsOf)];
};

const sitesTable = (run, fit) => {
  const { sites, local, test, train } = fit.evaluation;
  const keys = isOfClasses(fit) ? ["loss", "accuracy", "auc"] : ["loss", "mean_absolute_error", "r_squared"];
  const all = { ...(test ?? train), shown: true };
  const measures = measuresOf(fit).filter(([key]) => keys.includes(key) && typeof all[key] === "number");
  const names = siteNames(run, sites);
  const models = local ? ["model of all", "own model", "difference"] : ["model of all"];
  const top = element("tr", {}, ...heading("", ""), ...measures.map(([, title]) =>
    element("th", { scope: "colgroup", colspan: models.length, class: "spanning" }, title)));
  const below = element("tr", {}, ...heading("site", "rows", ...measures.flatMap(() => models)));
  const row = (name, site, own) => element("tr", { "data-site": name }, rowHead(name),
    ...siteCells(measures, site, own, Boolean(local)));
  return element("table", {}, element("thead", {}, top, below), element("tbody", {}, row("all sites", all, null),
    ...sites.map((site, i) => row(names[i], site, local?.[i]))));
};

const sitesNote = ({ test, local, sites }) => [
  `Judged on the ${test ? "test" : "fitted"} rows of each site.`,
  local ? "The own model is one that a site fits to its own rows alone; where the difference is green, the model of " +
    "all is better for the site." : "",
  sites.every(site => site.shown) ? "" : "A site with too few rows is not shown; where that would leave out a single " +
    "site, the smallest of the others is not shown either.",
].filter(Boolean).join(" ");

// The parts of each section of one model, by the id of the section; an empty list: it has nothing to show. New plots
// are added to `plots`.
const modelParts = (run, fit, plots) => {
  const { evaluation, path } = fit;
  const charts = element("div", { class: "charts" });
  const plot = (title, content, host = charts) => plots.push(new ModelPlot(host, title, content));
  if (evaluation?.train.roc) plot("ROC curve", rocContent(fit));
  if (evaluation?.train.calibration) plot("Calibration", calibrationContent(evaluation));
  const pathHost = element("div", { class: "charts" });
  if (path) plot("Mean loss on the rows left out", pathContent(path), pathHost);
  return {
    model: [modelFacts(fit)],
    coefficients: new CoefficientView(fit).parts(),
    judging: !evaluation ? [] : [...(charts.children.length ? [charts] : []), element("div", { class: "side-by-side" },
      element("div", {}, element("h3", {}, "Measures"), scrolled("Measures", measuresTable(fit))),
      ...confusionParts(evaluation))],
    sites: !evaluation?.sites ? [] : [scrolled("Measures of each site", sitesTable(run, fit)),
      element("p", { class: "note" }, sitesNote(evaluation))],
    penalty: path ? [pathHost, element("p", { class: "note" }, pathNote(path))] : [],
  };
};
