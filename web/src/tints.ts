// Which colour and mark an item has: of the overlay, of the comparison, or of its operator.
import { GroupKind, ItemKind, Mark } from "./document";
import { markTint, palette, scaleColour, Tint, tintOf } from "./colours";
import { itemValue, share } from "./overlay";
import { State } from "./state";

export class Tints {
  constructor(private readonly state: State) {}

  of(item: number): Tint & { text: string } {
    const { graph, overlay, dark } = this.state;
    const { kind, ref } = graph.items;
    const colours = palette(dark);
    if (kind[item] > ItemKind.group) return { fill: colours.port, far: colours.port, line: colours.portLine, bar: colours.portLine, text: colours.text };
    if (overlay) {
      const value = itemValue(graph, overlay, item);
      if (value === null) return { fill: colours.port, far: colours.port, line: colours.frameLine, bar: colours.frameLine, text: colours.faint };
      const colour = scaleColour(overlay, share(overlay, value, kind[item] === ItemKind.group), dark);
      return { fill: colour.fill, far: colour.fill, line: colours.groupLine, bar: colour.text, text: colour.text };
    }
    if (graph.doc.compare) return { ...markTint(this.markOf(item), dark), text: colours.text };
    if (kind[item] === ItemKind.group) return { fill: colours.group, far: colours.group, line: colours.groupLine, bar: colours.groupLine, text: colours.text };
    return { ...tintOf(graph.categoryOf(ref[item]), dark), text: colours.text };
  }

  // The one colour of an item that is drawn without parts.
  plain(item: number): string {
    const tint = this.of(item);
    return this.state.overlay && this.state.graph.items.kind[item] <= ItemKind.group ? tint.fill : tint.bar;
  }

  // The mark of a node; of a group, the one that all its nodes share, and "changed" if they differ.
  markOf(item: number): Mark {
    const { kind, ref } = this.state.graph.items;
    const { compare } = this.state.graph.doc;
    if (!compare || kind[item] > ItemKind.group) return Mark.same;
    if (kind[item] === ItemKind.node) return compare.node[ref[item]];
    const counts = this.marksOf(ref[item]);
    const found = [Mark.same, Mark.added, Mark.gone, Mark.changed, Mark.renamed].filter(mark => counts[mark] > 0);
    return found.length === 1 ? found[0] : found.length === 0 ? Mark.same : Mark.changed;
  }

  // How many nodes of a group have each mark.
  marksOf(group: number): ArrayLike<number> {
    const { start, items } = this.state.graph.doc.compare!.group;
    return items.slice(start[group], start[group + 1]);
  }

  // How many nodes of an item are lit.
  litOf(item: number): number {
    const { graph, lit, litInGroup } = this.state;
    const ref = graph.items.ref[item];
    if (graph.items.kind[item] === ItemKind.node) return lit[ref];
    if (graph.items.kind[item] !== ItemKind.group) return 0;
    const node = graph.doc.groups.kind[ref] === GroupKind.control ? graph.doc.groups.node[ref] : -1;
    return litInGroup[ref] + (node >= 0 ? lit[node] : 0);
  }
}
