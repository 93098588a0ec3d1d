// Which part of the graph the pane shows.

export class Camera {
  x = 0; // of the graph at the left side of the pane
  y = 0;
  scale = 1;
  width = 1; // of the pane, in pixels
  height = 1;
  private target: { x: number; y: number; scale: number } | null = null;
  private start = { x: 0, y: 0, scale: 1, time: 0 };

  constructor(private readonly changed: () => void) {}

  static readonly least = 1e-5;
  static readonly most = 4;

  toGraph(px: number, py: number): { x: number; y: number } {
    return { x: this.x + px / this.scale, y: this.y + py / this.scale };
  }

  panBy(dx: number, dy: number): void {
    this.target = null;
    this.x += dx / this.scale;
    this.y += dy / this.scale;
    this.changed();
  }

  // Keeps the point below (px, py) where it is.
  zoomAt(px: number, py: number, factor: number): void {
    const before = this.toGraph(px, py);
    this.target = null;
    this.scale = Math.min(Camera.most, Math.max(Camera.least, this.scale * factor));
    this.x = before.x - px / this.scale;
    this.y = before.y - py / this.scale;
    this.changed();
  }

  // Moves there, at once or in a short movement.
  goTo(x: number, y: number, scale: number, smooth: boolean): void {
    if (!smooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.target = null;
      [this.x, this.y, this.scale] = [x, y, scale];
    } else {
      this.start = { x: this.x, y: this.y, scale: this.scale, time: performance.now() };
      this.target = { x, y, scale };
    }
    this.changed();
  }

  // Shows a box whole, in the middle of the pane.
  fit(box: { x: number; y: number; w: number; h: number }, largest: number, smooth: boolean): void {
    const margin = 24;
    const scale = Math.max(Camera.least, Math.min(largest, (this.width - 2 * margin) / Math.max(box.w, 1), (this.height - 2 * margin) / Math.max(box.h, 1)));
    this.goTo(box.x + box.w / 2 - this.width / 2 / scale, box.y + box.h / 2 - this.height / 2 / scale, scale, smooth);
  }

  // Shows a box near the middle without a change of scale, unless it is too small to read.
  bring(box: { x: number; y: number; w: number; h: number }, smooth: boolean): void {
    const scale = this.scale < 0.5 ? 0.9 : this.scale;
    const inside = box.x > this.x && box.y > this.y && box.x + box.w < this.x + this.width / this.scale && box.y + box.h < this.y + this.height / this.scale;
    if (inside && scale === this.scale) return;
    const [w, h] = [this.width / scale, this.height / scale];
    const x = box.w > w ? box.x - 20 : box.x + box.w / 2 - w / 2;
    const y = box.h > h ? box.y - 20 : box.y + box.h / 2 - h / 2;
    this.goTo(x, y, scale, smooth);
  }

  get moving(): boolean {
    return this.target !== null;
  }

  // One step of the movement. True while it goes on.
  step(now: number): boolean {
    if (!this.target) return false;
    const share = Math.min(1, Math.max(0, (now - this.start.time) / 180));
    const eased = 1 - (1 - share) ** 3;
    const from = this.start;
    this.scale = from.scale * (this.target.scale / from.scale) ** eased;
    // The middle of the pane moves in a straight line.
    const [w, h] = [this.width / 2, this.height / 2];
    const middle = (a: number, b: number, half: number): number => {
      const start = a + half / from.scale;
      return start + (b + half / this.target!.scale - start) * eased - half / this.scale;
    };
    this.x = middle(from.x, this.target.x, w);
    this.y = middle(from.y, this.target.y, h);
    if (share === 1) {
      [this.x, this.y, this.scale] = [this.target.x, this.target.y, this.target.scale];
      this.target = null;
    }
    return this.target !== null;
  }
}
