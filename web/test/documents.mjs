// Documents for tests of the page: a nested description of rows of nodes and groups becomes a document (web/src/document.ts) with
// a simple layout. Each item of a row reads what the items of the row before made.
import { deflateSync } from "node:zlib";

const sizes = { node: [120, 40], group: [150, 48], port: [110, 26] };
const gap = 36;
const lists = () => ({ start: [0], items: [] });

class Builder {
  constructor() {
    this.strings = [""];
    this.known = new Map([["", 0]]);
    this.groups = {};
    for (const name of ["parent", "kind", "path", "name", "type", "node", "equal", "nodes", "parameters", "bytes", "multiplyAdds", "width", "height",
                        "items", "edges", "ranks", "rankTop", "rankHeight"]) this.groups[name] = [];
    this.layouts = [];
    this.operators = { domain: [], name: [], category: [], link: [], doc: [], inputs: lists(), outputs: lists() };
    this.operatorRows = new Map();
    this.categories = [];
    this.nodes = { operator: [], name: [], group: [], module: [], item: [], bodies: [], attributes: lists(), inputs: lists(), outputs: lists(), origin: [] };
    this.values = { name: [], type: [], kind: [], producer: [], weight: [] };
    this.sources = { files: [], file: [], line: [], node: [], level: [], emptyFile: [], emptyLine: [], emptyReason: [] };
  }

  text(text) {
    if (!this.known.has(text)) {
      this.known.set(text, this.strings.length);
      this.strings.push(text);
    }
    return this.known.get(text);
  }

  value(name, type, kind, producer) {
    const { values } = this;
    values.name.push(this.text(name));
    values.type.push(this.text(type));
    values.kind.push(kind);
    values.producer.push(producer);
    values.weight.push(-1);
    return values.name.length - 1;
  }

  operator(name, category) {
    const key = `${name} ${category}`;
    if (this.operatorRows.has(key)) return this.operatorRows.get(key);
    if (!this.categories.includes(category)) this.categories.push(category);
    const { operators } = this;
    operators.domain.push(0);
    operators.name.push(this.text(name));
    operators.category.push(this.categories.indexOf(category));
    operators.link.push(this.text(`https://onnx.ai/onnx/operators/onnx__${name}.html`));
    operators.doc.push(this.text(`What ${name} computes.`));
    for (const [list, formal] of [[operators.inputs, "X"], [operators.outputs, "Y"]]) {
      list.items.push(this.text(formal));
      list.start.push(list.items.length);
    }
    this.operatorRows.set(key, operators.name.length - 1);
    return operators.name.length - 1;
  }

  node(spec, group, path, inputs) {
    const { nodes } = this;
    const node = nodes.name.length;
    nodes.operator.push(this.operator(spec.op, spec.category ?? "elementwise"));
    nodes.name.push(this.text(spec.name ?? `${path ? path + "/" : ""}${spec.op}_${node}`));
    nodes.group.push(group);
    nodes.module.push(this.text(path));
    nodes.item.push(-1);
    nodes.bodies.push(-1);
    nodes.origin.push(this.text(`aten::${spec.op.toLowerCase()}`));
    for (const [name, value] of Object.entries(spec.attributes ?? {})) nodes.attributes.items.push(this.text(name), this.text(value));
    nodes.attributes.start.push(nodes.attributes.items.length);
    nodes.inputs.items.push(...inputs);
    nodes.inputs.start.push(nodes.inputs.items.length);
    const output = this.value(spec.value ?? `v${node}`, spec.type ?? "f32[batch, 64]", 0, node);
    nodes.outputs.items.push(output);
    nodes.outputs.start.push(nodes.outputs.items.length);
    if (spec.line) this.line(spec.line, node);
    return { node, output };
  }

  line([file, line], node) {
    this.sources.file.push(file);
    this.sources.line.push(line);
    this.sources.node.push(node);
    this.sources.level.push(0);
  }

  // Makes a group and all below; returns its row and the value that leaves it.
  group(spec, parent, path, input) {
    const { groups } = this;
    const row = groups.parent.length;
    const nodesBefore = this.nodes.name.length;
    for (const [name, value] of [["parent", parent], ["kind", parent < 0 ? 0 : spec.kind ?? 1], ["path", this.text(path)], ["name", this.text(spec.name ?? "")],
                                 ["type", this.text(spec.class ?? "")], ["node", -1], ["equal", spec.equal ?? -1], ["parameters", spec.parameters ?? 0],
                                 ["bytes", 4 * (spec.parameters ?? 0)], ["multiplyAdds", this.text(spec.adds ?? "")]]) groups[name].push(value);
    const items = [[{ kind: 2, ref: input, value: input, title: "x", size: sizes.port }]];
    let inputs = [input];
    for (const rowOf of spec.rows) {
      items.push(rowOf.map(child => this.child(child, row, path, inputs)));
      inputs = items[items.length - 1].map(item => item.value);
    }
    items.push([{ kind: 3, ref: inputs[0], value: inputs[0], title: "y", size: sizes.port }]);
    groups.nodes[row] = this.nodes.name.length - nodesBefore;
    this.layouts[row] = items;
    return { row, output: inputs[0] };
  }

  child(child, row, path, inputs) {
    if (child.rows) {
      const below = path ? `${path}.${child.name}` : child.name;
      const { row: group, output } = this.group(child, row, below, inputs[0]);
      return { kind: 1, ref: group, value: output, title: `${child.name} · ${child.class}`, caption: `${this.groups.nodes[group]} nodes`, size: sizes.group };
    }
    const { node, output } = this.node(child, row, path, inputs);
    return { kind: 0, ref: node, value: output, title: child.op, caption: child.caption ?? "", size: sizes.node };
  }

