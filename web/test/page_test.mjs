// The page with made documents: what a person does in each pane, and what is seen then.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { close, colourAt, coloursFrom, open, placeOf, selected, still, until, written } from "./browser.mjs";
import { documentOf } from "./documents.mjs";

const block = (name, line) => ({
  name, class: "Block", equal: 0, parameters: 2048, adds: "131072", rows: [
    [{ op: "Conv", category: "convolution", caption: "3×3, stride 2", attributes: { strides: "[2, 2]" }, line: [0, line] }],
    [{ op: "Relu", category: "activation", line: [0, line + 1] }, { op: "Sigmoid", category: "activation", line: [0, line + 1] }],
    [{ op: "Add", category: "elementwise", line: [0, line + 2] }]],
});
const net = { title: "net.pt", rows: [
  [{ name: "stem", class: "Stem", rows: [[{ op: "MatMul", category: "matrix", line: [0, 2] }], [{ op: "Tanh", category: "activation", line: [0, 3] }]] }],
  [{ name: "layer1", class: "Sequential", rows: [[block("0", 5)], [block("1", 9)]] }],
  [{ op: "Softmax", category: "activation", name: "head/Softmax", line: [0, 14] }]] };
const lines = Array.from({ length: 20 }, (_, i) => `x${i} = self.step(${i})  # line ${i + 1}`);

// The document of `net` with a program, an overlay and findings.
function made(options = {}) {
  const document = documentOf(net);
  const text = string => document.strings.push(string) - 1;
  document.sources.files = [{ name: "net.py", kind: "python", first: 1, lines: lines.map(text) }];
  document.sources.emptyFile = [0];
  document.sources.emptyLine = [8];
  document.sources.emptyReason = [text("computed at export")];
  const nodes = document.nodes.name.length;
  document.overlays = [{
    id: "error", name: "relative error", unit: "", scale: "log", good: "low", least: 1e-8, most: 3e-3, limit: 1e-5,
    node: Array.from({ length: nodes }, (_, i) => (i === 4 ? 3e-3 : i === 0 ? null : 1e-8 * (i + 1))), nodeText: Array(nodes).fill(0),
    groupSum: document.groups.parent.map(() => null), groupMax: document.groups.parent.map((_, g) => (g === 1 ? 2e-8 : 3e-3)), combine: "max",
  }];
  document.messages = { severity: ["warning"], code: [text("unused-output")], text: [text("the output is not used")], hint: [text("remove it")],
                        node: [3], file: [-1], line: [0] };
  return { ...document, ...options };
}
const page_of_net = written(made(), "net.html");

test("the tree shows modules with their numbers and follows the selection", async () => {
  const page = await open(page_of_net);
  const tree = page.getByRole("tree", { name: "Tree of modules" });
  assert.match(await tree.getByRole("treeitem").first().textContent(), /net\.pt/);
  await tree.getByRole("treeitem", { name: /layer1/ }).click();
  assert.equal(await selected(page), "group layer1");
  assert.match(await page.locator("#inspector").textContent(), /Sequential.*layer1/);
  const found = tree.getByRole("treeitem", { name: /^0 ?Block/ });
  assert.match(await found.textContent(), /2\.05 k131 k3\.0e-3$/);
  assert.equal(await found.getAttribute("aria-level"), "3");
  assert.equal(await found.getAttribute("aria-setsize"), "2");
  await tree.press("ArrowDown");
  await tree.press("ArrowRight");
  await tree.press("ArrowDown");
  await tree.press(" ");
  assert.match(await selected(page), /^node Conv/);
  await close(page);
});

