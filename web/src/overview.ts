// The strip at the right of the graph: the whole graph, and the part that the pane shows. Deep models are many times higher than
// wide, so the strip has a scale of its own for each direction.
import { palette } from "./colours";
import type { GraphPane } from "./graph_pane";
import { h } from "./h";
import { Tints } from "./tints";
import { t } from "./words";

const width = 84;
const margin = 6;
const largest = 0.16;

export class Overview {
  readonly canvas = h("canvas", { class: "overview" });
  private base: HTMLCanvasElement | null = null;
  private readonly tints: Tints;
  private left = margin;
  private sx = 1;
  private sy = 1;

  constructor(private readonly pane: GraphPane) {
    this.tints = new Tints(pane.state);
    this.canvas.title = t("Overview");
    const go = (event: PointerEvent): void => {
      if (!(event.buttons & 1)) return;
      const { camera } = pane;
      camera.goTo((event.offsetX - this.left) / this.sx - camera.width / 2 / camera.scale,
                  (event.offsetY - margin) / this.sy - camera.height / 2 / camera.scale, camera.scale, false);
    };
    this.canvas.addEventListener("pointerdown", event => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener("pointermove", go);
  }

  forget(): void {
    this.base = null;
  }

  draw(): void {
    const ratio = devicePixelRatio || 1;
    this.base ??= this.whole(ratio);
    const { base, canvas } = this;
    const { x, y, w, h: tall } = this.pane.window();
    if (canvas.width !== base.width || canvas.height !== base.height) [canvas.width, canvas.height] = [base.width, base.height];
    canvas.style.width = `${base.width / ratio}px`;
    canvas.style.height = `${base.height / ratio}px`;
    const context = canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(base, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = palette(this.pane.state.dark).accent;
    context.lineWidth = 1.5;
    const [left, top] = [Math.max(1, this.left + x * this.sx), Math.max(1, margin + y * this.sy)];
    const right = Math.min(base.width / ratio - 1, this.left + (x + w) * this.sx);
    const bottom = Math.min(base.height / ratio - 1, margin + (y + tall) * this.sy);
    if (right > left && bottom > top) context.strokeRect(left, top, right - left, Math.max(3, bottom - top));
  }

  private whole(ratio: number): HTMLCanvasElement {
    const { pane } = this;
    const size = pane.scene.size();
    const most = Math.max(60, pane.camera.height - 16);
    this.sx = Math.min(largest, (width - 2 * margin) / Math.max(size.w, 1));
    this.sy = Math.min(largest, (most - 2 * margin) / Math.max(size.h, 1));
    const base = h("canvas", { width: Math.round(width * ratio), height: Math.round((size.h * this.sy + 2 * margin) * ratio) });
    const context = base.getContext("2d")!;
    context.fillStyle = palette(pane.state.dark).header;
    context.fillRect(0, 0, base.width, base.height);
    this.left = (width - size.w * this.sx) / 2;
    context.setTransform(this.sx * ratio, 0, 0, this.sy * ratio, this.left * ratio, margin * ratio);
    this.group(context, pane.state.root, 0, 0);
    return base;
  }

  // Boxes of a group; a group within it that is lower than some pixels is one box.
  private group(context: CanvasRenderingContext2D, group: number, ox: number, oy: number): void {
    const { graph, layouts } = this.pane.state;
    const placed = layouts.of(group);
    const first = graph.doc.groups.items[group];
    const { header, padding } = graph.doc.frame;
    let drawn = -1;
    for (let item = first; item < graph.doc.groups.items[group + 1]; item++) {
      const at = item - first;
      const [x, y] = [ox + placed.x[at], oy + placed.top[graph.items.rank[item]]];
      const tall = placed.h[at] * this.sy;
      if (layouts.isFrame(item) && tall > 4) {
        this.group(context, graph.items.ref[item], x + padding, y + header);
      } else if (tall > 0.5 || Math.floor(y * this.sy) !== drawn) {
        drawn = Math.floor(y * this.sy);
        context.fillStyle = this.colour(item);
        context.fillRect(x, y, placed.w[at], Math.max(placed.h[at], 1 / this.sy));
      }
    }
  }

  private colour(item: number): string {
    const { state } = this.pane;
    return state.litCount > 0 && this.tints.litOf(item) > 0 ? palette(state.dark).lit : this.tints.plain(item);
  }
}
