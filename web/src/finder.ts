// Finds nodes, groups and values by words of their names.
import { Graph } from "./graph";

export interface Found {
  kind: "node" | "group" | "value";
  id: number;
}

export class Finder {
  private nodes: string[] | null = null;
  private groups: string[] | null = null;
  private values: string[] | null = null;

  constructor(private readonly graph: Graph) {}

  private collect(): void {
    const { graph } = this;
    const { doc } = graph;
    const paths = Array.from({ length: graph.groupCount }, (_, g) => (g === 0 ? "" : graph.groupName(g)));
    this.groups = paths.map((path, g) => (g === 0 ? "" : `${path} ${graph.text(doc.groups.type[g])}`.toLowerCase()));
    this.nodes = doc.nodes.name.map((name, n) => [graph.operatorOf(n), graph.text(name), paths[doc.nodes.group[n]], graph.text(doc.nodes.module[n]),
                                                  graph.text(doc.nodes.origin[n])].join(" ").toLowerCase());
    this.values = doc.values.name.map((name, v) => `${graph.text(name)} ${graph.text(doc.values.type[v])}`.toLowerCase());
  }

  // All rows that contain every word of the query. An exact name of an operator comes first.
  find(query: string): Found[] {
    const words = query.toLowerCase().split(/\s+/).filter(word => word);
    if (words.length === 0) return [];
    if (!this.nodes) this.collect();
    const rows = (kind: Found["kind"], texts: string[]): Found[] => {
      const found: Found[] = [];
      for (let id = 0; id < texts.length; id++) if (words.every(word => texts[id].includes(word))) found.push({ kind, id });
      return found;
    };
    const nodes = rows("node", this.nodes!);
    const exact = (found: Found): boolean => this.graph.operatorOf(found.id).toLowerCase() === words[0];
    return [...nodes.filter(exact), ...nodes.filter(found => !exact(found)), ...rows("group", this.groups!), ...rows("value", this.values!)];
  }
}
