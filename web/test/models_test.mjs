// The views of real models, made by the command: what a person does with them, and what is seen.
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { close, coloursFrom, folder, open, placeOf, selected, still, until } from "./browser.mjs";
import { cameo, root, run, viewed } from "./command.mjs";

const example = join(root, "examples/models/digits.pt");
const image = ["--input", "image=f32[batch,1,28,28]"];

before(() => run("/usr/bin/python3", "-W", "ignore", join(root, "web/test/programs.py"), folder));

test("digits: tree, graph, lines, weights and search", async () => {
  const page = await open(viewed("digits", example, ...image, "--source", join(root, "examples/models")));
  assert.match(await page.getByRole("treeitem").first().textContent(), /digits/);
  await page.locator("#find").fill("Conv");
  await page.keyboard.press("Enter");
  assert.match(await selected(page), /^node Conv/);
  const inspector = page.locator("#inspector");
  assert.match(await inspector.innerText(), /f32\[batch, 1, 28, 28\]/);
  assert.equal(await inspector.locator(".histogram").count() > 0, true);
  assert.match(await inspector.innerText(), /mean\s+-?\d/);
  const line = page.locator(".line.selected").first();
  assert.match(await line.textContent(), /conv|Conv/);
  await page.locator(".line.has").last().click();
  assert.match(await selected(page), /^line/);
  assert.ok(await page.evaluate(() => window.cameo.state.litCount) > 0);
  await close(page);
});

test("ResNet-50: groups open by click, by tree and together", async () => {
  const page = await open(viewed("resnet50", "resnet50.pt", "--input", "x=f32[batch,3,224,224]"));
  const tree = page.getByRole("tree");
  await page.keyboard.press("A");
  await tree.getByRole("treeitem", { name: /^layer3/ }).dblclick();
  const layer3 = await page.evaluate(() => window.cameo.state.selection.id);
  assert.equal(await page.evaluate(group => window.cameo.state.layouts.isOpen(group), layer3), true);
  await page.evaluate(() => (location.hash = "#module=layer3.2"));
  await until(page, "layer3.2 is selected", () => window.cameo.state.graph.groupName(window.cameo.state.selection.id) === "layer3.2");
  await page.locator("#graph").focus();
  await page.keyboard.press("Shift+Enter");
  const opened = await page.evaluate(() => window.cameo.state.layouts.openGroups().map(group => window.cameo.state.graph.groupName(group)));
  for (const equal of ["layer3.1", "layer3.2", "layer3.5"]) assert.ok(opened.includes(equal), `${equal} of ${opened}`);
  assert.match(await page.locator("#inspector").innerText(), /bottleneck[\s\S]*layer3\.2[\s\S]*parameters\s+1,11\d,\d{3}/i);
  assert.match(await tree.getByRole("treeitem").first().textContent(), /25\.5 M/);
  await still(page);
  await close(page);
});

test("Swin-T: the whole graph can be opened, walked and saved", async () => {
  const page = await open(viewed("swin_t", "swin_t.pt", "--input", "x=f32[batch,3,224,224]"), { colorScheme: "dark" });
  await page.keyboard.press("a");
  await page.locator("#graph").focus();
  const seen = new Set();
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("ArrowDown");
    seen.add(await selected(page));
  }
  assert.equal(seen.size, 30, "each press goes on");
  const svg = await page.evaluate(() => window.cameo.graph.svg(true));
  const nodes = await page.evaluate(() => window.cameo.state.graph.nodeCount);
  assert.ok(svg.split(">LayerNormalization</text>").length > 20 && nodes > 300);
  await close(page);
});

test("a detector: If and Loop are groups with bodies, nested or alone", async () => {
  const page = await open(viewed("detector", "detector.pt", "--input", "images=[f32[3,h,w]]"));
  for (const operator of ["Loop", "If"]) {
    const node = await page.evaluate(name => {
      const { graph } = window.cameo.state;
      return Array.from({ length: graph.nodeCount }, (_, n) => n).find(n => graph.operatorOf(n) === name);
    }, operator);
    assert.notEqual(node, undefined, operator);
    await page.evaluate(id => window.cameo.go({ kind: "node", id }, false), node);
    await page.locator("#inspector").getByRole("button", { name: "Open", exact: true }).click();
    const group = await page.evaluate(() => window.cameo.state.selection.id);
    const place = await placeOf(page, "group", group);
    assert.ok(place.w > 0);
    await page.locator("#graph").focus();
    await page.keyboard.press("s");
    assert.equal(await page.evaluate(id => window.cameo.state.graph.isBelow(window.cameo.state.root, id), group), true);
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Show all" }).click({ timeout: 1000 }).catch(() => undefined);
    assert.equal(await page.evaluate(() => window.cameo.state.root), 0);
  }
  await close(page);
});

test("hostile names of an ONNX model stay text", async () => {
  const model = join(folder, "hostile.onnx");
  run("/usr/bin/python3", "-c", `
import onnx
from onnx import TensorProto, helper
evil = "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=2>"
long = evil + "x" * 10_000_000
info = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [evil, 2])
nodes = [helper.make_node("Relu", [evil], ["a"], name=long, doc_string=long), helper.make_node("Relu", ["a"], ["b" + evil], name="/" + evil + "/x/y"),
         helper.make_node("Mystery", ["b" + evil], [long], name="$&%CAMEO_DATA%", domain=evil, text=long)]
graph = helper.make_graph(nodes, evil, [info(evil)], [info(long)])
onnx.save(helper.make_model(graph, producer_name=evil, doc_string=long, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(evil, 1)]), "${model}")`);
  const page = await open(viewed("hostile", model));
  await page.evaluate(() => {
    const app = window.cameo;
    app.toggleAll(true);
    for (let node = 0; node < app.state.graph.nodeCount; node++) app.go({ kind: "node", id: node }, false);
    app.toolbar.setQuery("script");
  });
  assert.deepEqual(await page.evaluate(() => [window.harmed, document.images.length, document.scripts.length]), [undefined, 0, 1]);
  assert.match(await page.locator("#inspector").innerText(), /<\/script>/);
  await close(page);
});

test("a comparison of real models: what a simplification took, and by which rule", async () => {
  const [older, page_of_rules] = [join(folder, "older.onnx"), join(folder, "rules.html")];
  cameo("export", "resnet50.pt", "--input", "x=f32[batch,3,224,224]", "--stop-after", "20", "-o", older);
  cameo("simplify", older, "-o", join(folder, "newer.onnx"), "--view", page_of_rules);
  for (const [path, rule] of [[viewed("compared", join(folder, "newer.onnx"), "--against", older), ""], [page_of_rules, "batch-norm"]]) {
    const page = await open(path);
    await page.getByRole("tab", { name: "Changes" }).click();
    const first = page.getByRole("listbox", { name: "Changes" }).getByRole("option").first();
    assert.match(await first.textContent(), new RegExp(`^−BatchNormalization.*${rule}`));
    await first.click();
    assert.match(await page.locator("#inspector").innerText(), /BatchNormalization\s*− gone/);
    const place = await placeOf(page, "node", await page.evaluate(() => window.cameo.state.selection.id));
    const colours = await coloursFrom(page, place.x - place.w / 2, place.y, 12);
    assert.ok(colours.filter(([red, green, blue]) => red > green + 15 && red > blue + 15).length > 5, `a node that is gone is red: ${JSON.stringify(colours)}`);
    assert.match(await page.locator(".legend").textContent(), /gone/);
    await close(page);
  }
});
