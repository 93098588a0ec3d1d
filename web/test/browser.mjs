// A real Chromium for the tests. Each page that is opened must make no request and print no error.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pageOf } from "./documents.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { chromium } = createRequire(join(root, ".cache/web/"))("playwright-core");

export const build = process.env.CAMEO_BUILD ?? join(root, "build/release");
export const folder = mkdtempSync(join(tmpdir(), "cameo-view-"));
export const template = readFileSync(join(build, "view.html"), "utf8");

let browser = null;
const opened = [];

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function launched() {
  browser ??= await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--disable-dev-shm-usage"],
  });
  return browser;
}

// Writes a document as a page; returns the path.
export function written(made, name = `${opened.length}.html`) {
  const path = join(folder, name);
  writeFileSync(path, pageOf(template, made));
  return path;
}

// Opens a file as a page in a context of its own, with what Playwright lets one choose: colorScheme, locale, viewport. With
// `threadTime`, page.session measures the processor time of the page.
export async function open(path, { hash = "", threadTime = false, ...context } = {}, ready = "html[data-ready]") {
  const page = await (await launched()).newPage({ viewport: { width: 1400, height: 900 }, locale: "en-GB", ...context });
  page.setDefaultTimeout(15_000);
  const faults = [];
  page.on("console", message => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", error => faults.push(String(error)));
  if (threadTime) {
    page.session = await page.context().newCDPSession(page);
    await page.session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
    await page.session.send("Performance.enable");
  }
  const address = String(pathToFileURL(path));
  page.on("request", request => request.url().split("#")[0] === address || request.url().startsWith("blob:") || faults.push(`request to ${request.url()}`));
  page.on("dialog", dialog => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.faults = faults;
  await page.goto(address + hash);
  await page.waitForSelector(ready);
  return page;
}

// Closes a page that must have been silent.
export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

// Waits until a function of the page is true, and says what is not if it does not become so.
export async function until(page, what, condition, argument) {
  await page.waitForFunction(condition, argument, { timeout: 10_000 }).catch(() => assert.fail(`never: ${what}`));
}

// What a person has selected, in words.
export function selected(page) {
  return page.evaluate(() => {
    const { state } = window.cameo;
    const { selection, graph } = state;
    if (selection.kind === "node") return `node ${graph.operatorOf(selection.id)} ${graph.nameOf(selection.id)}`;
    if (selection.kind === "group") return `group ${graph.groupName(selection.id)}`;
    if (selection.kind === "value") return `value ${graph.valueName(selection.id)}`;
    return selection.kind === "line" ? `line ${selection.line}` : "none";
  });
}

// Waits until no movement goes on, and no frame is due.
export function still(page) {
  return until(page, "a still view", () => !window.cameo.graph.moving);
}

// The middle of the item of a node or group on the screen.
export async function placeOf(page, kind, id) {
  await still(page);
  return page.evaluate(([what, row]) => {
    const { state, graph } = window.cameo;
    const box = state.layouts.box(state.itemOf({ kind: what, id: row }), state.root);
    const frame = graph.canvas.getBoundingClientRect();
    const { camera } = graph;
    return { x: frame.x + (box.x + box.w / 2 - camera.x) * camera.scale, y: frame.y + (box.y + Math.min(box.h, 20) / 2 - camera.y) * camera.scale,
             w: box.w * camera.scale, h: box.h * camera.scale };
  }, [kind, id]);
}

// The colours of the canvas in a row of points of the screen, from (x, y) to the right.
export function coloursFrom(page, x, y, count) {
  return page.evaluate(([px, py, width]) => {
    const { canvas } = window.cameo.graph;
    const frame = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(width, 1).getContext("2d");
    copy.drawImage(canvas, Math.round(px - frame.x), Math.round(py - frame.y), width, 1, 0, 0, width, 1);
    const { data } = copy.getImageData(0, 0, width, 1);
    return Array.from({ length: width }, (_, i) => Array.from(data.slice(4 * i, 4 * i + 3)));
  }, [x, y, count]);
}

export async function colourAt(page, x, y) {
  return (await coloursFrom(page, x, y, 1))[0];
}
