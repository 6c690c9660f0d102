// What the tests of pages share: the program, its files, and a real Chromium.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const program = process.env.DRIFTLESS_PROGRAM;
export const work = process.env.DRIFTLESS_WORK;

const leaveOut = reason => {
  console.log(`left out: ${reason}; scripts/install-browser-tests gets what is needed`);
  process.exit(77);
};

const browserFile = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find(file => file && existsSync(file));
if (!browserFile) leaveOut("no Chromium");
let playwright;
try {
  playwright = createRequire(join(process.env.DRIFTLESS_BROWSER_TESTS, "package.json"))("playwright-core");
} catch {
  leaveOut("no playwright-core");
}

export const call = (...given) => execFileSync(program, given, { cwd: work, stdio: ["ignore", "pipe", "ignore"] });
export const csv = file => {
  const [head, ...lines] = readFileSync(join(work, file), "utf8").trim().split("\n").map(line => line.split(","));
  return lines.map(cells => Object.fromEntries(head.map((name, i) => [name, Number(cells[i])])));
};

let browser;
export const startBrowser = async () => {
  browser = await playwright.chromium.launch({ executablePath: browserFile });
};
export const stopBrowser = () => browser?.close();

export const emptyWorkFolder = () => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
};

// The page, and everything it complains about or asks for.
export const open = async (where, options = {}) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const errors = [];
  page.on("console", message => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", error => errors.push(error.message));
  page.on("request", request => {
    if (!request.url().startsWith(where) && !request.url().startsWith("data:")) errors.push(`asked for ${request.url()}`);
  });
  await page.goto(where);
  return { page, errors };
};
export const fileUrl = name => pathToFileURL(join(work, name)).href;

// How many pixels of the chart have the colour of the curve, nearly.
export const inked = (page, colour, chart = ".plot") => page.evaluate(([name, host]) => {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
  probe.remove();
  const canvas = document.querySelector(`${host} canvas`);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 200 && wanted.every((v, k) => Math.abs(data[i + k] - v) < 12)) ++count;
  return count;
}, [colour, chart]);
