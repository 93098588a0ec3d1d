// Lookups in a document. Each index is built when it is first asked for, in linear time.
import { Document, GroupKind, ItemKind, Lists, Mark, ValueKind } from "./document";

// Rows by key: the rows of key k are items[start[k]] … items[start[k + 1] - 1], in ascending order.
export interface Index {
  start: Int32Array;
  items: Int32Array;
}

export function indexed(keys: ArrayLike<number>, count: number): Index {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i++) if (keys[i] >= 0) start[keys[i] + 1]++;
  for (let k = 0; k < count; k++) start[k + 1] += start[k];
  const next = start.slice();
  const items = new Int32Array(start[count]);
  for (let i = 0; i < keys.length; i++) if (keys[i] >= 0) items[next[keys[i]]++] = i;
  return { start, items };
}

export function row(lists: Lists | Index, i: number): ArrayLike<number> {
  return lists.items.slice(lists.start[i], lists.start[i + 1]);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export class Graph {
  readonly items: { kind: Uint8Array; ref: Int32Array; rank: Int32Array; x: Int32Array; w: Int32Array; h: Int32Array };
  readonly edges: { from: Int32Array; to: Int32Array; x0: Int32Array; x1: Int32Array; via: Index };
  readonly rankTop: Int32Array;
  readonly rankHeight: Int32Array;
  readonly itemOfGroup: Int32Array; // the item that shows a group in the layout of its parent; -1 for the root

  constructor(readonly doc: Document) {
    const { items, edges, groups } = doc;
    this.items = {
      kind: new Uint8Array(items.kind), ref: new Int32Array(items.ref), rank: new Int32Array(items.rank),
      x: new Int32Array(items.x), w: new Int32Array(items.w), h: new Int32Array(items.h),
    };
    this.edges = {
      from: new Int32Array(edges.from), to: new Int32Array(edges.to),
      x0: new Int32Array(edges.x0), x1: new Int32Array(edges.x1),
      via: { start: new Int32Array(edges.via.start), items: new Int32Array(edges.via.items) },
    };
    this.rankTop = new Int32Array(groups.rankTop);
    this.rankHeight = new Int32Array(groups.rankHeight);
    this.itemOfGroup = new Int32Array(groups.parent.length).fill(-1);
    for (let i = 0; i < this.items.kind.length; i++) {
      if (this.items.kind[i] === ItemKind.group) this.itemOfGroup[this.items.ref[i]] = i;
    }
  }

  text(at: number): string {
    return this.doc.strings[at] ?? "";
  }

  get nodeCount(): number {
    return this.doc.nodes.name.length;
  }

  get groupCount(): number {
    return this.doc.groups.parent.length;
  }

  // The group in whose layout an item stands.
  private readonly groups = once(() => {
    const group = new Int32Array(this.items.kind.length);
    const first = this.doc.groups.items;
    for (let g = 0; g < this.groupCount; g++) group.fill(g, first[g], first[g + 1]);
    return group;
  });
  groupOfItem(item: number): number {
    return this.groups()[item];
  }

  // The row after the last group below `group`.
  private readonly ends = once(() => {
    const { parent } = this.doc.groups;
    const end = new Int32Array(parent.length);
    for (let g = parent.length - 1; g >= 0; g--) {
      end[g] = Math.max(end[g], g + 1);
      if (parent[g] >= 0) end[parent[g]] = Math.max(end[parent[g]], end[g]);
    }
    return end;
  });
  endOfGroup(group: number): number {
    return this.ends()[group];
  }

  private readonly byGroup = once(() => indexed(this.doc.nodes.group, this.groupCount));
  nodesOf(group: number): ArrayLike<number> {
    return row(this.byGroup(), group);
  }

  private readonly byParent = once(() => indexed(this.doc.groups.parent, this.groupCount));
  groupsOf(group: number): ArrayLike<number> {
    return row(this.byParent(), group);
  }

  // Groups from the root down to `group`.
  pathOf(group: number): number[] {
    const path: number[] = [];
    for (let g = group; g >= 0; g = this.doc.groups.parent[g]) path.unshift(g);
    return path;
  }

  isBelow(group: number, ancestor: number): boolean {
    return group >= ancestor && group < this.endOfGroup(ancestor);
  }

  private readonly readers = once(() => {
    const { start, items } = this.doc.nodes.inputs;
    const pairs = indexed(items, this.doc.values.name.length);
    const node = new Int32Array(items.length);
    for (let n = 0; n < this.nodeCount; n++) node.fill(n, start[n], start[n + 1]);
    return { start: pairs.start, items: pairs.items.map(at => node[at]) };
  });
  readersOf(value: number): number[] {
    return [...new Set(Array.from(row(this.readers(), value)))];
  }

  private readonly byNode = once(() => indexed(this.doc.sources.node, this.nodeCount));
  // Rows of `sources`, innermost line first.
  linesOf(node: number): number[] {
    const { level } = this.doc.sources;
    return Array.from(row(this.byNode(), node)).sort((a, b) => level[a] - level[b]);
  }

  private readonly byMessage = once(() => indexed(this.doc.messages.node, this.nodeCount));
  messagesOf(node: number): ArrayLike<number> {
    return row(this.byMessage(), node);
  }

  private readonly equals = once(() => indexed(this.doc.groups.equal, this.groupCount));
  // The groups with the structure of `group`, itself among them.
  equalTo(group: number): number[] {
    const key = this.doc.groups.equal[group];
    return key < 0 ? [group] : Array.from(row(this.equals(), key));
  }

  // The control group of a node that has bodies; otherwise -1.
  bodiesOf(node: number): number {
    return this.doc.nodes.bodies[node] ?? -1;
  }

  // The nodes in a group and below it.
  nodesBelow(group: number): number[] {
    const nodes: number[] = [];
    for (let g = group; g < this.endOfGroup(group); g++) for (const n of Array.from(this.nodesOf(g))) nodes.push(n);
    return nodes;
  }

  operatorOf(node: number): string {
    const { operators, nodes } = this.doc;
    const domain = this.text(operators.domain[nodes.operator[node]]);
    const name = this.text(operators.name[nodes.operator[node]]);
    return domain ? `${domain}::${name}` : name;
  }

  categoryOf(node: number): string {
    return this.doc.categories[this.doc.operators.category[this.doc.nodes.operator[node]]] ?? "";
  }

  // How a person names the node: its name in the file, or its operator and number.
  nameOf(node: number): string {
    return this.text(this.doc.nodes.name[node]) || `${this.operatorOf(node)} #${node}`;
  }

  groupName(group: number): string {
    const { groups } = this.doc;
    if (groups.kind[group] === GroupKind.root) return this.doc.title;
    const node = groups.node[group];
    return this.text(groups.path[group]) || this.text(groups.name[group]) ||
      (node >= 0 ? this.nameOf(node) : this.text(groups.type[group]));
  }

  valueName(value: number): string {
    return this.text(this.doc.values.name[value]) || `#${value}`;
  }

  isConstant(value: number): boolean {
    return this.doc.values.kind[value] === ValueKind.constant;
  }

  markOf(node: number): Mark {
    return this.doc.compare ? this.doc.compare.node[node] : Mark.same;
  }
}
