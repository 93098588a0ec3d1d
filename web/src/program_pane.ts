// The pane with the program: lines beside the nodes that they became.
import type { App } from "./app";
import { fill, h } from "./h";
import { RowList } from "./list";
import { t } from "./words";

const rowHeight = 20;
const words = /(#.*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:def|return|if|else|elif|for|while|in|is|not|and|or|class|import|from|with|as|pass|raise|None|True|False|self|lambda|yield|assert)\b|\b\d[\w.]*)/;

function classOf(word: string): string {
  if (word.startsWith("#")) return "comment";
  if (/^["']/.test(word)) return "string";
  return /^\d/.test(word) ? "digits" : "keyword";
}

interface FileLines {
  nodes: Map<number, number[]>; // by line, innermost first
  reasons: Map<number, string>;
  numbers: number[]; // of the lines that are shown
}

export class ProgramPane {
  readonly element = h("section", { class: "program" });
  private readonly files = h("select", { "aria-label": "file" });
  private readonly code = h("div", { class: "code", role: "listbox", tabindex: 0 });
  private readonly list: RowList;
  private readonly lines: FileLines[];
  private file = 0;
  private focused = 0;

  constructor(private readonly app: App) {
    const { sources } = app.state.graph.doc;
    this.lines = sources.files.map(() => ({ nodes: new Map(), reasons: new Map(), numbers: [] }));
    this.collect();
    fill(this.files, ...sources.files.map((file, i) => h("option", { value: i }, this.shortName(file.name))));
    this.files.addEventListener("change", () => this.showFile(Number(this.files.value)));
    this.element.append(h("header", {}, h("h2", {}), this.files), this.code);
    this.list = new RowList(this.code, rowHeight, 0, i => this.row(i));
    this.code.addEventListener("keydown", event => this.key(event));
    app.state.on("selection", () => this.follow());
    app.state.on("language", () => this.show());
    this.showFile(this.mainFile());
    this.show();
  }

  get exists(): boolean {
    return this.lines.length > 0;
  }

  // The last parts of a path, where they name one file.
  private shortName(name: string): string {
    const { files } = this.app.state.graph.doc.sources;
    const parts = name.split("/");
    for (let from = parts.length - 1; from > 0; from--) {
      const end = parts.slice(from).join("/");
      if (files.filter(file => file.name === end || file.name.endsWith(`/${end}`)).length === 1) return end;
    }
    return name;
  }

  // The file with the most lines that became nodes; one in Python before others, and PyTorch's own last.
  private mainFile(): number {
    const { files } = this.app.state.graph.doc.sources;
    const weight = (file: number): number =>
      files[file].lines.length === 0 ? 0 : this.lines[file].nodes.size * (files[file].kind === "python" ? 1e6 : 1) / (/\/torch\//.test(files[file].name) ? 1e3 : 1);
    return files.reduce((best, _, file) => (weight(file) > weight(best) ? file : best), 0);
  }

  private collect(): void {
    const { sources, strings } = this.app.state.graph.doc;
    const order = sources.node.map((_, i) => i).sort((a, b) => sources.level[a] - sources.level[b]);
    for (const i of order) {
      const { nodes } = this.lines[sources.file[i]];
      const found = nodes.get(sources.line[i]);
      if (!found) nodes.set(sources.line[i], [sources.node[i]]);
      else if (!found.includes(sources.node[i])) found.push(sources.node[i]);
    }
    sources.emptyFile.forEach((file, i) => this.lines[file].reasons.set(sources.emptyLine[i], strings[sources.emptyReason[i]] ?? ""));
    sources.files.forEach((file, i) => {
      const { nodes, reasons } = this.lines[i];
      // Archives hold some parts of a file; of a run of empty lines, one is shown.
      const isShown = (text: number, at: number): boolean => text !== 0 || (at > 0 && file.lines[at - 1] !== 0) || nodes.has(file.first + at);
      this.lines[i].numbers = file.lines.length > 0 ? file.lines.map((_, at) => file.first + at).filter((_, at) => isShown(file.lines[at], at))
        : [...new Set([...nodes.keys(), ...reasons.keys()])].sort((a, b) => a - b);
    });
  }

  nodesOfLine(file: number, line: number): number[] {
    return this.lines[file]?.nodes.get(line) ?? [];
  }

  // Why a line left no node; empty if it left one, or if nothing is known of it.
  reasonOf(file: number, line: number): string {
    return this.lines[file]?.reasons.get(line) ?? "";
  }

  // The file of this name, or whose path ends so; -1 if there is none.
  fileNamed(name: string): number {
    const { files } = this.app.state.graph.doc.sources;
    const exact = files.findIndex(file => file.name === name);
    return exact >= 0 ? exact : files.findIndex(file => file.name.endsWith(`/${name}`));
  }

  private show(): void {
    this.element.setAttribute("aria-label", t("Program"));
    this.element.querySelector("h2")!.textContent = t("Program");
    this.files.setAttribute("aria-label", t("file"));
    this.code.setAttribute("aria-label", t("Lines"));
    this.list.draw();
  }

  private showFile(file: number): void {
    if (!this.exists) return;
    this.file = file;
    this.files.value = String(file);
    this.code.scrollTop = 0;
    this.list.setCount(this.lines[file].numbers.length);
    this.focused = Math.max(0, this.lines[file].numbers.findIndex(line => this.lines[file].nodes.has(line)));
    this.list.bring(this.focused);
  }

  private textOf(line: number): string {
    const { files } = this.app.state.graph.doc.sources;
    const file = files[this.file];
    return file.lines.length > 0 ? this.app.state.graph.text(file.lines[line - file.first] ?? 0) : "";
  }

  private row(i: number): HTMLElement {
    const { graph, selection } = this.app.state;
    const line = this.lines[this.file].numbers[i];
    const nodes = this.nodesOfLine(this.file, line);
    const reason = this.reasonOf(this.file, line);
    const ofNode = selection.kind === "node" && nodes.includes(selection.id);
    const chosen = ofNode || (selection.kind === "line" && selection.file === this.file && selection.line === line);
    const missing = graph.doc.sources.files[this.file].lines.length === 0 && i === 0;
    const label = nodes.length > 0 ? t("line {0} became {1} nodes", line, nodes.length)
      : reason ? t("line {0} left no node: {1}", line, reason) : t("line {0} left no node", line);
    return h("div", {
      class: `line${nodes.length > 0 ? " has" : ""}${chosen ? " selected" : ""}${i === this.focused ? " focused" : ""}`, role: "option",
      id: `line-${i}`, "aria-selected": String(chosen), "aria-label": `${label}. ${this.textOf(line)}`, title: label, click: () => this.choose(i),
    }, h("span", { class: "line-number" }, line), h("span", { class: "count" }, nodes.length || ""),
    h("code", {}, ...this.coloured(this.textOf(line))), reason && h("span", { class: "reason" }, reason),
    missing && h("span", { class: "reason" }, t("The text of this file is not here; --source FOLDER finds it.")));
  }

  private coloured(text: string): (HTMLElement | string)[] {
    return text.length > 500 ? [text]
      : text.split(words).map((part, i) => (i % 2 === 0 ? part : h("span", { class: classOf(part) }, part)));
  }

  private choose(i: number): void {
    this.focused = i;
    this.app.go({ kind: "line", file: this.file, line: this.lines[this.file].numbers[i] }, false);
  }

  private focus(i: number): void {
    this.focused = Math.min(this.lines[this.file].numbers.length - 1, Math.max(0, i));
    this.list.bring(this.focused);
    this.list.draw();
    this.code.setAttribute("aria-activedescendant", `line-${this.focused}`);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.code.clientHeight / rowHeight) - 1);
    const last = this.lines[this.file].numbers.length - 1;
    const targets: Record<string, number> = {
      ArrowDown: this.focused + 1, ArrowUp: this.focused - 1, PageDown: this.focused + page, PageUp: this.focused - page, Home: 0, End: last,
    };
    if (event.key in targets) this.focus(targets[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Shows the line of the selection.
  private follow(): void {
    const { graph, selection } = this.app.state;
    if (!this.exists) return;
    let [file, line] = [this.file, -1];
    if (selection.kind === "line") [file, line] = [selection.file, selection.line];
    if (selection.kind === "node") {
      const rows = graph.linesOf(selection.id);
      const { sources } = graph.doc;
      const at = rows.find(row => sources.file[row] === this.file) ?? rows.find(row => sources.files[sources.file[row]].lines.length > 0) ?? rows[0];
      if (at !== undefined) [file, line] = [sources.file[at], sources.line[at]];
    }
    if (file !== this.file) this.showFile(file);
    const found = line < 0 ? -1 : this.lines[file].numbers.indexOf(line);
    if (found >= 0) this.focus(found);
    else this.list.draw();
  }
}
