// Hostile texts stay text: nothing of a model becomes an element, a script or an address.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { close, open, selected, still, template, written } from "./browser.mjs";
import { documentOf, pageOf } from "./documents.mjs";

const hostile = [
  "</script><script>window.harmed = 1</script>", "<img src=x onerror='window.harmed = 2'>", "\"><svg onload=\"window.harmed = 3\">",
  "javascript:window.harmed=4", "{{constructor.constructor('window.harmed = 5')()}}", "<style>*{display:none}</style>", "%CAMEO_DATA%", "$& $1 $`",
  "__proto__", "constructor", "\u202e\u2028\u2029\ufeff", "&lt;b&gt;&#60;i&#62;", "]]><x>", "line\nline\ttab", "a".repeat(4000), "", "模块 🜁",
];

// A document with these texts at every place that comes from a model.
function made(texts) {
  let next = 0;
  const text = () => texts[next++ % texts.length];
  const node = () => ({ op: text(), category: text(), name: text(), value: text(), type: `f32[${text()}]`, caption: text(), attributes: { [text()]: text() },
                        line: [0, 1 + (next % 5)] });
  const group = depth => ({ name: text(), class: text(), adds: text(), equal: depth,
                            rows: [[node(), node()], [depth > 0 ? group(depth - 1) : node()], [node()]] });
  const document = documentOf({ rows: [[group(2)], [group(1)], [node()]] });
  const add = string => document.strings.push(string) - 1;
  const nodes = document.nodes.name.length;
  document.title = text();
  document.producer = text();
  document.files[0].name = text();
  document.facts = [{ name: text(), text: text() }];
  document.operators.link = document.operators.link.map(() => add(text()));
  document.operators.doc = document.operators.doc.map(() => add(text()));
  document.sources.files = [{ name: text() || "x", kind: "python", first: 1, lines: texts.map(add) }];
  document.sources.emptyFile = [0];
  document.sources.emptyLine = [7];
  document.sources.emptyReason = [add(text())];
  document.overlays = [{ id: text(), name: text(), unit: text(), scale: "linear", good: "low", least: 0, most: 1, limit: null, node: Array(nodes).fill(0.5),
                         nodeText: Array.from({ length: nodes }, () => add(text())), groupSum: document.groups.parent.map(() => 1),
                         groupMax: document.groups.parent.map(() => 1), combine: "sum" }];
  document.messages = { severity: ["error"], code: [add(text())], text: [add(text())], hint: [add(text())], node: [0], file: [-1], line: [0] };
  return document;
}

// Visits all that the page can show of a document; ends with what was harmed.
async function visit(page) {
  return page.evaluate(async () => {
    const app = window.cameo;
    const { graph } = app.state;
    app.toggleAll(true);
    app.setOverlay(graph.doc.overlays[0]?.id ?? "");
    for (let node = 0; node < graph.nodeCount; node++) app.go({ kind: "node", id: node }, false);
    for (let group = 1; group < graph.groupCount; group++) app.go({ kind: "group", id: group }, false);
    for (let value = 0; value < graph.doc.values.name.length; value++) app.go({ kind: "value", id: value }, false);
    app.toolbar.setQuery("harmed");
    for (const tab of ["tree", "found", "findings", "ranking"]) app.tabs.show(tab);
    const picture = new DOMParser().parseFromString(app.graph.svg(true), "image/svg+xml");
    app.go({ kind: "line", file: 0, line: 1 }, false);
    await new Promise(requestAnimationFrame);
    return {
      harmed: window.harmed, scripts: document.scripts.length, strange: document.querySelectorAll("img, iframe, object, embed, svg:not(.histogram)").length,
      links: Array.from(document.links, link => link.href).filter(link => !link.startsWith("https://")), prototype: Object.keys(Object.prototype),
      picture: picture.querySelectorAll("parsererror, script, foreignObject, a, image, style").length,
      handlers: Array.from(picture.querySelectorAll("*")).filter(element => Array.from(element.attributes).some(each => /^on/i.test(each.name))).length,
    };
  });
}
const unharmed = { harmed: undefined, scripts: 1, strange: 0, links: [], prototype: [], picture: 0, handlers: 0 };

test("hostile texts at every place inject nothing", async () => {
  const page = await open(written(made(hostile)));
  assert.deepEqual(await visit(page), unharmed);
  assert.ok((await page.locator("#inspector").innerText()).length > 0);
  await close(page);
});

test("a hostile text alone, as the title too", async () => {
  for (const text of hostile.filter((_, i) => [0, 1, 2, 6, 8, 12].includes(i))) {
    const page = await open(written(made([text])));
    assert.equal(await page.locator("h1").textContent(), text);
    assert.deepEqual(await visit(page), unharmed, JSON.stringify(text.slice(0, 60)));
    await close(page);
  }
});

test("texts of 10 MB are shown and stop nothing", async () => {
  const long = `${"<b>".repeat(3_500_000)}</script><script>window.harmed = 1</script>`;
  const document = made(["short"]);
  const at = document.strings.push(long) - 1;
  document.nodes.name[0] = at;
  document.values.name[1] = at;
  document.groups.path[1] = at;
  const page = await open(written(document));
  await page.evaluate(() => window.cameo.go({ kind: "node", id: 0 }, false));
  assert.match(await selected(page), /^node short <b>/);
  await still(page);
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  await close(page);
});

test("hostile addresses change nothing", async () => {
  const path = written(made(["quiet"]));
  for (const hash of ["#node=<script>window.harmed=1</script>", "#find=%3Cimg%20src%3Dx%20onerror%3Dwindow.harmed%3D1%3E", "#overlay=__proto__",
                      "#module=__proto__&node=@99999999&line=:::&line=a:-1", "#node=@-1", `#find=${"x".repeat(20000)}`]) {
    const page = await open(path, { hash });
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.equal(await page.locator("img").count(), 0);
    await close(page);
  }
});

test("the policy forbids requests, foreign scripts and inline handlers", async () => {
  const policy = template.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; img-src data: blob:;/);
  assert.ok(template.indexOf("Content-Security-Policy") < template.indexOf("<style>"), "the policy comes first");
  assert.ok(Buffer.byteLength(template) <= 150_000);
  const path = written(made(["quiet"]));
  writeFileSync(path, readFileSync(path, "utf8").replace("<body>", "<body><script>window.harmed = 1</script><img src=x onerror='window.harmed = 2'>"));
  const page = await open(path);
  const refused = await page.evaluate(() => fetch("https://example.org/").then(() => "sent", () => "refused"));
  assert.equal(refused, "refused");
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.ok(page.faults.some(fault => /Content Security Policy/.test(fault)));
  assert.ok(!page.faults.some(fault => /request to https:/.test(fault)), "no request left the page");
  await page.context().close();
});

test("a document of strange shape gives a page or a message", async () => {
  const empty = documentOf({ rows: [] });
  assert.equal(pageOf(template, empty).includes("%CAMEO_"), false);
  const page = await open(written(empty));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await close(page);
  const cyclic = made(["x"]);
  cyclic.nodes.inputs.items = cyclic.nodes.inputs.items.map((_, i) => cyclic.nodes.outputs.items[i % cyclic.nodes.outputs.items.length]);
  const strange = await open(written(cyclic));
  assert.deepEqual(await visit(strange), unharmed);
  await close(strange);
});
