// What a person has chosen, and who wants to know of it.
import { GroupKind, Overlay } from "./document";
import { Graph } from "./graph";
import { Layouts } from "./layout";

export type Selection =
  | { kind: "none" }
  | { kind: "node"; id: number }
  | { kind: "group"; id: number }
  | { kind: "value"; id: number }
  | { kind: "line"; file: number; line: number };

// What can change. A listener is called once for each.
export type Change = "selection" | "layout" | "lit" | "overlay" | "theme" | "find" | "language";

// As many items are shown open at first.
const shownAtFirst = 60;

export class State {
  readonly layouts: Layouts;
  selection: Selection = { kind: "none" };
  root = 0; // the group that is shown alone
  overlay: Overlay | null = null;
  dark = false;
  lit: Uint8Array; // per node: belongs to the chosen line or to the results of a search
  litCount = 0;
  litInGroup: Int32Array;
  private readonly listeners = new Map<Change, (() => void)[]>();

  constructor(readonly graph: Graph) {
    this.layouts = new Layouts(graph);
    this.lit = new Uint8Array(graph.nodeCount);
    this.litInGroup = new Int32Array(graph.groupCount);
    this.overlay = graph.doc.overlays.find(each => each.id === graph.doc.shownOverlay) ?? null;
    this.openSmall();
  }

  on(change: Change, listener: () => void): void {
    this.listeners.set(change, [...(this.listeners.get(change) ?? []), listener]);
  }

  tell(change: Change): void {
    for (const listener of this.listeners.get(change) ?? []) listener();
  }

  select(selection: Selection): void {
    this.selection = selection;
    this.tell("selection");
  }

  // Lights these nodes and no others.
  light(nodes: Iterable<number>): void {
    this.lit.fill(0);
    this.litInGroup.fill(0);
    this.litCount = 0;
    const { nodes: { group }, groups: { parent } } = this.graph.doc;
    for (const node of nodes) {
      if (this.lit[node]) continue;
      this.lit[node] = 1;
      this.litCount++;
      this.litInGroup[group[node]]++;
    }
    for (let g = parent.length - 1; g > 0; g--) this.litInGroup[parent[g]] += this.litInGroup[g];
    this.tell("lit");
  }

  // Opens or closes groups. A control group opens its only body with it.
  setOpen(groups: number[], open: boolean): void {
    for (const group of groups) {
      this.layouts.setOpen(group, open);
      const bodies = this.graph.groupsOf(group);
      if (this.graph.doc.groups.kind[group] === GroupKind.control && bodies.length === 1) this.layouts.setOpen(bodies[0], open);
    }
    this.tell("layout");
  }

  // Shows one group alone; 0 shows all.
  showAlone(group: number): void {
    this.root = group;
    this.tell("layout");
  }

  setOverlay(overlay: Overlay | null): void {
    this.overlay = overlay;
    this.tell("overlay");
  }

  // The item that shows a node or group now: its own, or that of the closed group around it. -1 if none does.
  itemOf(what: { kind: "node" | "group"; id: number }): number {
    const { graph, layouts } = this;
    const own = what.kind === "node" ? graph.doc.nodes.item[what.id] : graph.itemOfGroup[what.id];
    if (own < 0) return -1;
    for (const group of graph.pathOf(graph.groupOfItem(own))) {
      if (group !== this.root && !graph.isBelow(this.root, group) && !layouts.isOpen(group)) return graph.itemOfGroup[group];
    }
    return graph.isBelow(graph.groupOfItem(own), this.root) ? own : -1;
  }

  // Opens all groups around a node or group, so that its own item is shown.
  reveal(what: { kind: "node" | "group"; id: number }): void {
    const { graph } = this;
    const own = what.kind === "node" ? graph.doc.nodes.item[what.id] : graph.itemOfGroup[what.id];
    if (own < 0) return;
    const group = graph.groupOfItem(own);
    const closed = graph.pathOf(group).filter(each => !this.layouts.isOpen(each));
    if (!graph.isBelow(group, this.root)) this.root = 0;
    for (const each of closed) this.layouts.setOpen(each, true);
    if (closed.length > 0) this.tell("layout");
  }

  // Opens the groups of a small model, level by level.
  private openSmall(): void {
    const { graph, layouts } = this;
    const itemsOf = (group: number): number => graph.doc.groups.items[group + 1] - graph.doc.groups.items[group];
    let shown = itemsOf(0);
    for (let level = Array.from(graph.groupsOf(0)); level.length > 0;) {
      shown += level.reduce((sum, group) => sum + itemsOf(group), 0);
      if (shown > shownAtFirst) return;
      for (const group of level) layouts.setOpen(group, true);
      level = level.flatMap(group => Array.from(graph.groupsOf(group)));
    }
  }
}
