// Positions of groups with open groups in them. The command has laid out each group with its child groups closed; opening one
// moves its neighbours and changes no order (web/src/document.ts describes the rules).
import { ItemKind } from "./document";
import { Graph } from "./graph";

// The layout of one group. Items, ranks and edges count from the first of the group.
export interface Placed {
  width: number;
  height: number;
  x: ArrayLike<number>;
  w: ArrayLike<number>;
  h: ArrayLike<number>;
  top: ArrayLike<number>; // of ranks
  tall: ArrayLike<number>;
  x0: ArrayLike<number>;
  x1: ArrayLike<number>;
  via: ArrayLike<number>; // of all edges of the group, one after the other
  largest: number; // height of the highest rank
}

export interface Point {
  x: number;
  y: number;
}

// An item that grew, by its place before: it moves its rank.
interface Growth {
  middle: number;
  left: number;
  right: number;
}

function moved(x: number, growths: Growth[]): number {
  let by = 0;
  for (const growth of growths) by += x < growth.middle ? -growth.left : growth.right;
  return x + by;
}

export class Layouts {
  private readonly opened: Uint8Array;
  private readonly placed: (Placed | undefined)[] = [];

  constructor(readonly graph: Graph) {
    this.opened = new Uint8Array(graph.groupCount);
    this.opened[0] = 1;
  }

  isOpen(group: number): boolean {
    return this.opened[group] === 1;
  }

  setOpen(group: number, open: boolean): void {
    if (group === 0) return;
    this.opened[group] = open ? 1 : 0;
    for (let g = this.graph.doc.groups.parent[group]; g >= 0; g = this.graph.doc.groups.parent[g]) this.placed[g] = undefined;
  }

  openGroups(): number[] {
    const groups: number[] = [];
    for (let g = 1; g < this.opened.length; g++) if (this.opened[g]) groups.push(g);
    return groups;
  }

  of(group: number): Placed {
    return (this.placed[group] ??= this.place(group));
  }

  // Whether an item is a group that is open.
  isFrame(item: number): boolean {
    const { kind, ref } = this.graph.items;
    return kind[item] === ItemKind.group && this.opened[ref[item]] === 1;
  }

  private place(group: number): Placed {
    const { graph } = this;
    const { groups } = graph.doc;
    const [first, end] = [groups.items[group], groups.items[group + 1]];
    const frames: number[] = [];
    for (let item = first; item < end; item++) if (this.isFrame(item)) frames.push(item);
    const closed = this.closed(group);
    return frames.length === 0 ? closed : this.grown(group, closed, frames);
  }

  // The stored layout: all child groups closed.
  private closed(group: number): Placed {
    const { items, edges, rankTop, rankHeight, doc: { groups } } = this.graph;
    const [i, iEnd] = [groups.items[group], groups.items[group + 1]];
    const [e, eEnd] = [groups.edges[group], groups.edges[group + 1]];
    const [r, rEnd] = [groups.ranks[group], groups.ranks[group + 1]];
    const tall = rankHeight.subarray(r, rEnd);
    return {
      width: groups.width[group], height: groups.height[group],
      x: items.x.subarray(i, iEnd), w: items.w.subarray(i, iEnd), h: items.h.subarray(i, iEnd),
      top: rankTop.subarray(r, rEnd), tall, x0: edges.x0.subarray(e, eEnd), x1: edges.x1.subarray(e, eEnd),
      via: edges.via.items.subarray(edges.via.start[e], edges.via.start[eEnd]),
      largest: tall.reduce((most, each) => Math.max(most, each), 0),
    };
  }

  private sizeOfFrame(group: number, least: number): { w: number; h: number } {
    const { header, padding } = this.graph.doc.frame;
    const inner = this.of(group);
    return { w: Math.max(least, inner.width + 2 * padding), h: header + inner.height + padding };
  }

  private grown(group: number, closed: Placed, frames: number[]): Placed {
    const { items, doc: { groups } } = this.graph;
    const first = groups.items[group];
    const w = Int32Array.from(closed.w);
    const h = Int32Array.from(closed.h);
    const ranks = new Map<number, Growth[]>();
    for (const item of frames) {
      const size = this.sizeOfFrame(items.ref[item], items.w[item]);
      const by = size.w - items.w[item];
      const left = Math.floor(by / 2);
      const growths = ranks.get(items.rank[item]) ?? [];
      growths.push({ middle: items.x[item] + (items.w[item] >> 1), left, right: by - left });
      ranks.set(items.rank[item], growths);
      w[item - first] = size.w;
      h[item - first] = size.h;
    }
    const x = this.shiftedItems(first, closed, w, ranks);
    const { x0, x1, via } = this.shiftedEdges(group, first, closed, x, w, ranks);
    return this.fromZero({ ...closed, ...this.heights(first, closed, h), x, w, h, x0, x1, via });
  }