test("a click on the canvas selects a node, and the inspector shows its facts", async () => {
  const page = await open(page_of_net);
  const conv = await placeOf(page, "node", 2);
  await page.mouse.click(conv.x, conv.y);
  assert.match(await selected(page), /^node Conv layer1\.0\/Conv_2/);
  const inspector = await page.locator("#inspector").innerText();
  for (const text of ["Conv", "layer1.0", "strides", "[2, 2]", "f32[batch, 64]", "net.py:5", "What Conv computes."]) assert.ok(inspector.includes(text), text);
  assert.match(await page.locator("#announcer").textContent(), /selected: Conv/);
  await page.locator("#inspector").getByRole("button", { name: "v1", exact: true }).click();
  assert.equal(await selected(page), "value v1");
  await page.locator("#inspector").getByRole("button", { name: "Tanh" }).click();
  assert.match(await selected(page), /^node Tanh/);
  await close(page);
});

test("opening a group moves the others and keeps their order", async () => {
  const page = await open(page_of_net);
  await page.keyboard.press("A");
  const boxes = () => page.evaluate(() => {
    const { layouts, graph } = window.cameo.state;
    return [1, 2].map(id => layouts.box(graph.itemOfGroup[id], 0));
  });
  const [stem, layer] = await boxes();
  const place = await placeOf(page, "group", 1);
  await page.mouse.dblclick(place.x, place.y);
  await until(page, "open stem", () => window.cameo.state.layouts.isOpen(1));
  const [opened, below] = await boxes();
  assert.ok(opened.h > stem.h && below.y === layer.y + opened.h - stem.h, "what is below moves down by the growth");
  const after = await placeOf(page, "group", 1);
  assert.ok(Math.abs(after.x - place.x) <= 1, "the group stays below the pointer");
  await page.keyboard.press("Backspace");
  assert.deepEqual(await boxes(), [stem, layer]);
  await close(page);
});

test("Shift opens all groups of equal structure", async () => {
  const page = await open(page_of_net, { hash: "#module=layer1.0" });
  await page.keyboard.press("A");
  await page.evaluate(() => window.cameo.go({ kind: "group", id: 3 }, true));
  await page.locator("#graph").focus();
  await page.keyboard.press("Shift+Enter");
  assert.deepEqual(await page.evaluate(() => [3, 4].map(group => window.cameo.state.layouts.isOpen(group))), [true, true]);
  assert.match(await page.locator("#announcer").textContent(), /2 groups opened/);
  await close(page);
});

test("arrow keys follow the edges through open groups", async () => {
  const page = await open(page_of_net);
  await page.keyboard.press("a");
  await page.locator("#graph").focus();
  const seen = [];
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("ArrowDown");
    seen.push((await selected(page)).replace(/_\d+$/, ""));
  }
  assert.deepEqual(seen, ["value x", "node MatMul stem/MatMul", "node Tanh stem/Tanh", "node Conv layer1.0/Conv", "node Relu layer1.0/Relu",
                          "node Add layer1.0/Add"]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  assert.match(await selected(page), /^node Sigmoid/);
  await page.keyboard.press("g");
  assert.equal(await selected(page), "group layer1.0");
  await page.keyboard.press("Backspace");
  assert.equal(await page.evaluate(() => window.cameo.state.layouts.isOpen(3)), false);
  await close(page);
});

test("a line lights its nodes, a node its line, and an empty line tells why", async () => {
  const page = await open(page_of_net);
  const program = page.getByRole("listbox", { name: "Lines" });
  await program.getByRole("option", { name: /^line 6 became 2 nodes/ }).click();
  assert.deepEqual(await page.evaluate(() => Array.from(window.cameo.state.lit.keys()).filter(node => window.cameo.state.lit[node])), [3, 4]);
  assert.match(await page.locator("#inspector").innerText(), /net\.py:6[\s\S]*Relu[\s\S]*Sigmoid/);
  assert.match(await program.getByRole("option", { name: /^line 8/ }).textContent(), /computed at export/);
  await page.evaluate(() => window.cameo.go({ kind: "node", id: 9 }, true));
  assert.match(await program.locator(".selected").textContent(), /self\.step\(10\)/);
  await close(page);
});

