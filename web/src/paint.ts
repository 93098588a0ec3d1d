// Two ways to draw the same shapes: on a canvas and as SVG.

export interface Style {
  fill?: string;
  line?: string;
  width?: number;
  dash?: number[];
}

export interface TextStyle {
  size: number;
  colour: string;
  bold?: boolean;
  align?: "left" | "center" | "right";
  halo?: string;
  mono?: boolean;
}

export interface Painter {
  alpha(share: number): void;
  box(x: number, y: number, w: number, h: number, radius: number, style: Style): void;
  begin(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  curveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
  finish(style: Style): void; // draws the path since begin()
  text(text: string, x: number, y: number, most: number, style: TextStyle): void; // at most `most` wide, y is the middle
}

const sans = "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans CJK SC', sans-serif";
const mono = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export class CanvasPainter implements Painter {
  private font = "";

  constructor(readonly context: CanvasRenderingContext2D) {
    this.reset();
  }

  // Sets what a canvas forgets when its size changes.
  reset(): void {
    this.font = "";
    this.context.textBaseline = "middle";
    this.context.lineJoin = "round";
  }

  alpha(share: number): void {
    this.context.globalAlpha = share;
  }

  box(x: number, y: number, w: number, h: number, radius: number, style: Style): void {
    if (radius <= 0 && !style.line) {
      this.context.fillStyle = style.fill ?? "";
      this.context.fillRect(x, y, w, h);
      return;
    }
    this.context.beginPath();
    if (radius <= 0) this.context.rect(x, y, w, h);
    else this.context.roundRect(x, y, w, h, Math.min(radius, w / 2, h / 2));
    this.finish(style);
  }

  begin(): void {
    this.context.beginPath();
  }

  moveTo(x: number, y: number): void {
    this.context.moveTo(x, y);
  }

  lineTo(x: number, y: number): void {
    this.context.lineTo(x, y);
  }

  curveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.context.bezierCurveTo(ax, ay, bx, by, x, y);
  }

  finish(style: Style): void {
    const { context } = this;
    if (style.fill) {
      context.fillStyle = style.fill;
      context.fill();
    }
    if (!style.line) return;
    context.strokeStyle = style.line;
    context.lineWidth = style.width ?? 1;
    if (style.dash) context.setLineDash(style.dash);
    context.stroke();
    if (style.dash) context.setLineDash([]);
  }

  text(text: string, x: number, y: number, most: number, style: TextStyle): void {
    const { context } = this;
    const font = `${style.bold ? "600 " : ""}${style.size}px ${style.mono ? mono : sans}`;
    if (font !== this.font) context.font = this.font = font;
    context.textAlign = style.align ?? "left";
    if (style.halo) {
      context.strokeStyle = style.halo;
      context.lineWidth = 3;
      context.strokeText(text, x, y, most);
    }
    context.fillStyle = style.colour;
    context.fillText(text, x, y, most);
  }
}

declare global {
  interface CanvasRenderingContext2D {
    roundRect(x: number, y: number, w: number, h: number, radius: number): void;
  }
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

// Text for XML. Characters that XML does not allow become U+FFFD.
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    "\ufffd").replace(/[&<>"']/g, character => escapes[character]);
}

const short = (value: number): string => String(Math.round(value * 10) / 10);

export class SvgPainter implements Painter {
  private readonly shapes: string[] = [];
  private path = "";
  private opacity = "";
  private readonly ruler = document.createElement("canvas").getContext("2d")!;

  alpha(share: number): void {
    this.opacity = share === 1 ? "" : ` opacity="${short(share)}"`;
  }

  private attributes(style: Style): string {
    const line = style.line ? ` stroke="${style.line}" stroke-width="${short(style.width ?? 1)}"` : "";
    const dash = style.dash ? ` stroke-dasharray="${style.dash.map(short).join(" ")}"` : "";
    return ` fill="${style.fill ?? "none"}"${line}${dash}${this.opacity}`;
  }

  box(x: number, y: number, w: number, h: number, radius: number, style: Style): void {
    const round = radius > 0 ? ` rx="${short(Math.min(radius, w / 2, h / 2))}"` : "";
    this.shapes.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"${round}${this.attributes(style)}/>`);
  }

  begin(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  curveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.path += `C${[ax, ay, bx, by, x, y].map(short).join(" ")}`;
  }

  finish(style: Style): void {
    if (this.path) this.shapes.push(`<path d="${this.path}"${this.attributes(style)}/>`);
  }

  text(text: string, x: number, y: number, most: number, style: TextStyle): void {
    if (!text) return;
    const family = style.mono ? mono : sans;
    this.ruler.font = `${style.bold ? "600 " : ""}${style.size}px ${family}`;
    const squeezed = this.ruler.measureText(text).width > most ? ` textLength="${short(most)}" lengthAdjust="spacingAndGlyphs"` : "";
    const anchor = { left: "start", center: "middle", right: "end" }[style.align ?? "left"];
    const halo = style.halo ? ` stroke="${style.halo}" stroke-width="3" paint-order="stroke"` : "";
    this.shapes.push(`<text x="${short(x)}" y="${short(y)}" dy=".35em" font-size="${short(style.size)}"${style.bold ? ' font-weight="600"' : ""}` +
      `${style.mono ? ` font-family="${mono}"` : ""} text-anchor="${anchor}" fill="${style.colour}"${halo}${squeezed}${this.opacity}>${escaped(text)}</text>`);
  }

  // The picture of what was drawn, w × h units.
  picture(w: number, h: number, paper: string, title: string, scale: number): string {
    const size = `width="${short(w * scale)}" height="${short(h * scale)}" viewBox="0 0 ${short(w)} ${short(h)}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${sans}">\n<title>${escaped(title)}</title>\n` +
      `<rect width="${short(w)}" height="${short(h)}" fill="${paper}"/>\n${this.shapes.join("\n")}\n</svg>\n`;
  }
}
