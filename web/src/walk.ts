// Moves the selection along the edges, in and out of open groups.
import type { App } from "./app";
import { ItemKind } from "./document";
import { t } from "./words";

export type Move = "up" | "down" | "left" | "right";

export class Walk {
  constructor(private readonly app: App) {}

  go(move: Move): void {
    const item = this.app.currentItem();
    const next = item < 0 ? this.first(this.app.state.root, true) : move === "left" || move === "right" ? this.beside(item, move) : this.along(item, move === "down");
    if (next < 0) this.app.announce(t("no next node"));
    else this.app.selectItem(next);
  }

  inside(group: number): void {
    const item = this.first(group, false);
    if (item >= 0) this.app.selectItem(item);
  }

  // The first item of a group; without ports, if `ports` is not set and there is another.
  private first(group: number, ports: boolean): number {
    const { items, doc: { groups } } = this.app.state.graph;
    const [from, to] = [groups.items[group], groups.items[group + 1]];
    for (let item = from; item < to; item++) if (ports || items.kind[item] <= ItemKind.group) return item;
    return from < to ? from : -1;
  }

  private beside(item: number, move: "left" | "right"): number {
    const { graph } = this.app.state;
    const group = graph.groupOfItem(item);
    const firsts = this.app.graph.scene.firstsOf(group);
    const rank = graph.items.rank[item];
    const next = item + (move === "right" ? 1 : -1);
    return next >= firsts[rank] && next < firsts[rank + 1] ? next : -1;
  }

  // The end of the straightest edge.
  private along(item: number, down: boolean): number {
    const { graph } = this.app.state;
    const group = graph.groupOfItem(item);
    return this.follow(group, item, null, down, 0);
  }

  // Follows an edge of `item`; of the lines through `port`, if it is not null.
  private follow(group: number, item: number, port: number | null, down: boolean, depth: number): number {
    const { graph, layouts } = this.app.state;
    const { edges, doc, items } = graph;
    const [own, other] = down ? [edges.from, edges.to] : [edges.to, edges.from];
    const [ownPort, otherPort] = down ? [doc.edges.fromPort, doc.edges.toPort] : [doc.edges.toPort, doc.edges.fromPort];
    let [best, bestLine, least] = [-1, -1, Infinity];
    for (let edge = doc.groups.edges[group]; edge < doc.groups.edges[group + 1]; edge++) {
      if (own[edge] !== item) continue;
      for (let line = doc.edges.lines[edge]; line < doc.edges.lines[edge + 1]; line++) {
        if (port !== null && ownPort[line] !== port) continue;
        const far = Math.abs(edges.x0[edge] - edges.x1[edge]) + 1000 * Math.abs(items.rank[edges.from[edge]] - items.rank[edges.to[edge]]);
        if (far < least) [best, bestLine, least] = [other[edge], line, far];
      }
    }
    if (best < 0 || depth > 200) return best;
    if (layouts.isFrame(best) && otherPort[bestLine] >= 0) {
      const inner = this.follow(items.ref[best], otherPort[bestLine], null, down, depth + 1);
      return inner >= 0 ? inner : best;
    }
    return items.kind[best] > ItemKind.group && group !== this.app.state.root ? this.out(group, best, down, depth) : best;
  }

  // Leaves a group through one of its ports.
  private out(group: number, port: number, down: boolean, depth: number): number {
    const { graph } = this.app.state;
    const parent = graph.doc.groups.parent[group];
    const frame = graph.itemOfGroup[group];
    const next = this.follow(parent, frame, port, down, depth + 1);
    return next >= 0 ? next : frame;
  }
}
