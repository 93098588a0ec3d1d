// Draws the part of the graph that lies in a window, with as much detail as the scale can show. The time depends on what is
// seen, not on the size of the graph.
import { ItemKind, Mark } from "./document";
import { Palette, markTint, marks, palette, Tint } from "./colours";
import { Graph } from "./graph";
import { Layouts, Placed } from "./layout";
import { isFault, itemValue, share, short } from "./overlay";
import { Painter, TextStyle } from "./paint";
import { Routes } from "./routes";
import { State } from "./state";
import { Tints } from "./tints";

export interface Window {
  x: number;
  y: number;
  w: number;
  h: number;
  scale: number; // pixels of the screen per unit
}

// From these heights on the screen a box has its parts.
const detail = { outline: 5, text: 9, words: 0.55, edges: 2.5, inside: 22, label: 0.8, arrow: 0.35, curve: 0.12 };
const overflow = 40; // labels of stubs stand this far outside of what they belong to

// The least index whose value is above `limit`.
function firstAbove(values: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Whether a text is about as wide as there is room.
function fits(text: string, size: number, room: number): boolean {
  return text.length * size * 0.58 < room;
}

// "[batch, 3, 224]" of "f32[batch, 3, 224]".
export function shapeOf(type: string): string {
  const at = type.indexOf("[");
  return at < 0 ? "" : type.slice(at);
}

export class Scene {
  readonly graph: Graph;
  readonly layouts: Layouts;
  drawn = 0; // boxes in the last picture
  private colours!: Palette;
  private painter!: Painter;
  private window!: Window;
  private chosen = -1; // item
  private chosenValue = -1;
  private readonly ranks = new Map<number, Int32Array>();
  private readonly tints: Tints;
  private readonly routes: Routes;

  constructor(readonly state: State) {
    this.graph = state.graph;
    this.layouts = state.layouts;
    this.tints = new Tints(state);
    this.routes = new Routes(state.layouts);
  }

  size(): { w: number; h: number } {
    const placed = this.layouts.of(this.state.root);
    return { w: placed.width, h: placed.height };
  }

  // The painter's origin is the corner of the window: numbers stay small, and exact, in graphs of millions of units.
  draw(painter: Painter, window: Window): void {
    const { selection } = this.state;
    this.painter = painter;
    this.window = { ...window, x: 0, y: 0 };
    this.colours = palette(this.state.dark);
    this.chosen = selection.kind === "node" || selection.kind === "group" ? this.state.itemOf(selection) : -1;
    this.chosenValue = selection.kind === "value" ? selection.id : -1;
    this.drawn = 0;
    this.content(this.state.root, -window.x, -window.y, 0);
  }

  // First items of the ranks of a group, and the end.
  firstsOf(group: number): Int32Array {
    let firsts = this.ranks.get(group);
    if (firsts) return firsts;
    const { groups } = this.graph.doc;
    const count = groups.ranks[group + 1] - groups.ranks[group];
    firsts = new Int32Array(count + 1).fill(groups.items[group + 1]);
    for (let item = groups.items[group + 1] - 1; item >= groups.items[group]; item--) firsts[this.graph.items.rank[item]] = item;
    for (let r = count - 1; r >= 0; r--) firsts[r] = Math.min(firsts[r], firsts[r + 1]);
    this.ranks.set(group, firsts);
    return firsts;
  }

  // The items of a group that a strip of y crosses: from the first to the end.
  span(group: number, placed: Placed, from: number, to: number): [number, number] {
    const firsts = this.firstsOf(group);
    const low = Math.max(0, firstAbove(placed.top, from - placed.largest) - 1);
    const high = firstAbove(placed.top, to);
    return [firsts[Math.min(low, firsts.length - 1)], firsts[Math.min(high, firsts.length - 1)]];
  }

  private content(group: number, ox: number, oy: number, depth: number): void {
    const placed = this.layouts.of(group);
    const { groups } = this.graph.doc;
    const first = groups.items[group];
    const { x, y, w, h, scale } = this.window;
    const [low, high] = this.span(group, placed, y - oy, y + h - oy);
    this.drawEdges(group, placed, ox, oy);
    for (let item = low; item < high; item++) {
      const at = item - first;
      const left = ox + placed.x[at];
      if (left > x + w || left + placed.w[at] < x) continue;
      const top = oy + placed.top[this.graph.items.rank[item]];
      if (top + placed.h[at] < y) continue;
      this.item(item, left, top, placed.w[at], placed.h[at], depth);
    }
    if (scale >= detail.label) this.labels(group, placed, ox, oy);
  }

  private item(item: number, x: number, y: number, w: number, h: number, depth: number): void {
    this.drawn++;
    const { kind, ref } = this.graph.items;
    this.painter.alpha(this.dimmed(item) ? 0.35 : 1);
    if (kind[item] === ItemKind.node) this.node(item, x, y, w, h);
    else if (kind[item] !== ItemKind.group) this.port(item, x, y, w, h);
    else if (!this.layouts.isOpen(ref[item])) this.closedGroup(item, x, y, w, h);
    else this.frame(item, x, y, w, h, depth);
    this.outline(item, x, y, w, h);
    this.painter.alpha(1);
  }

  private dimmed(item: number): boolean {
    return this.state.litCount > 0 && !this.layouts.isFrame(item) && this.tints.litOf(item) === 0;
  }

  private node(item: number, x: number, y: number, w: number, h: number): void {
    const { painter, window: { scale } } = this;
    const tint = this.tints.of(item);
    if (h * scale < detail.outline) {
      painter.box(x, y, w, h, 0, { fill: this.tints.plain(item) });
      return;
    }
    const dash = this.isGone(item) ? [5, 3] : undefined;
    const fill = scale < detail.words && !this.state.overlay ? tint.far : tint.fill;
    painter.box(x, y, w, h, 6, { fill, line: tint.line, width: dash ? 1.5 : 1, dash });
    if (h * scale < detail.text) return;
    if (!this.state.overlay && scale >= detail.words) painter.box(x + 4, y + 6, 3, h - 12, 1.5, { fill: tint.bar });
    this.words(item, x, y, w, h, tint.text);
    this.sign(item, x, y, w, h, tint);
  }

  private isGone(item: number): boolean {
    return this.graph.doc.compare !== null && this.tints.markOf(item) === Mark.gone;
  }

  // Title and second line. An overlay puts its number in the second line.
  private words(item: number, x: number, y: number, w: number, h: number, colour: string): void {
    const { items } = this.graph.doc;
    const title = this.graph.text(items.title[item]);
    const second = this.secondLine(item);
    const middle = x + w / 2;
    const isGroup = this.graph.items.kind[item] === ItemKind.group;
    const most = w - (isGroup ? 44 : 20);  // beside the sign that opens a group
    const style = { size: 13, colour, bold: true, align: "center" as const };
    if (this.window.scale < detail.words) {
      this.smallTitle(title, middle, y + h / 2, w, h, style);
      return;
    }
    if (!second) {
      this.painter.text(title, middle, y + h / 2, most, style);
      return;
    }
    const shift = Math.min(9, h / 5);
    this.painter.text(title, middle, y + h / 2 - shift, most, style);
    const faint = this.state.overlay ? colour : this.colours.faint;
    this.painter.text(second, middle, y + h / 2 + shift, w - (isGroup ? 16 : 20), { size: 11, colour: faint, align: "center" });
  }

  // From afar, a box has its title alone, as large as it can be read and the box can hold.
  private smallTitle(title: string, x: number, y: number, w: number, h: number, style: TextStyle): void {
    const { scale } = this.window;
    const size = Math.min(11 / scale, h * 0.75, (13 * (w - 12)) / (8 * Math.max(1, title.length)));
    if (size * scale >= 5) this.painter.text(title, x, y, w - 8, { ...style, size: Math.max(13, Math.round(size)) });
  }

  private secondLine(item: number): string {
    const { overlay } = this.state;
    const { compare } = this.graph.doc;
    const { kind, ref } = this.graph.items;
    const value = overlay ? itemValue(this.graph, overlay, item) : null;
    if (overlay && value !== null) return `${isFault(overlay, value) ? "⚠ " : ""}${short(overlay, value)}`;
    if (compare && kind[item] === ItemKind.group) {
      const counts = this.tints.marksOf(ref[item]);
      const changes = [Mark.added, Mark.gone, Mark.changed, Mark.renamed].filter(mark => counts[mark] > 0);
      if (changes.length > 0) return changes.map(mark => `${marks[mark].sign}${counts[mark]}`).join("  ");
    }
    return this.graph.text(this.graph.doc.items.caption[item]);
  }

  // The second channel beside colour: a bar for a number, a sign for a mark.
  private sign(item: number, x: number, y: number, w: number, h: number, tint: Tint): void {
    const { overlay, dark } = this.state;
    const value = overlay ? itemValue(this.graph, overlay, item) : null;
    if (overlay && value !== null) {
      const part = share(overlay, value, this.graph.items.kind[item] === ItemKind.group);
      this.painter.box(x + 6, y + h - 5, (w - 12) * part, 2.5, 1, { fill: tint.bar });
      if (isFault(overlay, value)) this.painter.box(x, y, w, h, 6, { line: this.colours.fault, width: 2.5 });
      return;
    }
    const mark = this.tints.markOf(item);
    if (mark === Mark.same || this.graph.items.kind[item] !== ItemKind.node) return;
    this.painter.box(x + w - 9, y - 7, 16, 16, 8, { fill: markTint(mark, dark).bar });
    this.painter.text(marks[mark].sign, x + w - 1, y + 1, 14, { size: 12, colour: this.colours.paper, bold: true, align: "center" });
  }

  private port(item: number, x: number, y: number, w: number, h: number): void {
    const { painter, colours, window: { scale } } = this;
    if (h * scale < detail.outline) {
      painter.box(x, y, w, h, 0, { fill: colours.portLine });
      return;
    }
    painter.box(x, y, w, h, h / 2, { fill: colours.port, line: colours.portLine });
    if (h * scale >= detail.text) this.words(item, x, y, w, h, colours.text);
  }

  private closedGroup(item: number, x: number, y: number, w: number, h: number): void {
    const { painter, window: { scale } } = this;
    const tint = this.tints.of(item);
    if (h * scale < detail.outline) {
      painter.box(x, y, w, h, 0, { fill: this.tints.plain(item) });
      return;
    }
    const style = { fill: tint.fill, line: tint.line, width: 1.2 };
    if (h * scale >= detail.text) painter.box(x + 4, y + 4, w - 8, h - 1, 7, style);
    painter.box(x, y, w, h, 7, style);
    if (h * scale < detail.text) return;
    this.words(item, x, y, w, h, tint.text);
    this.sign(item, x, y, w, h, tint);
    if (scale >= detail.words) this.painter.text("+", x + w - 10, y + 10, 12, { size: 13, colour: tint.text, bold: true, align: "center" });
    this.badge(item, x, y);
  }

  // How many nodes in a closed group are lit.
  private badge(item: number, x: number, y: number): void {
    const count = this.tints.litOf(item);
    if (count === 0) return;
    const text = String(count);
    const w = 10 + 7 * text.length;
    this.painter.box(x - 6, y - 8, w, 16, 8, { fill: this.colours.lit });
    this.painter.text(text, x - 6 + w / 2, y, w, { size: 11, colour: this.colours.paper, bold: true, align: "center" });
  }

  private frame(item: number, x: number, y: number, w: number, h: number, depth: number): void {
    const { painter, colours, window: { scale } } = this;
    const { header, padding } = this.graph.doc.frame;
    const onScreen = Math.min(Math.max(w, h) * scale, w * scale * 4);
    if (onScreen < detail.inside) {
      painter.box(x, y, w, h, 0, { fill: this.tints.plain(item) });
      return;
    }
    painter.box(x, y, w, h, scale > 0.2 ? 8 : 0, { fill: colours.frames[depth % 2], line: colours.frameLine, width: Math.max(1, 0.7 / scale) });
    this.content(this.graph.items.ref[item], x + padding, y + header, depth + 1);
    painter.alpha(1);
    if (header * scale >= 8) this.header(item, x, y, w, header);
  }

  // The title of an open group stays in sight while its frame is.
  private header(item: number, x: number, y: number, w: number, header: number): void {
    const { painter, colours, window } = this;
    painter.box(x + 0.5, y + 0.5, w - 1, header - 1, 7, { fill: colours.header });
    const left = Math.min(Math.max(x, window.x), Math.max(x, x + w - 160));
    painter.text("−", left + 13, y + header / 2, 14, { size: 14, colour: colours.text, bold: true, align: "center" });
    const title = this.graph.text(this.graph.doc.items.title[item]);
    const caption = this.graph.text(this.graph.doc.items.caption[item]);
    const size = Math.min(19, Math.max(12, 9 / window.scale));
    const most = x + w - left - 34;
    const both = `${title} — ${caption}`;
    painter.text(caption && fits(both, size, most) ? both : title, left + 26, y + header / 2, most, { size, colour: colours.text, bold: true });
  }

  private outline(item: number, x: number, y: number, w: number, h: number): void {
    const { colours, painter, window: { scale } } = this;
    const lit = this.tints.litOf(item) > 0 && !this.layouts.isFrame(item);
    if (lit) painter.box(x - 2, y - 2, w + 4, h + 4, 8, { line: colours.lit, width: Math.max(2.5, 2 / scale) });
    if (item !== this.chosen && !this.carriesChosen(item)) return;
    painter.alpha(1);
    painter.box(x - 4, y - 4, w + 8, h + 8, 10, { line: colours.accent, width: Math.max(2.5, 2 / scale) });
  }

  private carriesChosen(item: number): boolean {
    const { kind, ref } = this.graph.items;
    return this.chosenValue >= 0 && kind[item] > ItemKind.group && ref[item] === this.chosenValue;
  }

  // ---- edges ----

  private drawEdges(group: number, placed: Placed, ox: number, oy: number): void {
    const { graph, window, painter, colours } = this;
    const { groups } = graph.doc;
    const { edges, items } = graph;
    const first = groups.edges[group];
    const straight = window.scale < detail.curve;
    const bold: number[] = [];
    const stubs = new Set<number>();
    if (placed.largest === 0 || 40 * window.scale < detail.edges) return;
    const [from, to] = [window.y - oy - overflow, window.y + window.h - oy + overflow];
    painter.begin();
    for (let edge = first; edge < groups.edges[group + 1]; edge++) {
      if (placed.top[items.rank[edges.to[edge]]] < from) continue;
      if (placed.top[items.rank[edges.from[edge]]] > to) continue;
      if (this.isBold(edge)) bold.push(edge);
      else if (graph.doc.edges.stub[edge]) this.stub(group, placed, edge, ox, oy, stubs);
      else for (const link of this.routes.linksOf(group, placed, edge, this.chosenValue >= 0)) this.routes.trace(painter, group, placed, link, ox, oy, straight);
    }
    painter.finish({ line: colours.edge, width: Math.max(1.2, 0.6 / window.scale) });
    this.arrows(group, placed, ox, oy, from, to);
    for (const edge of bold) this.boldEdge(group, placed, edge, ox, oy);
  }

  private boldEdge(group: number, placed: Placed, edge: number, ox: number, oy: number): void {
    const { painter, colours, window } = this;
    const straight = window.scale < detail.curve;
    const links = this.routes.linksOf(group, placed, edge, this.chosenValue >= 0).filter(link => this.isBoldLine(edge, link.line));
    painter.begin();
    for (const link of links) this.routes.trace(painter, group, placed, link, ox, oy, straight);
    painter.finish({ line: colours.accent, width: Math.max(2.4, 1.6 / window.scale) });
    if (window.scale < detail.arrow) return;
    painter.begin();
    for (const link of links) this.arrow(ox + link.x1, oy + placed.top[this.graph.items.rank[this.graph.edges.to[edge]]], 1.5);
    painter.finish({ fill: colours.accent });
  }

  private arrow(x: number, y: number, size: number): void {
    const { painter } = this;
    painter.moveTo(x, y);
    painter.lineTo(x - 3.5 * size, y - 7 * size);
    painter.lineTo(x + 3.5 * size, y - 7 * size);
    painter.lineTo(x, y);
  }

  private isBold(edge: number): boolean {
    const { edges } = this.graph;
    if (this.chosen >= 0 && (edges.from[edge] === this.chosen || edges.to[edge] === this.chosen)) return true;
    if (this.chosenValue < 0) return false;
    const { lines, value } = this.graph.doc.edges;
    for (let line = lines[edge]; line < lines[edge + 1]; line++) if (value[line] === this.chosenValue) return true;
    return false;
  }

  private isBoldLine(edge: number, line: number): boolean {
    const { edges } = this.graph;
    if (this.chosen >= 0 && (edges.from[edge] === this.chosen || edges.to[edge] === this.chosen)) return true;
    return this.graph.doc.edges.value[line] === this.chosenValue;
  }

  private arrows(group: number, placed: Placed, ox: number, oy: number, from: number, to: number): void {
    const { graph, painter, window } = this;
    if (window.scale < detail.arrow) return;
    const { edges, items, doc: { groups } } = graph;
    painter.begin();
    for (let edge = groups.edges[group]; edge < groups.edges[group + 1]; edge++) {
      const top = placed.top[items.rank[edges.to[edge]]];
      if (top < from || top > to) continue;
      for (const { x1 } of this.routes.linksOf(group, placed, edge, this.chosenValue >= 0)) this.arrow(ox + x1, oy + top, 1);
    }
    painter.finish({ fill: this.colours.edge });
  }

  // A short line at each end of an edge that is not drawn in full.
  private stub(group: number, placed: Placed, edge: number, ox: number, oy: number, sources: Set<number>): void {
    const { edges, items, doc } = this.graph;
    const at = edge - doc.groups.edges[group];
    const bottom = oy + placed.top[items.rank[edges.from[edge]]] + placed.h[edges.from[edge] - doc.groups.items[group]];
    const top = oy + placed.top[items.rank[edges.to[edge]]];
    if (!sources.has(edges.from[edge])) {
      sources.add(edges.from[edge]);
      this.painter.moveTo(ox + placed.x0[at], bottom);
      this.painter.lineTo(ox + placed.x0[at], bottom + 9);
    }
    this.painter.moveTo(ox + placed.x1[at], top - 14);
    this.painter.lineTo(ox + placed.x1[at], top);
  }

  // Shapes of values below the boxes that make them, and the names at stubs.
  private labels(group: number, placed: Placed, ox: number, oy: number): void {
    const { graph, window } = this;
    const { edges, items, doc } = graph;
    const seen = new Set<number>();
    const [from, to] = [window.y - oy - overflow, window.y + window.h - oy + overflow];
    for (let edge = doc.groups.edges[group]; edge < doc.groups.edges[group + 1]; edge++) {
      const at = edge - doc.groups.edges[group];
      const source = edges.from[edge];
      const end = placed.top[items.rank[source]] + placed.h[source - doc.groups.items[group]];
      const top = placed.top[items.rank[edges.to[edge]]];
      if (end > to || top < from) continue;
      const value = doc.edges.value[doc.edges.lines[edge]];
      if (doc.edges.stub[edge] && top <= to) this.label(graph.valueName(value), ox + placed.x1[at] + 5, oy + top - 11, 90);
      if (end < from || seen.has(source) || this.layouts.isFrame(source)) continue;
      seen.add(source);
      const shown = shapeOf(graph.text(doc.values.type[value]));
      const next = this.nextInRank(source, group, placed);
      const room = Math.min(170, next - placed.x0[at] - 8);
      if (shown && fits(shown, 9, room)) this.label(shown, ox + placed.x0[at] + 5, oy + end + 9, room);
    }
  }

  // Where the label of the next item of a rank would begin.
  private nextInRank(item: number, group: number, placed: Placed): number {
    const at = item + 1 - this.graph.doc.groups.items[group];
    const isLast = at >= placed.x.length || this.graph.items.rank[item + 1] !== this.graph.items.rank[item];
    return isLast ? Infinity : placed.x[at] + placed.w[at] / 2;
  }

  private label(text: string, x: number, y: number, most: number): void {
    if (x > this.window.x + this.window.w || x + most < this.window.x) return;
    const style = { size: 10, colour: this.colours.faint, halo: this.colours.paper };
    this.painter.text(text.length > 30 ? `${text.slice(0, 29)}…` : text, x, y, most, style);
  }
}
