// Numbers of an overlay: of nodes and groups, as shares of the scale and as texts.
import { ItemKind, Overlay } from "./document";
import { Graph } from "./graph";

export function groupValue(overlay: Overlay, group: number): number | null {
  return (overlay.combine === "sum" ? overlay.groupSum : overlay.groupMax)[group] ?? null;
}

export function itemValue(graph: Graph, overlay: Overlay, item: number): number | null {
  const ref = graph.items.ref[item];
  switch (graph.items.kind[item]) {
    case ItemKind.node: return overlay.node[ref] ?? null;
    case ItemKind.group: return groupValue(overlay, ref);
    default: return null;
  }
}

function shareBetween(value: number, least: number, most: number, scale: "linear" | "log"): number {
  if (scale === "log") {
    if (value <= 0) return 0;
    const low = least > 0 ? least : most / 1e9;
    return most > low ? (Math.log(value) - Math.log(low)) / (Math.log(most) - Math.log(low)) : 1;
  }
  return most > least ? (value - least) / (most - least) : 1;
}

// Sums of groups have a scale of their own: from 0 to the largest sum of a group that is only a part of the model.
const largestSums = new WeakMap<Overlay, number>();
function largestSum(overlay: Overlay): number {
  let most = largestSums.get(overlay);
  if (most === undefined) {
    const total = overlay.groupSum[0] ?? 0;
    most = 0;
    for (const sum of overlay.groupSum) if (sum !== null && sum < total * 0.999 && sum > most) most = sum;
    largestSums.set(overlay, (most ||= total));
  }
  return most;
}

// Where a value stands on the scale: from 0 to 1.
export function share(overlay: Overlay, value: number, isGroup: boolean): number {
  const sum = isGroup && overlay.combine === "sum";
  const [least, most] = sum ? [0, largestSum(overlay)] : [overlay.least ?? 0, overlay.most ?? 0];
  return Math.min(1, Math.max(0, shareBetween(value, Math.min(least, most), most, sum ? "linear" : overlay.scale)));
}

export function isFault(overlay: Overlay, value: number | null): boolean {
  return value !== null && overlay.limit !== null && value > overlay.limit;
}

const prefixes = ["", "k", "M", "G", "T", "P"];

// A count in few characters: 4.09 G.
export function brief(value: number): string {
  let [at, rest] = [0, Math.abs(value)];
  while (rest >= 999.5 && at < prefixes.length - 1) [at, rest] = [at + 1, rest / 1000];
  const digits = at === 0 && Number.isInteger(value) ? 0 : rest < 10 ? 2 : rest < 100 ? 1 : 0;
  return `${value < 0 ? "−" : ""}${rest.toFixed(digits)}${prefixes[at] ? " " + prefixes[at] : ""}`;
}

// A value of an overlay with its unit: 1.2e-7, 4.1 MB.
export function short(overlay: Overlay, value: number): string {
  if (overlay.unit === "" && value !== 0 && (Math.abs(value) < 0.01)) return value.toExponential(1);
  const text = brief(Number.isInteger(value) ? value : Number(value.toPrecision(3)));
  return overlay.unit ? `${text}${/[a-zA-Z]$/.test(text) ? "" : " "}${overlay.unit}` : text;
}
