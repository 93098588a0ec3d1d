// The tree of modules and their nodes. It reaches all that the canvas shows.
import { GroupKind, ItemKind, Overlay } from "./document";
import type { App } from "./app";
import { h } from "./h";
import { RowList } from "./list";
import { brief, groupValue, isFault, short } from "./overlay";
import { t } from "./words";

interface Row {
  kind: "group" | "node";
  id: number;
  level: number;
  place: number; // among its siblings, from 1
  siblings: number;
}

const rowHeight = 26;

export class TreePane {
  readonly element = h("div", { class: "tree-pane" });
  readonly tree = h("div", { id: "tree", class: "tree", role: "tree", tabindex: 0 });
  private readonly head = h("div", { class: "tree-head", "aria-hidden": "true" });
  private readonly list: RowList;
  private readonly expanded = new Set<number>([0]);
  private rows: Row[] = [];
  private focused = 0;

  constructor(private readonly app: App) {
    this.element.append(this.head, this.tree);
    this.list = new RowList(this.tree, rowHeight, 0, i => this.row(i));
    this.tree.addEventListener("keydown", event => this.key(event));
    const { state } = app;
    state.on("selection", () => this.follow());
    for (const change of ["overlay", "language"] as const) state.on(change, () => this.show());
    state.on("layout", () => this.list.draw());
    for (const group of Array.from(state.graph.groupsOf(0))) if (state.layouts.isOpen(group)) this.expanded.add(group);
    this.show();
  }

  private get overlay(): Overlay | undefined {
    const { state } = this.app;
    return state.overlay ?? state.graph.doc.overlays.find(each => each.id === "error");
  }

  private show(): void {
    this.tree.setAttribute("aria-label", t("Tree of modules"));
    const last = this.overlay ? this.overlay.name : t("nodes");
    this.head.replaceChildren(h("span", {}, t("name")), h("span", { title: t("parameters") }, t("params")),
                              h("span", { title: t("multiply-adds") }, t("mult-adds")), h("span", { title: last }, last));
    this.build();
  }

  private build(): void {
    this.rows = [];
    this.add({ kind: "group", id: 0, level: 1, place: 1, siblings: 1 });
    this.list.setCount(this.rows.length);
  }

  private add(row: Row): void {
    this.rows.push(row);
    if (row.kind === "node" || !this.expanded.has(row.id)) return;
    const children = this.childrenOf(row.id);
    children.forEach((child, i) => this.add({ ...child, level: row.level + 1, place: i + 1, siblings: children.length }));
  }

  // Groups and nodes, in the order of the data flow.
  private childrenOf(group: number): { kind: "group" | "node"; id: number }[] {
    const { graph } = this.app.state;
    const children: { kind: "group" | "node"; id: number }[] = [];
    for (let item = graph.doc.groups.items[group]; item < graph.doc.groups.items[group + 1]; item++) {
      const kind = graph.items.kind[item];
      if (kind <= ItemKind.group) children.push({ kind: kind === ItemKind.node ? "node" : "group", id: graph.items.ref[item] });
    }
    return children;
  }

  private isSelected(row: Row): boolean {
    const { selection } = this.app.state;
    const ofBodies = selection.kind === "node" && row.kind === "group" && row.id > 0 && this.app.state.graph.bodiesOf(selection.id) === row.id;
    return ofBodies || (selection.kind === row.kind && selection.id === row.id) || (selection.kind === "none" && row.id === 0 && row.kind === "group");
  }

  private row(i: number): HTMLElement {
    const row = this.rows[i];
    const isGroup = row.kind === "group";
    const open = isGroup && this.expanded.has(row.id);
    const element = h("div", {
      class: "tree-row" + (this.isSelected(row) ? " selected" : "") + (i === this.focused ? " focused" : ""), role: "treeitem", id: `row-${i}`,
      "aria-level": row.level, "aria-posinset": row.place, "aria-setsize": row.siblings, "aria-selected": String(this.isSelected(row)),
      "aria-expanded": isGroup ? String(open) : null, click: () => this.choose(i), dblclick: () => this.enter(i, false),
    },
    h("span", { class: isGroup ? "twist" : "leaf", "aria-hidden": "true", click: (event: Event) => {
      event.stopPropagation();
      this.focused = i;
      this.toggle(i);
    } }, isGroup ? (open ? "▾" : "▸") : "•"),
    ...(isGroup ? this.groupCells(row.id) : this.nodeCells(row.id)));
    element.style.paddingLeft = `${(row.level - 1) * 14 + 4}px`;
    return element;
  }

