// Numbers, elements and the look of curves.

// A look is { name, colour, dashes, marker }; the report lists them, and curves of one look stand for the same method.
const lookColour = look => (look.colour === undefined ? "--muted" : `--c${look.colour}`);

// The outline of a mark of this radius around a point, as [x, y], …
const markOutline = (marker, x, y, radius) => {
  const [corners, turn, size] =
    { square: [4, 0.25, 1.2], triangle: [3, -0.5, 1.4], diamond: [4, 0, 1.35] }[marker] ?? [16, 0, 1];
  return Array.from({ length: corners }, (_, k) => Math.PI * (turn + 2 * k / corners))
    .map(angle => [x + radius * size * Math.cos(angle), y + radius * size * Math.sin(angle)]);
};

const colourOf = name => {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
};

const translucent = (colour, part) => `color-mix(in srgb, ${colour} ${part}%, transparent)`;

// element("td", {class: "best"}, "text", child, …); a value of null leaves the attribute out.
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children.filter(child => child !== null && child !== undefined).map(child =>
    child instanceof Node ? child : String(child)));
  return made;
};

const byId = id => document.getElementById(id);
const replace = (host, ...children) => host.replaceChildren(...children);

const swatch = look => {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("viewBox", "0 0 30 10");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", "M0 5H30");
  line.style.cssText =
    `stroke:var(${lookColour(look)});stroke-width:2.5;stroke-dasharray:${look.dashes.join(" ") || "none"}`;
  svg.append(line);
  if (look.marker !== "none") {
    const mark = document.createElementNS(space, "path");
    mark.setAttribute("d", `M${markOutline(look.marker, 15, 5, 3.6).map(point => point.join(" ")).join("L")}Z`);
    mark.style.fill = `var(${lookColour(look)})`;
    svg.append(mark);
  }
  return svg;
};

const superscript = exponent => String(exponent).replace(/./g, c => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);

// 6 digits, as a reader wants them; whole numbers in full.
const shortNumber = value => {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en").replaceAll(",", "\u202f");
  const rounded = Number(value.toPrecision(6));
  const short = Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e9 ? String(rounded) : rounded.toExponential();
  return short.replace("e+", "e");
};

const secondsText = seconds => {
  const units = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]];
  const [size, unit] = units.find(([least]) => seconds >= least) ?? (seconds > 0 ? units.at(-1) : units[0]);
  return `${Number((seconds / size).toPrecision(3))} ${unit}`;
};

const bytesText = bytes => {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.length; ++unit) bytes /= 1000;
  return `${Number(bytes.toPrecision(3))} ${units[unit]}`;
};

const tickText = value => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3) return value.toExponential(Number.isInteger(Math.log10(size)) ? 0 : 1);
  const units = ["", "k", "M", "G", "T"];
  let unit = 0;
  for (; Math.abs(value) >= 9999.5 && unit + 1 < units.length; ++unit) value /= 1000;
  return `${Number(value.toPrecision(4))}${units[unit]}`;
};