test("a lit node has the colour of light on the canvas", async () => {
  const page = await open(page_of_net, { hash: "#line=net.py:5" });
  const place = await placeOf(page, "node", 2);
  const colours = await coloursFrom(page, place.x - place.w / 2 - 6, place.y, 8);
  assert.ok(colours.some(([red, green, blue]) => red > 180 && green > 100 && blue < 60), JSON.stringify(colours));
  await close(page);
});

test("search lists what it finds, and keys go through the results", async () => {
  const page = await open(page_of_net);
  await page.keyboard.press("/");
  await page.keyboard.type("conv layer1");
  const results = page.getByRole("listbox", { name: "Find" }).getByRole("option");
  assert.equal(await results.count(), 2);
  await page.keyboard.press("Enter");
  assert.match(await selected(page), /Conv layer1\.0/);
  await page.keyboard.press("ArrowDown");
  assert.match(await selected(page), /Conv layer1\.1/);
  assert.match(page.url(), /#node=layer1\.1\/Conv_\d&find=conv%20layer1$/);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => window.cameo.state.litCount), 0);
  await page.locator("#find").fill("nothing of this name");
  assert.equal(await page.getByRole("status").filter({ visible: true }).textContent(), "nothing found");
  await close(page);
});

test("an overlay colours nodes, writes its numbers, and ranks them", async () => {
  const page = await open(page_of_net);
  await page.keyboard.press("a");
  await page.keyboard.press("f");
  const before = await placeOf(page, "node", 4);
  const plain = await colourAt(page, before.x - before.w / 2 + 14, before.y);
  await page.getByLabel("Overlay").selectOption("error");
  await still(page);
  const coloured = await colourAt(page, before.x - before.w / 2 + 14, before.y);
  assert.notDeepEqual(coloured, plain);
  assert.match(await page.locator(".legend").textContent(), /relative error1\.0e-83\.0e-3⚠ limit 1\.0e-5/);
  await page.getByRole("tab", { name: "Ranking" }).click();
  const first = page.getByRole("listbox", { name: "Ranking" }).getByRole("option").first();
  assert.match(await first.textContent(), /⚠3\.0e-3 +Sigmoid/);
  await first.click();
  assert.match(await page.locator("#inspector").innerText(), /relative error\s+3\.0e-3/);
  assert.match(page.url(), /overlay=error/);
  await page.keyboard.press("o");
  assert.equal(await page.evaluate(() => window.cameo.state.overlay), null);
  await close(page);
});

test("findings are listed and lead to their nodes", async () => {
  const page = await open(page_of_net);
  await page.getByRole("tab", { name: "Findings" }).click();
  await page.getByRole("option", { name: /the output is not used/ }).click();
  assert.match(await selected(page), /^node Relu/);
  assert.match(await page.locator("#inspector").innerText(), /warning the output is not used[\s\S]*remove it/);
  await close(page);
});

test("a comparison shows what is new, gone, changed and renamed", async () => {
  const document = made();
  const text = string => document.strings.push(string) - 1;
  const marks = document.nodes.name.map((_, node) => ({ 2: 1, 3: 2, 4: 3, 5: 4 }[node] ?? 0));
  const counts = { start: [0], items: [] };
  document.groups.parent.forEach((_, group) => {
    counts.items.push(...(group === 1 ? [2, 0, 0, 0, 0] : [1, 1, 1, 1, 1]));
    counts.start.push(counts.items.length);
  });
  document.compare = { older: "old.onnx", newer: "new.onnx", node: marks, nodeText: marks.map(mark => (mark === 3 ? text("axis 1 -> 2") : 0)),
                       nodeRule: marks.map(mark => (mark === 2 ? text("fuse-relu") : 0)), weight: [], weightText: [], group: counts, notes: [text("an input was renamed")] };
  const page = await open(written(document));
  await page.getByRole("tab", { name: "Changes" }).click();
  const shown = await page.getByRole("listbox", { name: "Changes" }).getByRole("option").allTextContents();
  assert.deepEqual(shown.map(entry => entry.slice(0, 2)), ["−R", "+C", "≠S", "→A"]);
  assert.match(shown[0], /by fuse-relu/);
  await page.getByRole("option", { name: /Sigmoid/ }).click();
  assert.match(await page.locator("#inspector").innerText(), /≠ changed[\s\S]*axis 1 -> 2/);
  await page.keyboard.press("n");
  assert.match(await selected(page), /^node Add/);
  assert.match(await page.locator(".legend").textContent(), /\+ added− gone≠ changed→ renamed/);
  await close(page);
});

test("links lead to a node, a module, a line, a search and an overlay", async () => {
  for (const [hash, expected] of [["#node=head/Softmax", "node Softmax head/Softmax"], ["#node=@0", "node MatMul stem/MatMul_0"], ["#module=layer1.1", "group layer1.1"],
                                  ["#line=net.py:14", "line 14"], ["#find=tanh", "none"], ["#overlay=error", "none"], ["#node=%zz&module=%", "none"],
                                  ["#line=other.py:1", "none"]]) {
    const page = await open(page_of_net, { hash });
    assert.equal(await selected(page), expected, hash);
    if (hash === "#find=tanh") assert.equal(await page.evaluate(() => window.cameo.state.litCount), 1);
    if (hash === "#overlay=error") assert.equal(await page.getByLabel("Overlay").inputValue(), "error");
    await close(page);
  }
  const page = await open(page_of_net);
  await page.evaluate(() => (location.hash = "#module=stem"));
  await until(page, "the group of a new address", () => window.cameo.state.selection.kind === "group");
  await close(page);
});

test("colours follow the preference, and the switch", async () => {
  const page = await open(page_of_net, { colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), "rgb(18, 22, 28)");
  await still(page);
  const corner = await page.locator("#graph").boundingBox();
  assert.deepEqual(await colourAt(page, corner.x + 3, corner.y + corner.height - 3), [18, 22, 28]);
  await page.getByRole("button", { name: "Light colours" }).click();
  await still(page);
  assert.equal(await paper(), "rgb(246, 247, 249)");
  assert.deepEqual(await colourAt(page, corner.x + 3, corner.y + corner.height - 3), [246, 247, 249]);
  await close(page);
});

test("the interface is Chinese where the browser is, and by the switch", async () => {
  const page = await open(page_of_net, { locale: "zh-CN" });
  assert.equal(await page.getByRole("tab").first().textContent(), "模块");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
  await page.locator("#graph").focus();
  await page.keyboard.press("L");
  assert.equal(await page.getByRole("tab").first().textContent(), "Modules");
  assert.equal(await page.getByRole("tree").getAttribute("aria-label"), "Tree of modules");
  await close(page);
});

test("every key of the help is described, and help closes", async () => {
  const page = await open(page_of_net);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog");
  assert.equal(await help.locator("tr").count(), 24);
  await page.keyboard.press("Escape");
  assert.equal(await help.count(), 0);
  await close(page);
});

test("keys show and hide panes, zoom, fit, and show a group alone", async () => {
  const page = await open(page_of_net, { hash: "#module=layer1" });
  await page.keyboard.press("p");
  assert.equal(await page.locator(".program").isVisible(), false);
  await page.keyboard.press("i");
  assert.equal(await page.locator("#inspector").isVisible(), false);
  const scale = () => page.evaluate(() => window.cameo.graph.camera.scale);
  await page.keyboard.press("0");
  assert.equal(await scale(), 1);
  await page.keyboard.press("+");
  assert.ok(Math.abs((await scale()) - 1.3) < 1e-9);
  await page.keyboard.press("s");
  assert.equal(await page.evaluate(() => window.cameo.state.root), 2);
  await page.getByRole("button", { name: "Show all" }).click();
  assert.equal(await page.evaluate(() => window.cameo.state.root), 0);
  await page.keyboard.press("f");
  await still(page);
  const size = await page.evaluate(() => [window.cameo.graph.scene.size().h * window.cameo.graph.camera.scale, window.cameo.graph.camera.height]);
  assert.ok(size[0] <= size[1], "the whole graph is in sight");
  await close(page);
});

test("the wheel zooms at the pointer, and dragging moves", async () => {
  const page = await open(page_of_net);
  const before = await placeOf(page, "node", 0);
  await page.mouse.move(before.x, before.y);
  await page.mouse.wheel(0, -200);
  await until(page, "a larger scale", () => window.cameo.graph.camera.scale > 1.3);
  const after = await placeOf(page, "node", 0);
  assert.ok(Math.abs(after.x - before.x) < 1.5 && Math.abs(after.y - before.y) < 6 && after.w > before.w * 1.2);
  const corner = await page.locator("#graph").boundingBox();
  await page.mouse.move(corner.x + 20, corner.y + 300);
  await page.mouse.down();
  await page.mouse.move(corner.x + 120, corner.y + 350, { steps: 4 });
  await page.mouse.up();
  const moved = await placeOf(page, "node", 0);
  assert.ok(Math.abs(moved.x - after.x - 100) < 2 && Math.abs(moved.y - after.y - 50) < 2);
  await close(page);
});

test("every control has a name, and the tree can be read without sight", async () => {
  const page = await open(page_of_net);
  const nameless = await page.evaluate(() => Array.from(document.querySelectorAll("button, input, select, [tabindex]"))
    .filter(each => !(each.getAttribute("aria-label") || each.textContent.trim())).map(each => each.outerHTML.slice(0, 100)));
  assert.deepEqual(nameless, []);
  const tree = page.getByRole("tree");
  await tree.focus();
  await page.keyboard.press("End");
  const active = await tree.getAttribute("aria-activedescendant");
  assert.match(await page.locator(`#${active}`).textContent(), /Softmax/);
  const unnamed = await page.locator("[aria-expanded]").evaluateAll(rows => rows.filter(row => row.getAttribute("role") !== "treeitem").length);
  assert.equal(unnamed, 0);
  await close(page);
});

test("two fingers zoom", async () => {
  const page = await open(page_of_net, { hasTouch: true });
  const before = await page.evaluate(() => window.cameo.graph.camera.scale);
  await page.evaluate(() => {
    const { canvas } = window.cameo.graph;
    canvas.setPointerCapture = () => undefined;
    const send = (type, pointerId, clientX) => canvas.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY: 300, button: type === "pointermove" ? -1 : 0 }));
    send("pointerdown", 1, 500);
    send("pointerdown", 2, 600);
    send("pointermove", 2, 700);
    send("pointerup", 1, 500);
    send("pointerup", 2, 700);
  });
  assert.ok(Math.abs(await page.evaluate(() => window.cameo.graph.camera.scale) / before - 2) < 0.01);
  await close(page);
});

