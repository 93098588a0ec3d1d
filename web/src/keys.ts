// Keys of the page. Panes handle their own first.
import type { App } from "./app";
import { ItemKind } from "./document";
import { help } from "./help";
import { Move, Walk } from "./walk";
import { currentLanguage } from "./words";

const moves: Record<string, Move> = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" };

export class Keys {
  private readonly walk: Walk;

  constructor(private readonly app: App) {
    this.walk = new Walk(app);
    document.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
      if (inField || (onButton && (event.key === "Enter" || event.key === " "))) return;
      if (this.press(event)) event.preventDefault();
    });
  }

  private press(event: KeyboardEvent): boolean {
    const action = this.actions(event.shiftKey)[event.key];
    if (action) action();
    else if (event.key in moves && (event.target === this.app.graph.canvas || event.target === document.body)) this.walk.go(moves[event.key]);
    else return false;
    return true;
  }

  private actions(shift: boolean): Record<string, () => void> {
    const { app } = this;
    const { camera } = app.graph;
    const zoom = (factor: number): void => camera.zoomAt(camera.width / 2, camera.height / 2, factor);
    return {
      "/": () => app.toolbar.focusSearch(), "?": () => help(), f: () => app.graph.fit(), z: () => this.zoomToSelection(),
      "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), "0": () => zoom(1 / camera.scale),
      h: () => camera.panBy(-80, 0), l: () => camera.panBy(80, 0), k: () => camera.panBy(0, -80), j: () => camera.panBy(0, 80),
      g: () => this.groupAround(), p: () => app.togglePane("program"), i: () => app.togglePane("right"), o: () => this.nextOverlay(),
      t: () => {
        app.tabs.show("tree");
        app.tree.tree.focus();
      },
      v: () => app.graph.canvas.focus(), n: () => app.step(1), N: () => app.step(-1), a: () => app.toggleAll(true), A: () => app.toggleAll(false),
      d: () => app.setDark(!app.state.dark), L: () => app.setLanguage(currentLanguage() === "zh" ? "en" : "zh"),
      s: () => this.alone(), Enter: () => this.enter(shift), Backspace: () => this.closeAround(),
      Escape: () => {
        app.toolbar.setQuery("");
        app.state.select({ kind: "none" });
      },
    };
  }

  private zoomToSelection(): void {
    const item = this.app.currentItem();
    const { layouts, root } = this.app.state;
    if (item >= 0) this.app.graph.camera.fit(layouts.box(item, root), 1.2, true);
  }

  // The group that is selected, or the one around the selected node; 0 for none.
  private group(): number {
    const { selection, graph } = this.app.state;
    if (selection.kind === "group") return selection.id;
    return selection.kind === "node" ? graph.doc.nodes.group[selection.id] : 0;
  }

  private groupAround(): void {
    const { selection, graph, root } = this.app.state;
    const around = selection.kind === "group" ? graph.doc.groups.parent[selection.id] : this.group();
    if (around > 0 && around !== root) this.app.go({ kind: "group", id: around }, false);
  }

  private enter(all: boolean): void {
    const { graph, layouts } = this.app.state;
    const item = this.app.currentItem();
    if (item < 0) return this.walk.go("down");
    if (graph.items.kind[item] !== ItemKind.group) return;
    const group = graph.items.ref[item];
    if (!layouts.isOpen(group) || all) {
      this.app.state.select({ kind: "group", id: group });
      this.app.toggleGroup(group, all);
    } else this.walk.inside(group);
  }

  private closeAround(): void {
    const { graph, layouts, selection, root } = this.app.state;
    let group = this.group();
    if (selection.kind === "group" && !layouts.isOpen(group)) group = graph.doc.groups.parent[group];
    if (group <= 0 || group === root) return;
    this.app.state.select({ kind: "group", id: group });
    if (layouts.isOpen(group)) this.app.toggleGroup(group, false);
    this.app.graph.bring({ kind: "group", id: group });
  }

  private alone(): void {
    const group = this.group();
    this.app.alone(group > 0 && group !== this.app.state.root && this.app.state.graph.isBelow(group, this.app.state.root) ? group : 0);
  }

  private nextOverlay(): void {
    const { graph, overlay } = this.app.state;
    const ids = ["", ...graph.doc.overlays.map(each => each.id)];
    this.app.setOverlay(ids[(ids.indexOf(overlay?.id ?? "") + 1) % ids.length]);
  }
}
