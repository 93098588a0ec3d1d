// The pane with all facts of the selection, as ordinary HTML.
import type { App } from "./app";
import { ItemKind, Lists, Mark, Overlay, WeightState } from "./document";
import { marks } from "./colours";
import { fill, h } from "./h";
import { histogram, thumbnail } from "./histogram";
import { brief, groupValue, isFault, short } from "./overlay";
import { Selection } from "./state";
import { t, Word } from "./words";

type Content = Node | string | false | null;

// Long lists show so many rows, and a button for the others.
const rowsAtFirst = 50;

const stateWords: Record<number, Word> = {
  [WeightState.skipped]: "not read, because the weights are large (--weights all reads them)",
  [WeightState.noNumbers]: "no statistics for this type", [WeightState.missing]: "its file is missing",
};

export class Inspector {
  readonly element = h("div", { id: "inspector", class: "inspector", tabindex: 0, role: "region" });

  constructor(private readonly app: App) {
    for (const change of ["selection", "language", "overlay"] as const) app.state.on(change, () => this.show());
    this.show();
  }

  private get graph() {
    return this.app.state.graph;
  }

  private show(): void {
    const { selection } = this.app.state;
    this.element.setAttribute("aria-label", t("Details"));
    this.element.scrollTop = 0;
    fill(this.element, ...this.contentOf(selection));
  }

  private contentOf(selection: Selection): Content[] {
    switch (selection.kind) {
      case "node": return this.node(selection.id);
      case "group": return this.group(selection.id);
      case "value": return this.value(selection.id);
      case "line": return this.line(selection.file, selection.line);
      default: return this.model();
    }
  }

  // ---- parts ----

  private section(title: string, ...content: Content[]): Content {
    const shown = content.filter(each => each !== false && each !== null && each !== "");
    return shown.length > 0 && h("section", {}, h("h3", {}, title), ...shown);
  }

