// The ways of edges: which lines an edge has, and where they run.
import { Graph } from "./graph";
import { Layouts, Placed } from "./layout";
import { Painter } from "./paint";

// A line of an edge, in the coordinates of its group.
export interface Link {
  edge: number;
  line: number; // row of the lines of edges
  x0: number;
  x1: number;
}

export class Routes {
  private readonly graph: Graph;

  constructor(private readonly layouts: Layouts) {
    this.graph = layouts.graph;
  }

  // One line; one for each value, if `all` is set or an end is an open group.
  linksOf(group: number, placed: Placed, edge: number, all: boolean): Link[] {
    const { edges, doc } = this.graph;
    const at = edge - doc.groups.edges[group];
    const [x0, x1] = [placed.x0[at], placed.x1[at]];
    const [openFrom, openTo] = [this.layouts.isFrame(edges.from[edge]), this.layouts.isFrame(edges.to[edge])];
    const first = doc.edges.lines[edge];
    if (!openFrom && !openTo && !all) return [{ edge, line: first, x0, x1 }];
    const links: Link[] = [];
    for (let line = first; line < doc.edges.lines[edge + 1]; line++) {
      links.push({
        edge, line,
        x0: openFrom ? this.portMiddle(group, placed, edges.from[edge], doc.edges.fromPort[line], x0) : x0,
        x1: openTo ? this.portMiddle(group, placed, edges.to[edge], doc.edges.toPort[line], x1) : x1,
      });
    }
    return links;
  }

  private portMiddle(group: number, placed: Placed, frame: number, port: number, otherwise: number): number {
    if (port < 0) return otherwise;
    const { groups, frame: { padding } } = this.graph.doc;
    const inner = this.layouts.of(this.graph.items.ref[frame]);
    const at = port - groups.items[this.graph.items.ref[frame]];
    return placed.x[frame - groups.items[group]] + padding + inner.x[at] + inner.w[at] / 2;
  }

  // Adds a line to the path of the painter.
  trace(painter: Painter, group: number, placed: Placed, link: Link, ox: number, oy: number, straight: boolean): void {
    const { edges, items, doc } = this.graph;
    const [source, target] = [edges.from[link.edge], edges.to[link.edge]];
    const end = oy + placed.top[items.rank[target]];
    let r = items.rank[source];
    let [x, y] = [ox + link.x0, oy + placed.top[r] + placed.h[source - doc.groups.items[group]]];
    painter.moveTo(x, y);
    const down = oy + placed.top[r] + placed.tall[r];
    if (down > y && !doc.edges.stub[link.edge]) painter.lineTo(x, (y = down));
    const offset = edges.via.start[doc.groups.edges[group]];
    const [first, last] = [edges.via.start[link.edge] - offset, edges.via.start[link.edge + 1] - offset];
    for (let v = first; v <= last; v++) {
      r++;
      const [nx, ny] = v === last ? [ox + link.x1, end] : [ox + placed.via[v], oy + placed.top[r]];
      if (straight) painter.lineTo(nx, ny);
      else painter.curveTo(x, (y + ny) / 2, nx, (y + ny) / 2, nx, ny);
      [x, y] = [nx, ny];
      if (v < last) painter.lineTo(x, (y = oy + placed.top[r] + placed.tall[r]));
    }
  }
}