test("pictures of what is seen are saved as SVG and PNG", async () => {
  const page = await open(page_of_net);
  const saved = async choice => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Export", { exact: true }).selectOption(choice)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const svg = await saved("whole.svg");
  assert.equal(svg.name, "net.pt.svg");
  const text = svg.bytes.toString("utf8");
  assert.ok(text.startsWith("<svg xmlns=") && text.includes(">Softmax</text>") && text.includes("[batch, 64]</text>"));
  const parsed = await page.evaluate(source => new DOMParser().parseFromString(source, "image/svg+xml").querySelectorAll("parsererror").length, text);
  assert.equal(parsed, 0);
  const png = await saved("png");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(png.bytes.length > 5000);
  await close(page);
});

test("data of another version, or damaged data, give a message", async () => {
  const { page: other } = await broken(documentOf(net, { version: 99 }));
  assert.match(await other.getByRole("alert").textContent(), /version 99; this page reads version 1/);
  await other.context().close();
  const { page: damaged } = await broken(documentOf(net), text => text.replace(/octet-stream">.{200}/, 'octet-stream">'));
  assert.match(await damaged.getByRole("alert").textContent(), /damaged/);
  await damaged.context().close();
});

async function broken(document, change = text => text) {
  const { writeFileSync } = await import("node:fs");
  const path = written(document);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  const page = await open(path, {}, "[role=alert]");
  return { page };
}
