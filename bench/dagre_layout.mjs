// dagre_layout.mjs VIEW.json: seconds of processor time that dagre takes for the layout of the nodes of a view, all in one graph as viewers without
// groups draw it. Prints one number, or what went wrong.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const dagre = createRequire(fileURLToPath(new URL("../.cache/web/", import.meta.url)))("@dagrejs/dagre");
const view = JSON.parse(readFileSync(process.argv[2], "utf8"));

const graph = new dagre.graphlib.Graph({ multigraph: true });
graph.setGraph({ nodesep: 20, ranksep: 20 });
graph.setDefaultEdgeLabel(() => ({}));
view.nodes.item.forEach((item, node) => graph.setNode(`n${node}`, { width: view.items.w[item] ?? 100, height: view.items.h[item] ?? 40 }));
view.values.kind.forEach((kind, value) => kind === 1 && graph.setNode(`v${value}`, { width: 100, height: 30 }));
view.nodes.name.forEach((_, node) => {
  for (const value of view.nodes.inputs.items.slice(view.nodes.inputs.start[node], view.nodes.inputs.start[node + 1])) {
    const producer = value < 0 ? -1 : view.values.producer[value];
    const source = producer >= 0 ? `n${producer}` : `v${value}`;
    if (value >= 0 && graph.hasNode(source)) graph.setEdge(source, `n${node}`, {}, String(value));
  }
});
const start = process.cpuUsage();
dagre.layout(graph);
const spent = process.cpuUsage(start);
console.log((spent.user + spent.system) / 1e6);
