// Saves pictures of the graph.
import type { App } from "./app";
import { h } from "./h";

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// `what` is "svg" or "png", after "whole." for the whole graph.
export async function download(app: App, what: string): Promise<void> {
  const whole = what.startsWith("whole.");
  const name = app.state.graph.doc.title.replace(/[^\w.-]+/g, "_").slice(0, 100) || "graph";
  if (what.endsWith("svg")) save(new Blob([app.graph.svg(whole)], { type: "image/svg+xml" }), `${name}.svg`);
  if (!what.endsWith("png")) return;
  const blob = await new Promise<Blob | null>(done => app.graph.picture(whole).toBlob(done));
  if (blob) save(blob, `${name}.png`);
}
