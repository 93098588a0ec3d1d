// The pane with the graph: canvas, overview, path of groups, legend.
import { GroupKind, ItemKind } from "./document";
import { Camera } from "./camera";
import { palette } from "./colours";
import { fill, h } from "./h";
import { Hits } from "./hits";
import { Legend } from "./legend";
import { Overview } from "./overview";
import { CanvasPainter, SvgPainter } from "./paint";
import { Scene } from "./scene";
import { Selection, State } from "./state";
import { t } from "./words";

export class GraphPane {
  readonly camera = new Camera(() => this.invalidate());
  readonly scene: Scene;
  private readonly hits: Hits;
  readonly element: HTMLElement;
  readonly canvas = h("canvas", { id: "graph", tabindex: 0, role: "application", "aria-describedby": "announcer" });
  readonly frames: number[] = []; // milliseconds of the last frames
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly path = h("nav", { class: "path" });
  private readonly overview: Overview;
  private readonly painter: CanvasPainter;
  private readonly context: CanvasRenderingContext2D;
  private waiting = false;
  private drag: { x: number; y: number; moved: boolean } | null = null;
  private readonly fingers = new Map<number, { x: number; y: number }>();

  constructor(readonly state: State) {
    this.scene = new Scene(state);
    this.hits = new Hits(state, this.scene);
    this.context = this.canvas.getContext("2d", { alpha: false })!;
    this.painter = new CanvasPainter(this.context);
    this.overview = new Overview(this);
    this.element = h("div", { class: "graph" }, this.canvas, this.path, this.overview.canvas, new Legend(state).element, this.tip);
    this.listen();
    for (const change of ["selection", "lit", "overlay", "theme"] as const) state.on(change, () => this.invalidate());
    for (const change of ["layout", "theme", "overlay", "lit"] as const) state.on(change, () => this.overview.forget());
    for (const change of ["layout", "selection", "language"] as const) state.on(change, () => this.showPath());
    state.on("layout", () => this.invalidate());
    state.on("language", () => this.name());
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.name();
    this.showPath();
  }

  private name(): void {
    this.canvas.setAttribute("aria-label", t("Graph of the model"));
  }

  // Shows the whole graph if it can be read then, and otherwise its beginning.
  begin(): void {
    this.resize();
    const { w, h: tall } = this.scene.size();
    const whole = Math.min(this.camera.width / (w + 48), this.camera.height / (tall + 48));
    if (whole > 0.7) return this.fit(false);
    const scale = Math.min(1, Math.max(0.6, this.camera.width / (w + 48)));
    const first = this.middleOfInputs();
    this.camera.goTo(first - this.camera.width / 2 / scale, -24 / scale, scale, false);
  }

  private middleOfInputs(): number {
    const first = this.state.graph.doc.groups.items[this.state.root];
    const placed = this.state.layouts.of(this.state.root);
    const [from, to] = this.scene.firstsOf(this.state.root);
    return from < to ? (placed.x[from - first] + placed.x[to - 1 - first] + placed.w[to - 1 - first]) / 2 : placed.width / 2;
  }

  fit(smooth = true): void {
    this.camera.fit({ x: 0, y: 0, ...this.scene.size() }, 1.2, smooth);
  }

  // Shows the selection, or the item of it that is shown now.
  bring(what: { kind: "node" | "group"; id: number }, smooth = true): void {
    const item = this.state.itemOf(what);
    if (item >= 0) this.camera.bring(this.state.layouts.box(item, this.state.root), smooth);
  }

  bringItem(item: number): void {
    this.camera.bring(this.state.layouts.box(item, this.state.root), true);
  }

  // Shows all lit nodes, or the first if they stand far from each other.
  bringLit(): void {
    const { state } = this;
    const items = new Set<number>();
    for (let node = 0; node < state.lit.length; node++) if (state.lit[node]) items.add(state.itemOf({ kind: "node", id: node }));
    items.delete(-1);
    if (items.size === 0) return;
    const boxes = [...items].map(item => state.layouts.box(item, state.root));
    const [x, y] = [Math.min(...boxes.map(box => box.x)), Math.min(...boxes.map(box => box.y))];
    const all = { x, y, w: Math.max(...boxes.map(box => box.x + box.w)) - x, h: Math.max(...boxes.map(box => box.y + box.h)) - y };
    const fits = all.w * 0.5 < this.camera.width && all.h * 0.5 < this.camera.height;
    if (boxes.length > 1 && fits && (all.w * this.camera.scale > this.camera.width || all.h * this.camera.scale > this.camera.height)) this.camera.fit(all, 1, true);
    else this.camera.bring(fits ? all : boxes[0], true);
  }