  private groupCells(group: number): HTMLElement[] {
    const { graph } = this.app.state;
    const { groups } = graph.doc;
    const name = group === 0 ? graph.doc.title : graph.text(groups.name[group]) || graph.groupName(group);
    const type = graph.text(groups.type[group]);
    const adds = graph.doc.overlays.find(each => each.id === "multiply-adds")?.groupSum[group] ?? null;
    const formula = graph.text(groups.multiplyAdds[group]);
    const { overlay } = this;
    const value = overlay ? groupValue(overlay, group) : null;
    return [
      h("span", { class: "tree-name", title: graph.groupName(group) }, name, groups.kind[group] !== GroupKind.root && type !== name && h("em", {}, type)),
      h("span", { class: "number" }, groups.parameters[group] ? brief(groups.parameters[group]) : ""),
      h("span", { class: "number", title: formula }, adds ? brief(adds) : /^\d+$/.test(formula) ? brief(Number(formula)) : formula),
      overlay ? h("span", { class: "number" + (isFault(overlay, value) ? " fault" : "") }, value === null ? "" : short(overlay, value))
        : h("span", { class: "number" }, brief(groups.nodes[group])),
    ];
  }

  private nodeCells(node: number): HTMLElement[] {
    const { graph } = this.app.state;
    const { overlay } = this;
    const value = overlay ? overlay.node[node] ?? null : null;
    const name = graph.text(graph.doc.nodes.name[node]).replace(/^.*\//, "");
    return [
      h("span", { class: "tree-name wide", title: graph.nameOf(node) }, graph.operatorOf(node), name !== graph.operatorOf(node) && h("em", {}, name)),
      h("span", { class: "number" + (overlay && isFault(overlay, value) ? " fault" : "") }, overlay && value !== null ? short(overlay, value) : ""),
    ];
  }

  private choose(i: number): void {
    const row = this.rows[i];
    this.focused = i;
    this.app.go(row.kind === "group" && row.id === 0 ? { kind: "none" } : { kind: row.kind, id: row.id }, false);
  }

  // Opens a group in the graph, or closes it.
  private enter(i: number, all: boolean): void {
    const row = this.rows[i];
    this.choose(i);
    if (row.kind === "group" && row.id !== 0) this.app.toggleGroup(row.id, all);
  }

  private toggle(i: number): void {
    const { id, kind } = this.rows[i];
    if (kind !== "group") return;
    if (!this.expanded.delete(id)) this.expanded.add(id);
    this.build();
    this.focus(i);
  }

  private focus(i: number): void {
    this.focused = Math.min(this.rows.length - 1, Math.max(0, i));
    this.list.bring(this.focused);
    this.list.draw();
    this.tree.setAttribute("aria-activedescendant", `row-${this.focused}`);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.rows[this.focused];
    const open = row.kind === "group" && this.expanded.has(row.id);
    const page = Math.max(1, Math.floor(this.tree.clientHeight / rowHeight) - 1);
    const steps: Record<string, () => void> = {
      ArrowDown: () => this.focus(this.focused + 1), ArrowUp: () => this.focus(this.focused - 1),
      PageDown: () => this.focus(this.focused + page), PageUp: () => this.focus(this.focused - page),
      Home: () => this.focus(0), End: () => this.focus(this.rows.length - 1),
      ArrowRight: () => (open || row.kind === "node" ? this.focus(this.focused + 1) : this.toggle(this.focused)),
      ArrowLeft: () => (open ? this.toggle(this.focused) : this.focus(this.parentRow(this.focused))),
      Enter: () => this.enter(this.focused, event.shiftKey), " ": () => this.choose(this.focused),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  }

  private parentRow(i: number): number {
    const { level } = this.rows[i];
    for (let at = i - 1; at >= 0; at--) if (this.rows[at].level < level) return at;
    return i;
  }

  // Shows the row of the selection.
  private follow(): void {
    const { graph, selection } = this.app.state;
    if (selection.kind !== "node" && selection.kind !== "group") return this.list.draw();
    // A node with bodies has the row of their group.
    const bodies = selection.kind === "node" ? graph.bodiesOf(selection.id) : -1;
    const [kind, id] = bodies >= 0 ? ["group", bodies] : [selection.kind, selection.id];
    const around = kind === "node" ? graph.doc.nodes.group[id] : graph.doc.groups.parent[id];
    const closed = around < 0 ? [] : graph.pathOf(around).filter(group => !this.expanded.has(group));
    for (const group of closed) this.expanded.add(group);
    if (closed.length > 0) this.build();
    const found = this.rows.findIndex(row => row.kind === kind && row.id === id);
    if (found >= 0) this.focus(found);
    else this.list.draw();
  }
}