  private shiftedItems(first: number, closed: Placed, w: Int32Array, ranks: Map<number, Growth[]>): Int32Array {
    const { rank } = this.graph.items;
    return Int32Array.from(closed.x, (x, i) => {
      const growths = ranks.get(rank[first + i]);
      if (!growths) return x;
      const middle = x + (closed.w[i] >> 1);
      const own = Math.floor((w[i] - closed.w[i]) / 2);
      return moved(middle, growths.filter(growth => growth.middle !== middle)) - middle + x - own;
    });
  }

  private shiftedEdges(group: number, first: number, closed: Placed, x: Int32Array, w: Int32Array,
                       ranks: Map<number, Growth[]>): { x0: Int32Array; x1: Int32Array; via: Int32Array } {
    const { edges, items, doc: { groups } } = this.graph;
    const edge = groups.edges[group];
    const [x0, x1, via] = [Int32Array.from(closed.x0), Int32Array.from(closed.x1), Int32Array.from(closed.via)];
    const shift = (item: number): number =>  // of the middle, which an item that grows keeps
      x[item - first] + Math.floor((w[item - first] - closed.w[item - first]) / 2) - closed.x[item - first];
    const offset = edges.via.start[edge];
    for (let e = 0; e < x0.length; e++) {
      x0[e] += shift(edges.from[edge + e]);
      x1[e] += shift(edges.to[edge + e]);
      let r = items.rank[edges.from[edge + e]] + 1;
      for (let v = edges.via.start[edge + e] - offset; v < edges.via.start[edge + e + 1] - offset; v++, r++) {
        const growths = ranks.get(r);
        if (growths) via[v] = moved(via[v], growths);
      }
    }
    return { x0, x1, via };
  }

  private heights(first: number, closed: Placed, h: Int32Array): Pick<Placed, "top" | "tall" | "height" | "largest"> {
    const { rank } = this.graph.items;
    const tall = new Int32Array(closed.tall.length);
    for (let i = 0; i < h.length; i++) tall[rank[first + i]] = Math.max(tall[rank[first + i]], h[i]);
    const top = Int32Array.from(closed.top);
    let [by, largest] = [0, 0];
    for (let r = 0; r < top.length; r++) {
      top[r] += by;
      by += tall[r] - closed.tall[r];
      largest = Math.max(largest, tall[r]);
    }
    return { top, tall, height: closed.height + by, largest };
  }

  private fromZero(placed: Placed & { x: Int32Array; via: Int32Array; x0: Int32Array; x1: Int32Array }): Placed {
    let [least, most] = [Infinity, 0];
    placed.x.forEach((x, i) => {
      least = Math.min(least, x);
      most = Math.max(most, x + placed.w[i]);
    });
    for (const x of placed.via) [least, most] = [Math.min(least, x), Math.max(most, x)];
    for (const column of [placed.x, placed.via, placed.x0, placed.x1]) for (let i = 0; i < column.length; i++) column[i] -= least;
    return { ...placed, width: most - least };
  }

  // Where the content of `group` begins, seen from the content of its ancestor `root`.
  origin(group: number, root: number): Point {
    const { graph } = this;
    const { header, padding } = graph.doc.frame;
    let [x, y] = [0, 0];
    for (let g = group; g !== root; g = graph.doc.groups.parent[g]) {
      const item = graph.itemOfGroup[g];
      const corner = this.cornerIn(graph.doc.groups.parent[g], item);
      x += corner.x + padding;
      y += corner.y + header;
    }
    return { x, y };
  }

  private cornerIn(group: number, item: number): Point {
    const placed = this.of(group);
    return { x: placed.x[item - this.graph.doc.groups.items[group]], y: placed.top[this.graph.items.rank[item]] };
  }

  // The box of an item, seen from the content of `root`. All groups between both are open.
  box(item: number, root: number): { x: number; y: number; w: number; h: number } {
    const group = this.graph.groupOfItem(item);
    const at = item - this.graph.doc.groups.items[group];
    const placed = this.of(group);
    const origin = this.origin(group, root);
    const corner = this.cornerIn(group, item);
    return { x: origin.x + corner.x, y: origin.y + corner.y, w: placed.w[at], h: placed.h[at] };
  }
}