  // The item of a value that enters or leaves the group that is shown; -1 if it does not.
  portOf(value: number): number {
    const { items, doc: { groups } } = this.state.graph;
    for (let item = groups.items[this.state.root]; item < groups.items[this.state.root + 1]; item++) {
      if (items.kind[item] > ItemKind.group && items.ref[item] === value) return item;
    }
    return -1;
  }

  // Opens or closes groups, and keeps the top of the first where it is on the screen.
  toggle(groups: number[], open: boolean): void {
    const item = this.state.itemOf({ kind: "group", id: groups[0] });
    const before = item >= 0 ? this.state.layouts.box(item, this.state.root) : null;
    this.state.setOpen(groups, open);
    const still = this.state.itemOf({ kind: "group", id: groups[0] });
    if (before === null || still < 0) return;
    const after = this.state.layouts.box(still, this.state.root);
    this.camera.x += after.x + after.w / 2 - before.x - before.w / 2;
    this.camera.y += after.y - before.y;
    this.invalidate();
  }

  // Whether a frame is due.
  get moving(): boolean {
    return this.waiting || this.camera.moving;
  }

  invalidate(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(now => {
      this.waiting = false;
      this.frame(now);
    });
  }

  private frame(now: number): void {
    const start = performance.now();
    if (this.camera.step(now)) this.invalidate();
    const { camera, context } = this;
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette(this.state.dark).paper;
    context.fillRect(0, 0, camera.width, camera.height);
    const scale = camera.scale * ratio;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.scene.draw(this.painter, this.window());
    this.overview.draw();
    this.frames.push(performance.now() - start);
    if (this.frames.length > 200) this.frames.shift();
    if (this.frames.length === 1) performance.mark("first-frame");
  }

  window(): { x: number; y: number; w: number; h: number; scale: number } {
    const { x, y, scale, width, height } = this.camera;
    return { x, y, w: width / scale, h: height / scale, scale };
  }

