// Lists of nodes beside the tree: results of a search, changes, findings, and the ranking by the overlay.
import type { App } from "./app";
import { Mark } from "./document";
import { marks } from "./colours";
import { Found } from "./finder";
import { fill, h } from "./h";
import { RowList } from "./list";
import { isFault, short } from "./overlay";
import { Selection } from "./state";
import { t } from "./words";

export interface Entry {
  to: Selection;
  title: string;
  detail: string;
  sign?: string;
  kind?: string; // class of the sign
}

const rowHeight = 42;

// A list of entries that are chosen by a click or by keys.
export class EntryList {
  readonly element = h("div", { class: "entry-pane" });
  readonly box = h("div", { class: "entries", role: "listbox", tabindex: 0 });
  private readonly summary = h("p", { class: "summary", role: "status" });
  private readonly list: RowList;
  private entries: Entry[] = [];
  private focused = 0;

  constructor(private readonly app: App, private readonly id: string) {
    this.box.id = `list-${id}`;
    this.element.append(this.summary, this.box);
    this.list = new RowList(this.box, rowHeight, 0, i => this.row(i));
    this.box.addEventListener("keydown", event => this.key(event));
  }

  show(entries: Entry[], summary: string, label: string): void {
    this.entries = entries;
    this.focused = 0;
    this.summary.textContent = summary;
    this.box.setAttribute("aria-label", label);
    this.box.scrollTop = 0;
    this.list.setCount(entries.length);
  }

  private row(i: number): HTMLElement {
    const { to, title, detail, sign, kind } = this.entries[i];
    return h("div", { class: `entry${i === this.focused ? " focused" : ""}`, role: "option", id: `${this.id}-${i}`, "aria-selected": String(i === this.focused),
                      "aria-posinset": i + 1, "aria-setsize": this.entries.length, click: () => this.choose(i, to) },
             sign && h("span", { class: `mark ${kind ?? ""}` }, sign), h("span", { class: "entry-title" }, title), h("span", { class: "sub" }, detail));
  }

  private choose(i: number, to: Selection): void {
    this.focused = i;
    this.list.draw();
    this.box.setAttribute("aria-activedescendant", `${this.id}-${i}`);
    this.app.go(to, true);
  }

  // Chooses the entry `by` further on.
  step(by: number): void {
    if (this.entries.length === 0) return;
    const i = (this.focused + by + this.entries.length) % this.entries.length;
    this.list.bring(i);
    this.choose(i, this.entries[i].to);
  }

  first(): void {
    if (this.entries.length > 0) this.choose(0, this.entries[0].to);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    if (event.ctrlKey || event.metaKey || event.altKey || this.entries.length === 0) return;
    if (event.key in steps) this.step(steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.focused, this.entries[this.focused].to);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function nodeEntry(app: App, node: number): Entry {
  const { graph } = app.state;
  const around = graph.doc.nodes.group[node];
  const place = around > 0 ? graph.groupName(around) : graph.text(graph.doc.nodes.module[node]);
  return { to: { kind: "node", id: node }, title: graph.operatorOf(node), detail: [graph.text(graph.doc.nodes.name[node]), place].filter(text => text).join(" · ") };
}

export function entryOf(app: App, found: Found): Entry {
  const { graph } = app.state;
  if (found.kind === "node") return nodeEntry(app, found.id);
  if (found.kind === "group") {
    return { to: found, title: graph.groupName(found.id), detail: [graph.text(graph.doc.groups.type[found.id]), t("{0} nodes", graph.doc.groups.nodes[found.id])].filter(text => text).join(" · ") };
  }
  return { to: found, title: graph.valueName(found.id), detail: graph.text(graph.doc.values.type[found.id]) };
}

export function changes(app: App): Entry[] {
  const { compare } = app.state.graph.doc;
  if (!compare) return [];
  const order = [Mark.gone, Mark.added, Mark.changed, Mark.renamed];
  const nodes = compare.node.map((_, node) => node).filter(node => compare.node[node] !== Mark.same);
  return nodes.sort((a, b) => order.indexOf(compare.node[a]) - order.indexOf(compare.node[b]) || a - b).map(node => {
    const entry = nodeEntry(app, node);
    const mark = marks[compare.node[node]];
    const rule = app.state.graph.text(compare.nodeRule[node]);
    const text = [app.state.graph.text(compare.nodeText[node]), rule && `${t("by")} ${rule}`, entry.detail].filter(each => each).join(" · ");
    return { ...entry, detail: text, sign: mark.sign, kind: mark.name };
  });
}

export function findings(app: App): Entry[] {
  const { graph } = app.state;
  const { messages } = graph.doc;
  const signs = { error: "✕", warning: "!", note: "i" };
  return messages.severity.map((severity, i) => {
    const to: Selection = messages.node[i] >= 0 ? { kind: "node", id: messages.node[i] }
      : messages.file[i] >= 0 ? { kind: "line", file: messages.file[i], line: messages.line[i] } : { kind: "none" };
    return { to, title: graph.text(messages.text[i]), detail: graph.text(messages.hint[i]) || graph.text(messages.code[i]), sign: signs[severity], kind: severity };
  });
}

// The nodes with the largest numbers of the overlay, or the least where those are the bad ones.
export function ranking(app: App): Entry[] {
  const { overlay, graph } = app.state;
  if (!overlay) return [];
  const worse = overlay.good === "high" ? -1 : 1;
  const nodes = overlay.node.map((value, node) => ({ value, node })).filter(each => each.value !== null) as { value: number; node: number }[];
  return nodes.sort((a, b) => worse * (b.value - a.value) || a.node - b.node).slice(0, 1000).map(({ value, node }) => {
    const entry = nodeEntry(app, node);
    const fault = isFault(overlay, value);
    return { ...entry, title: `${short(overlay, value)}  ${entry.title}`, detail: graph.text(overlay.nodeText[node]) || entry.detail,
             sign: fault ? "⚠" : undefined, kind: fault ? "error" : undefined };
  });
}

// Tabs: one pane is shown.
export class Tabs {
  readonly element = h("div", { class: "tabs" });
  private readonly bar = h("div", { role: "tablist" });
  private shown = "";

  constructor(private readonly panes: { id: string; name: () => string; element: HTMLElement; exists: () => boolean }[]) {
    for (const pane of panes) {
      pane.element.setAttribute("role", "tabpanel");
      pane.element.id = `pane-${pane.id}`;
    }
    this.element.append(this.bar, ...panes.map(pane => pane.element));
    this.show(panes[0].id);
  }

  show(id: string): void {
    this.shown = this.panes.some(pane => pane.id === id && pane.exists()) ? id : this.panes[0].id;
    for (const pane of this.panes) pane.element.hidden = pane.id !== this.shown;
    const shown = this.panes.filter(pane => pane.exists());
    fill(this.bar, ...shown.map((pane, i) => h("button", {
      type: "button", role: "tab", id: `tab-${pane.id}`, "aria-selected": String(pane.id === this.shown), "aria-controls": `pane-${pane.id}`,
      tabindex: pane.id === this.shown ? 0 : -1, click: () => this.show(pane.id), keydown: (event: KeyboardEvent) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.stopPropagation();
        this.show(shown[(i + by + shown.length) % shown.length].id);
        this.bar.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
      },
    }, pane.name())));
  }

  get current(): string {
    return this.shown;
  }
}