  private table(rows: [string, Content][]): Content {
    const shown = rows.filter(([, content]) => content !== "" && content !== false && content !== null);
    return shown.length > 0 && h("table", {}, ...shown.map(([name, content]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, content))));
  }

  private list(rows: Content[]): Content {
    if (rows.length === 0) return false;
    const list = h("ul", {}, ...rows.slice(0, rowsAtFirst).map(row => h("li", {}, row)));
    if (rows.length > rowsAtFirst) {
      const more = h("li", {}, h("button", { type: "button", class: "link", click: () => {
        more.replaceWith(...rows.slice(rowsAtFirst, 2000).map(row => h("li", {}, row)));
      } }, `+ ${rows.length - rowsAtFirst}`));
      list.append(more);
    }
    return list;
  }

  private to(selection: Selection, text: string): HTMLElement {
    return h("button", { type: "button", class: "link", click: () => this.app.go(selection, true) }, text || t("not named"));
  }

  private copied(command: string): HTMLElement {
    const button = h("button", { type: "button", class: "copy", click: () => {
      void navigator.clipboard?.writeText(command).then(() => this.app.announce(t("copied")), () => undefined);
    } }, t("copy"));
    return h("div", { class: "command" }, h("code", {}, command), button);
  }

  private title(kind: string, name: string, below: Content, sign?: Content): Content {
    return h("header", {}, h("p", { class: "kind" }, kind), h("h2", {}, name, sign ?? false), below && h("p", { class: "sub" }, below));
  }

  // ---- what is selected ----

  private model(): Content[] {
    const { doc } = this.graph;
    const facts = doc.facts.map(fact => [fact.name, fact.text] as [string, Content]);
    return [
      this.title(t("Model"), doc.title, ""),
      this.table([
        ...doc.files.map(file => [t("file"), `${file.name} (${file.kind}, ${brief(file.bytes)}B)`] as [string, Content]),
        [t("producer"), doc.producer], [t("made by"), doc.made], [t("nodes"), doc.groups.nodes[0].toLocaleString("en")],
        [t("parameters"), doc.groups.parameters[0].toLocaleString("en")], [t("bytes"), `${brief(doc.groups.bytes[0])}B`],
        [t("multiply-adds"), this.adds(0)], ...facts,
      ]),
      this.section(t("Inputs"), this.list(this.portsOf(ItemKind.input))),
      this.section(t("Outputs"), this.list(this.portsOf(ItemKind.output))),
      this.section(t("Comparison"), doc.compare && this.list(doc.compare.notes.map(note => this.graph.text(note)))),
      this.section(t("Help"), h("p", { class: "sub" }, t("This page is one file. It makes no request to anywhere."))),
    ];
  }

  // Inputs and outputs of the model: the ports of the root.
  private portsOf(kind: ItemKind): Content[] {
    const { doc, items } = this.graph;
    const rows: Content[] = [];
    for (let item = doc.groups.items[0]; item < doc.groups.items[1]; item++) {
      if (items.kind[item] === kind) rows.push(this.valueRow("", items.ref[item]));
    }
    return rows;
  }

  private adds(group: number): string {
    const text = this.graph.text(this.graph.doc.groups.multiplyAdds[group]);
    return /^\d+$/.test(text) ? `${brief(Number(text))} (${Number(text).toLocaleString("en")})` : text.replace(/\*/g, " · ");
  }

  private valueRow(formal: string, value: number): HTMLElement {
    const { graph } = this;
    if (value < 0) return h("span", { class: "sub" }, `${formal} — ${t("left out")}`);
    return h("div", { class: "value" }, formal && h("span", { class: "formal" }, formal), this.to({ kind: "value", id: value }, graph.valueName(value)),
             h("code", {}, graph.text(graph.doc.values.type[value])), this.smallConstant(value));
  }

  private smallConstant(value: number): Content {
    const weight = this.graph.doc.values.weight[value];
    const text = weight >= 0 ? this.graph.text(this.graph.doc.weights.text[weight]) : "";
    return text !== "" && h("code", { class: "constant" }, text);
  }

  private formal(names: Lists, operator: number, i: number): string {
    const [from, to] = [names.start[operator], names.start[operator + 1]];
    return from < to ? this.graph.text(names.items[Math.min(from + i, to - 1)]) : "";
  }

  private node(node: number): Content[] {
    const { graph } = this;
    const { doc } = graph;
    const { nodes, operators } = doc;
    const operator = nodes.operator[node];
    const of = (lists: Lists): number[] => lists.items.slice(lists.start[node], lists.start[node + 1]);
    const attributes = of(nodes.attributes);
    const pairs = attributes.filter((_, i) => i % 2 === 0).map((name, i) =>
      [graph.text(name), h("span", { class: "long" }, graph.text(attributes[2 * i + 1]))] as [string, Content]);
    const [inputs, outputs] = [of(nodes.inputs), of(nodes.outputs)];
    const bodies = graph.bodiesOf(node);
    const around = nodes.group[node];
    return [
      this.title(graph.categoryOf(node), graph.operatorOf(node), graph.text(nodes.name[node]), this.sign(node)),
      this.table([[t("module"), around > 0 ? this.to({ kind: "group", id: around }, graph.groupName(around)) : graph.text(nodes.module[node])],
                  [t("from"), graph.text(nodes.origin[node])], ...this.compared(node)]),
      bodies >= 0 && h("p", {}, this.to({ kind: "group", id: bodies }, t("Open"))),
      this.section(t("Findings"), ...Array.from(graph.messagesOf(node)).map(at => this.message(at))),
      this.section(t("Numbers"), this.table(this.numbersOf(overlay => overlay.node[node] ?? null, overlay => graph.text(overlay.nodeText[node])))),
      this.section(t("Attributes"), this.table(pairs)),
      this.section(t("Inputs"), this.list(inputs.map((value, i) => this.valueRow(this.formal(operators.inputs, operator, i), value)))),
      this.section(t("Outputs"), this.list(outputs.map((value, i) => this.valueRow(this.formal(operators.outputs, operator, i), value)))),
      this.section(t("Weights"), ...[...new Set(inputs)].filter(value => value >= 0 && doc.values.weight[value] >= 0)
        .map(value => this.weight(doc.values.weight[value], graph.valueName(value)))),
      this.section(t("Lines"), this.list(graph.linesOf(node).map(at => this.lineLink(at)))),
      this.section(t("Documentation"), graph.text(operators.doc[operator]) && h("p", { class: "doc" }, graph.text(operators.doc[operator])), this.link(operator)),
      this.section(t("Commands"), this.extract(inputs, outputs)),
    ];
  }

  private sign(node: number): Content {
    const mark = this.graph.markOf(node);
    return mark !== Mark.same && h("span", { class: `mark ${marks[mark].name}` }, `${marks[mark].sign} ${t(marks[mark].name)}`);
  }

  private compared(node: number): [string, Content][] {
    const { compare } = this.graph.doc;
    if (!compare || compare.node[node] === Mark.same) return [];
    return [[t(marks[compare.node[node]].name), this.graph.text(compare.nodeText[node])], [t("rule"), this.graph.text(compare.nodeRule[node])]];
  }

  private message(at: number): Content {
    const { messages } = this.graph.doc;
    const severity = messages.severity[at];
    return h("div", { class: `message ${severity}` }, h("b", {}, t(severity)), ` ${this.graph.text(messages.text[at])}`,
             this.graph.text(messages.hint[at]) && h("p", { class: "sub" }, this.graph.text(messages.hint[at])), h("code", {}, this.graph.text(messages.code[at])));
  }

  private numbersOf(value: (overlay: Overlay) => number | null,
                    text: (overlay: Overlay) => string): [string, Content][] {
    return this.graph.doc.overlays.map(overlay => {
      const number = value(overlay);
      const shown = text(overlay) || (number === null ? "" : short(overlay, number));
      return [overlay.name, shown && h("span", { class: isFault(overlay, number) ? "fault" : "" }, shown)];
    });
  }

  private link(operator: number): Content {
    const address = this.graph.text(this.graph.doc.operators.link[operator]);
    return /^https:\/\//.test(address) && h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, t("documentation of the operator"));
  }

  private lineLink(at: number): Content {
    const { sources } = this.graph.doc;
    const file = sources.files[sources.file[at]];
    const line = sources.line[at];
    const text = file && line >= file.first ? this.graph.text(file.lines[line - file.first] ?? 0).trim() : "";
    return h("div", { class: "value" }, this.to({ kind: "line", file: sources.file[at], line }, `${file ? file.name : ""}:${line}`), text && h("code", {}, text));
  }

  private extract(inputs: number[], outputs: number[]): Content {
    const onnx = this.graph.doc.files.filter(file => file.kind === "onnx").pop();
    const options = (option: string, values: number[]): string => [...new Set(values)].filter(value => value >= 0 && !this.graph.isConstant(value))
      .map(value => ` ${option} ${quoted(this.graph.valueName(value))}`).join("");
    return onnx !== undefined && this.copied(`cameo extract ${quoted(onnx.name)}${options("--from", inputs)}${options("--to", outputs)} -o part.onnx`);
  }

  private group(group: number): Content[] {
    const { graph } = this;
    const { groups } = graph.doc;
    const equal = graph.equalTo(group).filter(each => each !== group);
    const open = this.app.state.layouts.isOpen(group);
    return [
      this.title(graph.text(groups.type[group]) || t("module"), graph.groupName(group), ""),
      h("p", { class: "buttons" },
        h("button", { type: "button", click: () => this.app.toggleGroup(group, false) }, open ? t("close") : t("open")),
        h("button", { type: "button", click: () => this.app.alone(group) }, t("Show alone")),
        groups.node[group] >= 0 && this.to({ kind: "node", id: groups.node[group] }, t("Go to the node"))),
      this.table([
        [t("nodes"), groups.nodes[group].toLocaleString("en")], [t("parameters"), groups.parameters[group].toLocaleString("en")],
        [t("bytes"), groups.bytes[group] ? `${brief(groups.bytes[group])}B` : ""], [t("multiply-adds"), this.adds(group)],
        [t("share of the model"), groups.parameters[0] > 0 && `${((100 * groups.parameters[group]) / groups.parameters[0]).toFixed(1)} %`],
      ]),
      this.section(t("Numbers"), this.table(this.numbersOf(overlay => groupValue(overlay, group), () => ""))),
      this.section(t("Modules"), this.list(Array.from(graph.groupsOf(group)).map(each => this.to({ kind: "group", id: each }, graph.groupName(each))))),
      this.section(t("nodes"), this.list(Array.from(graph.nodesOf(group)).map(node => this.nodeRow(node)))),
      this.section(t("Equal groups"), this.list(equal.map(each => this.to({ kind: "group", id: each }, graph.groupName(each))))),
    ];
  }

  private nodeRow(node: number): HTMLElement {
    return h("div", { class: "value" }, this.to({ kind: "node", id: node }, this.graph.operatorOf(node)), h("code", {}, this.graph.text(this.graph.doc.nodes.name[node])));
  }

  private value(value: number): Content[] {
    const { graph } = this;
    const { values } = graph.doc;
    const producer = values.producer[value];
    const weight = values.weight[value];
    return [
      this.title(weight >= 0 ? t("weight") : t("value"), graph.valueName(value), h("code", {}, graph.text(values.type[value]))),
      this.table([[t("from"), producer >= 0 && this.nodeRow(producer)]]),
      weight >= 0 && this.weight(weight, ""),
      this.section(t("Readers"), this.list(graph.readersOf(value).map(node => this.nodeRow(node)))),
    ];
  }

  private weight(weight: number, name: string): Content {
    const { graph } = this;
    const { weights, compare } = graph.doc;
    const number = (column: (number | null)[]): string => {
      const found = column[weight] ?? null;
      return found === null ? "" : String(Number(found.toPrecision(6)));
    };
    const elements = weights.elements[weight];
    const counted = (column: (number | null)[]): string => {
      const found = column[weight] ?? null;
      return found === null || elements === 0 ? "" : `${found.toLocaleString("en")} (${((100 * found) / elements).toFixed(1)} %)`;
    };
    const counts = weights.histogram.items.slice(weights.histogram.start[weight], weights.histogram.start[weight + 1]);
    const state = stateWords[weights.state[weight]];
    return h("div", { class: "weight" },
      name && h("h4", {}, this.to({ kind: "value", id: weights.value[weight] }, name), h("code", {}, graph.text(weights.type[weight]))),
      state && h("p", { class: "sub" }, t(state)), compare && h("p", {}, graph.text(compare.weightText[weight])),
      counts.length > 0 && h("figure", {}, histogram(counts), h("figcaption", {}, h("span", {}, number(weights.min)), h("span", {}, number(weights.max)))),
      this.table([
        [t("elements"), elements.toLocaleString("en")], [t("bytes"), `${brief(weights.bytes[weight])}B`], [t("least"), number(weights.min)],
        [t("largest"), number(weights.max)], [t("mean"), number(weights.mean)], [t("deviation"), number(weights.deviation)],
        [t("zeros"), counted(weights.zeros)], [t("NaN or infinite"), weights.nans[weight] ? counted(weights.nans) : ""],
        [t("value"), graph.text(weights.text[weight])], [t("place"), graph.text(weights.place[weight])],
      ]), thumbnail(graph, weight) && h("figure", {}, thumbnail(graph, weight)));
  }

  private line(file: number, line: number): Content[] {
    const { graph } = this;
    const { sources } = graph.doc;
    const found = this.app.program.nodesOfLine(file, line);
    const reason = this.app.program.reasonOf(file, line);
    return [
      this.title(t("Program"), `${sources.files[file].name}:${line}`, reason),
      this.section(t("nodes"), this.list(found.map(node => this.nodeRow(node)))),
    ];
  }
}

// An argument of a shell.
export function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
