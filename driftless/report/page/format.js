// Numbers, elements and the look of curves.

const dashes = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [14, 4]];
const colourCount = 7;

const look = index => ({ colour: `--c${index % colourCount}`, dash: dashes[index % dashes.length] });

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

const swatch = index => {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("viewBox", "0 0 30 10");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  const { colour, dash } = look(index);
  line.setAttribute("d", "M0 5H30");
  line.style.cssText = `stroke:var(${colour});stroke-width:2.5;stroke-dasharray:${dash.join(" ") || "none"}`;
  svg.append(line);
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
