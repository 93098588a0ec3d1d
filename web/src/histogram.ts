// Pictures of a weight: a histogram, and its elements in shades of grey.
import { Graph } from "./graph";
import { h, shape } from "./h";
import { t } from "./words";

const [width, height] = [256, 64];

export function histogram(counts: ArrayLike<number>): SVGElement {
  const most = Math.max(1, ...Array.from(counts));
  const step = width / counts.length;
  const bars = Array.from(counts).map((count, i) => {
    const tall = count === 0 ? 0 : Math.max(1, (count / most) * (height - 2));
    return shape("rect", { x: i * step, y: height - tall, width: Math.max(0.5, step - 0.6), height: tall });
  });
  return shape("svg", { class: "histogram", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("histogram of the elements"),
                        preserveAspectRatio: "none" }, ...bars);
}

// The elements in shades of grey; null if there is no picture.
export function thumbnail(graph: Graph, weight: number): HTMLCanvasElement | null {
  const { picture } = graph.doc.weights;
  const [w, tall] = [picture.width[weight] ?? 0, picture.height[weight] ?? 0];
  if (w <= 0 || tall <= 0) return null;
  let bytes: string;
  try {
    bytes = atob(graph.text(picture.data[weight]));
  } catch {
    return null;
  }
  const canvas = h("canvas", { class: "slice", width: w, height: tall, role: "img", "aria-label": t("picture of the elements") });
  const context = canvas.getContext("2d")!;
  const pixels = context.createImageData(w, tall);
  for (let i = 0; i < w * tall; i++) {
    const grey = bytes.charCodeAt(i) || 0;
    pixels.data.set([grey, grey, grey, 255], 4 * i);
  }
  context.putImageData(pixels, 0, 0);
  const scale = Math.max(1, Math.min(12, Math.floor(Math.min(256 / w, 160 / tall))));
  canvas.style.width = `${w * scale}px`;
  canvas.style.height = `${tall * scale}px`;
  return canvas;
}
