// Places in the page as part of its address: #node=, #module=, #line=, #find=, #overlay=.
import type { App } from "./app";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Readable in an address: only characters that would be read differently are escaped.
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(2F|3A|2C|40|5B|5D|20)/g, found => (found === "%20" ? "%20" : decodeURIComponent(found)));
}

export class Links {
  private following = false;

  constructor(private readonly app: App) {
    for (const change of ["selection", "overlay", "find"] as const) app.state.on(change, () => this.write());
    window.addEventListener("hashchange", () => this.follow());
  }

  // Goes where the address says. A name that the model does not have changes nothing.
  follow(): void {
    const parts = new Map(location.hash.slice(1).split("&").filter(part => part.includes("=")).map(part => {
      const at = part.indexOf("=");
      return [part.slice(0, at), decoded(part.slice(at + 1))] as [string, string];
    }));
    this.following = true;
    const overlay = parts.get("overlay");
    if (overlay !== undefined) this.app.setOverlay(overlay);
    const query = parts.get("find");
    if (query !== undefined) this.app.toolbar.setQuery(query);
    this.toModule(parts.get("module"));
    this.toLine(parts.get("line"));
    this.toNode(parts.get("node"));
    this.following = false;
  }

  private toModule(path: string | undefined): void {
    const { graph } = this.app.state;
    if (path === undefined) return;
    for (let group = 1; group < graph.groupCount; group++) {
      if (graph.groupName(group) === path) return this.app.go({ kind: "group", id: group }, false);
    }
  }

  private toLine(place: string | undefined): void {
    const at = place?.lastIndexOf(":") ?? -1;
    if (place === undefined || at < 0) return;
    const file = this.app.program.fileNamed(place.slice(0, at));
    const line = Number(place.slice(at + 1));
    if (file >= 0 && Number.isInteger(line)) this.app.go({ kind: "line", file, line }, false);
  }

  private toNode(name: string | undefined): void {
    if (name === undefined) return;
    const { graph } = this.app.state;
    let node = graph.doc.nodes.name.findIndex((_, n) => graph.text(graph.doc.nodes.name[n]) === name);
    if (node < 0 && /^@\d+$/.test(name)) node = Number(name.slice(1));
    if (node >= 0 && node < graph.nodeCount) this.app.go({ kind: "node", id: node }, false);
  }

  private write(): void {
    if (this.following) return;
    const { selection, graph, overlay } = this.app.state;
    const parts: string[] = [];
    if (selection.kind === "node") parts.push(`node=${encoded(this.nodeName(selection.id))}`);
    if (selection.kind === "group") parts.push(`module=${encoded(graph.groupName(selection.id))}`);
    if (selection.kind === "line") parts.push(`line=${encoded(graph.doc.sources.files[selection.file].name)}:${selection.line}`);
    if (this.app.toolbar.query) parts.push(`find=${encoded(this.app.toolbar.query)}`);
    if (overlay) parts.push(`overlay=${encoded(overlay.id)}`);
    history.replaceState(null, "", `#${parts.join("&")}`);
  }

  private nodeName(node: number): string {
    const { graph } = this.app.state;
    const at = graph.doc.nodes.name[node];
    const name = graph.text(at);
    return name && name.length < 500 && graph.doc.nodes.name.indexOf(at) === node ? name : `@${node}`;
  }
}