  private resize(): void {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.max(1, this.element.clientWidth), Math.max(1, this.element.clientHeight)];
    if (width === this.camera.width && height === this.camera.height && this.canvas.width === Math.round(width * ratio)) return;
    [this.camera.width, this.camera.height] = [width, height];
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.painter.reset();
    this.overview.forget();
    this.frame(performance.now());
  }

  // ---- pointer ----

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", event => {
      if (event.button !== 0 && event.button !== 1) return;
      this.drag = { x: event.clientX, y: event.clientY, moved: false };
      this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener("pointermove", event => this.move(event));
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, event => this.fingers.delete(event.pointerId));
    canvas.addEventListener("pointerup", event => {
      const clicked = this.drag && !this.drag.moved;
      this.drag = null;
      canvas.classList.remove("dragged");
      if (clicked && event.button === 0) this.click(event);
    });
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    canvas.addEventListener("dblclick", event => this.doubleClick(event));
  }

  // A mouse wheel and a pinch zoom; two fingers on a touch pad move.
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const notch = event.deltaMode !== 0 || (event.deltaX === 0 && Math.abs(event.deltaY) >= 50 && Number.isInteger(event.deltaY));
    if (event.ctrlKey || event.metaKey || (notch && !event.shiftKey)) {
      const step = event.deltaMode === 0 ? event.deltaY : event.deltaY * 33;
      const speed = event.ctrlKey && !notch ? 0.01 : 0.0022;
      this.camera.zoomAt(event.offsetX, event.offsetY, Math.exp(-step * speed));
    } else {
      const sideways = event.shiftKey && event.deltaX === 0;
      this.camera.panBy(sideways ? event.deltaY : event.deltaX, sideways ? 0 : event.deltaY);
    }
    this.tip.hidden = true;
  }

  private move(event: PointerEvent): void {
    if (!this.drag) return this.hover(event);
    if (this.fingers.size === 2) return this.pinch(event);
    const [dx, dy] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
    if (!this.drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    this.canvas.classList.add("dragged");
    this.tip.hidden = true;
    this.camera.panBy(-dx, -dy);
    this.drag = { x: event.clientX, y: event.clientY, moved: true };
  }

  // Two fingers zoom, and move the point between them.
  private pinch(event: PointerEvent): void {
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    const before = this.fingers.get(event.pointerId);
    if (!other || !before) return;
    const now = { x: event.offsetX, y: event.offsetY };
    const distance = (point: { x: number; y: number }): number => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    this.camera.panBy((before.x - now.x) / 2, (before.y - now.y) / 2);
    this.camera.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, distance(now) / distance(before));
    this.fingers.set(event.pointerId, now);
    if (this.drag) this.drag.moved = true;
  }

  private itemUnder(event: MouseEvent): number {
    const { x, y } = this.camera.toGraph(event.offsetX, event.offsetY);
    return this.hits.itemAt(x, y);
  }

  private selectionOf(item: number): Selection {
    const { items, doc } = this.state.graph;
    switch (items.kind[item]) {
      case ItemKind.node: return { kind: "node", id: items.ref[item] };
      case ItemKind.group: return { kind: "group", id: items.ref[item] };
      default: return doc.values.name[items.ref[item]] !== undefined ? { kind: "value", id: items.ref[item] } : { kind: "none" };
    }
  }

  private click(event: MouseEvent): void {
    const { x, y } = this.camera.toGraph(event.offsetX, event.offsetY);
    const item = this.itemUnder(event);
    const isFrame = item >= 0 && this.state.layouts.isFrame(item);
    if (item >= 0 && this.onToggle(item, x, y)) return this.toggleItem(item, event.shiftKey);
    if (item >= 0 && (!isFrame || this.onHeader(item, y))) return this.state.select(this.selectionOf(item));
    const value = this.hits.valueAt(x, y, 5 / this.camera.scale);
    if (value >= 0) return this.state.select({ kind: "value", id: value });
    this.state.select(isFrame ? this.selectionOf(item) : { kind: "none" });
  }

  private onHeader(item: number, y: number): boolean {
    return y <= this.state.layouts.box(item, this.state.root).y + this.state.graph.doc.frame.header;
  }

  // Whether a point is on the sign that opens or closes a group.
  private onToggle(item: number, x: number, y: number): boolean {
    const { graph, layouts, root } = this.state;
    if (graph.items.kind[item] !== ItemKind.group || this.camera.scale < 0.4) return false;
    const box = layouts.box(item, root);
    if (!layouts.isFrame(item)) return x > box.x + box.w - 20 && y < box.y + 20;
    const left = Math.min(Math.max(box.x, this.camera.x), Math.max(box.x, box.x + box.w - 160));
    return this.onHeader(item, y) && x >= left && x < left + 24;
  }

  private toggleItem(item: number, all: boolean): void {
    const group = this.state.graph.items.ref[item];
    this.toggle(all ? [group, ...this.state.graph.equalTo(group).filter(each => each !== group)] : [group], !this.state.layouts.isOpen(group));
  }

  private doubleClick(event: MouseEvent): void {
    const item = this.itemUnder(event);
    if (item < 0 || this.state.graph.items.kind[item] !== ItemKind.group) return;
    const { x, y } = this.camera.toGraph(event.offsetX, event.offsetY);
    if (this.onToggle(item, x, y) || (this.state.layouts.isFrame(item) && !this.onHeader(item, y))) return;
    this.toggleItem(item, event.shiftKey);
  }

  private hover(event: PointerEvent): void {
    const { x, y } = this.camera.toGraph(event.offsetX, event.offsetY);
    const item = this.itemUnder(event);
    const text = item >= 0 && !(this.state.layouts.isFrame(item) && !this.onHeader(item, y))
      ? this.describe(item) : this.describeValue(this.hits.valueAt(x, y, 4 / this.camera.scale));
    this.canvas.classList.toggle("over", text !== "");
    this.tip.hidden = text === "";
    this.tip.textContent = text;
    const [left, top] = [Math.min(event.offsetX + 14, this.camera.width - 260), Math.min(event.offsetY + 16, this.camera.height - 60)];
    this.tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
  }

  private describe(item: number): string {
    const { graph } = this.state;
    const ref = graph.items.ref[item];
    if (graph.items.kind[item] === ItemKind.node) {
      const types = Array.from(graph.doc.nodes.outputs.items.slice(graph.doc.nodes.outputs.start[ref], graph.doc.nodes.outputs.start[ref + 1]))
        .filter(value => value >= 0).map(value => graph.text(graph.doc.values.type[value]));
      return [`${graph.operatorOf(ref)}  ${graph.nameOf(ref)}`, ...types].filter(line => line).join("\n");
    }
    if (graph.items.kind[item] !== ItemKind.group) return this.describeValue(ref);
    const type = graph.text(graph.doc.groups.type[ref]);
    return [`${graph.groupName(ref)}${type ? `  ${type}` : ""}`, t("{0} nodes", graph.doc.groups.nodes[ref])].join("\n");
  }

  private describeValue(value: number): string {
    const { graph } = this.state;
    return value < 0 ? "" : [graph.valueName(value), graph.text(graph.doc.values.type[value])].filter(line => line).join("\n");
  }

  // ---- the path of groups above the graph ----

  private showPath(): void {
    const { state } = this;
    const { graph, selection } = state;
    const chosen = selection.kind === "group" ? selection.id : selection.kind === "node" ? graph.doc.nodes.group[selection.id] : state.root;
    this.path.setAttribute("aria-label", t("Path"));
    const groups = graph.pathOf(chosen);
    fill(this.path, ...groups.map(group => h("button", {
      type: "button", click: () => {
        state.select(group === 0 ? { kind: "none" } : { kind: "group", id: group });
        if (group === 0) this.fit();
        else this.bring({ kind: "group", id: group });
      },
    }, group === 0 ? t("whole model") : this.lastName(group))),
    state.root !== 0 && h("button", { type: "button", class: "alone", click: () => this.showAlone(0) }, t("Show all")));
  }

  private lastName(group: number): string {
    const { graph } = this.state;
    return graph.text(graph.doc.groups.name[group]) || graph.groupName(group);
  }

  // Shows a group alone, with its content open; 0 shows all.
  showAlone(group: number): void {
    const { state } = this;
    const from = state.root;
    if (group !== 0) {
      state.layouts.setOpen(group, true);
      const bodies = state.graph.groupsOf(group);
      if (state.graph.doc.groups.kind[group] === GroupKind.control && bodies.length === 1) group = bodies[0];
    }
    state.layouts.setOpen(group, true);
    state.showAlone(group);
    this.begin();
    if (group === 0 && from !== 0) this.bring({ kind: "group", id: from }, false);
  }

  // ---- pictures ----

  svg(whole: boolean): string {
    const painter = new SvgPainter();
    const margin = 20;
    const { w, h: tall } = this.scene.size();
    const window = whole ? { x: -margin, y: -margin, w: w + 2 * margin, h: tall + 2 * margin, scale: 1 } : this.window();
    this.scene.draw(painter, window);
    return painter.picture(window.w, window.h, palette(this.state.dark).paper, this.state.graph.doc.title, whole ? 1 : window.scale);
  }

  // A canvas with what is seen, or with the whole graph as large as canvases can be.
  picture(whole: boolean): HTMLCanvasElement {
    const { w, h: tall } = this.scene.size();
    const window = whole ? { x: -20, y: -20, w: w + 40, h: tall + 40, scale: 1 } : this.window();
    const zoom = Math.min(2, 16000 / (window.w * window.scale), 16000 / (window.h * window.scale)) * window.scale;
    const canvas = h("canvas", { width: Math.max(1, Math.round(window.w * zoom)), height: Math.max(1, Math.round(window.h * zoom)) });
    const context = canvas.getContext("2d", { alpha: false })!;
    context.fillStyle = palette(this.state.dark).paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.setTransform(zoom, 0, 0, zoom, 0, 0);
    this.scene.draw(new CanvasPainter(context), { ...window, scale: zoom });
    return canvas;
  }
}
