// What is at a point of the graph.
import { Graph } from "./graph";
import { Layouts } from "./layout";
import { Painter } from "./paint";
import { Routes } from "./routes";
import type { Scene } from "./scene";
import { State } from "./state";

export class Hits {
  private readonly graph: Graph;
  private readonly layouts: Layouts;
  private readonly routes: Routes;

  constructor(private readonly state: State, private readonly scene: Scene) {
    this.graph = state.graph;
    this.layouts = state.layouts;
    this.routes = new Routes(state.layouts);
  }

  // The innermost item at a point; -1 if there is none. A frame is hit outside of its items.
  itemAt(x: number, y: number): number {
    let found = -1;
    this.descend(x, y, (group, inX, inY) => {
      const item = this.itemIn(group, inX, inY);
      if (item >= 0) found = item;
      return false;
    });
    return found;
  }

  // The value whose line passes a point within `reach`; -1 if none does.
  valueAt(x: number, y: number, reach: number): number {
    let found = -1;
    this.descend(x, y, (group, inX, inY) => (found = this.valueIn(group, inX, inY, reach)) >= 0);
    return found;
  }

  // Calls `visit` for the open groups around a point, from the outermost, until it returns true.
  private descend(x: number, y: number, visit: (group: number, x: number, y: number) => boolean): void {
    const { header, padding } = this.graph.doc.frame;
    let group = this.state.root;
    while (!visit(group, x, y)) {
      const item = this.itemIn(group, x, y);
      if (item < 0 || !this.layouts.isFrame(item)) return;
      const placed = this.layouts.of(group);
      x -= placed.x[item - this.graph.doc.groups.items[group]] + padding;
      y -= placed.top[this.graph.items.rank[item]] + header;
      group = this.graph.items.ref[item];
    }
  }

  private itemIn(group: number, x: number, y: number): number {
    const placed = this.layouts.of(group);
    const first = this.graph.doc.groups.items[group];
    const [low, high] = this.scene.span(group, placed, y, y);
    for (let item = low; item < high; item++) {
      const at = item - first;
      const top = placed.top[this.graph.items.rank[item]];
      if (x >= placed.x[at] && x <= placed.x[at] + placed.w[at] && y >= top && y <= top + placed.h[at]) return item;
    }
    return -1;
  }

  private valueIn(group: number, x: number, y: number, reach: number): number {
    const placed = this.layouts.of(group);
    const { edges, items, doc } = this.graph;
    for (let edge = doc.groups.edges[group]; edge < doc.groups.edges[group + 1]; edge++) {
      const [source, target] = [edges.from[edge], edges.to[edge]];
      if (placed.top[items.rank[source]] > y || placed.top[items.rank[target]] < y || doc.edges.stub[edge]) continue;
      for (const link of this.routes.linksOf(group, placed, edge, false)) {
        const probe = new Probe(x, y);
        this.routes.trace(probe, group, placed, link, 0, 0, false);
        if (probe.least <= reach) return doc.edges.value[link.line];
      }
    }
    return -1;
  }
}

// Measures the distance of a point from a path.
class Probe implements Painter {
  least = Infinity;
  private px = 0;
  private py = 0;

  constructor(private readonly x: number, private readonly y: number) {}

  alpha(): void {}
  box(): void {}
  begin(): void {}
  finish(): void {}
  text(): void {}

  moveTo(x: number, y: number): void {
    [this.px, this.py] = [x, y];
  }

  lineTo(x: number, y: number): void {
    const [dx, dy] = [x - this.px, y - this.py];
    const length = dx * dx + dy * dy;
    const at = length === 0 ? 0 : Math.min(1, Math.max(0, ((this.x - this.px) * dx + (this.y - this.py) * dy) / length));
    this.least = Math.min(this.least, Math.hypot(this.x - this.px - at * dx, this.y - this.py - at * dy));
    this.moveTo(x, y);
  }

  curveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    const [x0, y0, steps] = [this.px, this.py, 12];
    for (let i = 1; i <= steps; i++) {
      const [t, u] = [i / steps, 1 - i / steps];
      const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      this.lineTo(p * x0 + q * ax + r * bx + s * x, p * y0 + q * ay + r * by + s * y);
    }
  }
}