  // Places the items of all groups, and the edges between neighbouring rows.
  place() {
    const items = { kind: [], ref: [], rank: [], x: [], w: [], h: [], title: [], caption: [] };
    const edges = { from: [], to: [], x0: [], x1: [], stub: [], via: lists(), lines: [0], value: [], fromPort: [], toPort: [] };
    const firsts = [];
    for (const [row, layout] of this.layouts.entries()) {
      firsts[row] = items.kind.length;
      this.placeGroup(row, layout, items);
    }
    const last = this.layouts.map((layout, row) => firsts[row] + layout.reduce((sum, rank) => sum + rank.length, 0) - 1);
    for (const [row, layout] of this.layouts.entries()) {
      this.groups.edges[row] = edges.from.length;
      this.connect(firsts[row], layout, edges, firsts, last);
    }
    this.groups.items.push(items.kind.length);
    this.groups.edges.push(edges.from.length);
    this.groups.ranks.push(this.groups.rankTop.length);
    return { items, edges };
  }

  placeGroup(row, layout, items) {
    const { groups } = this;
    groups.items[row] = items.kind.length;
    groups.ranks[row] = groups.rankTop.length;
    const widths = layout.map(rank => rank.reduce((sum, item) => sum + item.size[0] + 20, -20));
    const width = Math.max(...widths);
    let y = 0;
    for (const [rank, line] of layout.entries()) {
      const tall = Math.max(...line.map(item => item.size[1]));
      groups.rankTop.push(y);
      groups.rankHeight.push(tall);
      let x = Math.floor((width - widths[rank]) / 2);
      for (const item of line) {
        if (item.kind === 0) this.nodes.item[item.ref] = items.kind.length;
        item.x = x;
        for (const [name, value] of [["kind", item.kind], ["ref", item.ref], ["rank", rank], ["x", x], ["w", item.size[0]], ["h", item.size[1]],
                                     ["title", this.text(item.title)], ["caption", this.text(item.caption ?? "")]]) items[name].push(value);
        x += item.size[0] + 20;
      }
      y += tall + gap;
    }
    groups.width[row] = width;
    groups.height[row] = y - gap;
  }

  connect(first, layout, edges, firsts, last) {
    let at = first;
    for (let rank = 0; rank + 1 < layout.length; rank++) {
      const next = at + layout[rank].length;
      layout[rank].forEach((from, i) => layout[rank + 1].forEach((to, j) => {
        if (to.kind === 1 && i > 0) return;
        edges.from.push(at + i);
        edges.to.push(next + j);
        edges.x0.push(from.x + Math.floor(from.size[0] / 2));
        edges.x1.push(to.x + Math.floor(to.size[0] / 2));
        edges.stub.push(0);
        edges.via.start.push(edges.via.items.length);
        edges.value.push(from.value);
        edges.fromPort.push(from.kind === 1 ? last[from.ref] : -1);
        edges.toPort.push(to.kind === 1 ? firsts[to.ref] : -1);
        edges.lines.push(edges.value.length);
      }));
      at = next;
    }
  }
}

// A document of the description `root` ({rows}); `options` replace or add fields of the document.
export function documentOf(root, options = {}) {
  const builder = new Builder();
  const input = builder.value("x", "f32[batch, 64]", 1, -1);
  builder.group(root, -1, "", input);
  const { items, edges } = builder.place();
  const weights = { histogram: lists(), picture: { width: [], height: [], data: [] } };
  for (const name of ["value", "type", "elements", "bytes", "place", "text", "state", "min", "max", "mean", "deviation", "zeros", "nans"]) weights[name] = [];
  return {
    version: 1, title: root.title ?? "made.onnx", producer: "test", made: "test", files: [{ name: "made.onnx", kind: "onnx", bytes: 1 }],
    facts: [{ name: "opset", text: "17" }], strings: builder.strings, frame: { header: 24, padding: 16 }, groups: builder.groups, items, edges,
    operators: builder.operators, categories: builder.categories, nodes: builder.nodes, values: builder.values, weights, sources: builder.sources,
    overlays: [], shownOverlay: "", compare: null,
    messages: { severity: [], code: [], text: [], hint: [], node: [], file: [], line: [] }, ...options,
  };
}

// A model of `layers` blocks of `nodes` nodes each, below groups of 20 blocks.
export function deepModel(layers, nodes) {
  const operators = [["Conv", "convolution"], ["Relu", "activation"], ["Add", "elementwise"], ["MatMul", "matrix"], ["Reshape", "layout"]];
  const nodeOf = k => ({ op: operators[k % 5][0], category: operators[k % 5][1], caption: "3×3, stride 2" });
  const rows = Array.from({ length: Math.ceil(nodes / 2) }, (_, r) => (2 * r + 1 < nodes ? [nodeOf(2 * r), nodeOf(2 * r + 1)] : [nodeOf(2 * r)]));
  const blocks = Array.from({ length: layers }, (_, i) => [{ name: String(i % 20), class: "Block", equal: 0, parameters: 1000 * nodes, adds: "1000000", rows }]);
  const stages = [];
  for (let at = 0; at < layers; at += 20) stages.push([{ name: `stage${at / 20}`, class: "Stage", rows: blocks.slice(at, at + 20) }]);
  return documentOf({ rows: stages });
}

// The page with this document in it.
export function pageOf(template, made, title = made.title) {
  const data = deflateSync(Buffer.from(JSON.stringify(made))).toString("base64");
  const escaped = title.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return template.replace("%CAMEO_DATA%", () => data).replace("%CAMEO_TITLE%", () => escaped);
}
