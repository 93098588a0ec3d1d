// Colours of the canvas. The style sheet has those of the rest of the page.
import { Mark, Overlay } from "./document";

export interface Palette {
  paper: string;
  frames: string[]; // of open groups, by depth
  frameLine: string;
  header: string;
  group: string;
  groupLine: string;
  port: string;
  portLine: string;
  text: string;
  faint: string;
  edge: string;
  accent: string;
  lit: string;
  fault: string;
}

const light: Palette = {
  paper: "#f6f7f9", frames: ["#ffffff", "#f4f6f9"], frameLine: "#c3cbd6", header: "#e6ebf2", group: "#ffffff",
  groupLine: "#8794a8", port: "#e9eef5", portLine: "#a9b5c6", text: "#18202b", faint: "#57657a", edge: "#9aa6b6",
  accent: "#1d5fd1", lit: "#c77700", fault: "#c4122f",
};

const dark: Palette = {
  paper: "#12161c", frames: ["#181d25", "#1d232d"], frameLine: "#3d4858", header: "#262f3b", group: "#232b37",
  groupLine: "#5f6f86", port: "#28313e", portLine: "#4f5d70", text: "#eaf0f7", faint: "#a5b3c5", edge: "#66758a",
  accent: "#6aa8ff", lit: "#ffb648", fault: "#ff6b7d",
};

export function palette(isDark: boolean): Palette {
  return isDark ? dark : light;
}

// Fill, line and accent of a box.
export interface Tint {
  fill: string;
  far: string; // the fill of a box that is seen from afar
  line: string;
  bar: string;
}

const hues: Record<string, number> = {
  convolution: 212, matrix: 228, normalization: 168, normalisation: 168, activation: 8, pooling: 128, shape: 42, layout: 42,
  elementwise: 276, arithmetic: 276, reduction: 318, indexing: 28, recurrent: 192, control: 350, constant: 60,
  quantization: 90, attention: 250, comparison: 300, image: 150, random: 80,
};

const tints = new Map<string, Tint>();

function hueOf(category: string): number | null {
  if (category in hues) return hues[category];
  if (category === "" || category === "other") return null;
  let hash = 7;
  for (const character of category) hash = (hash * 31 + character.charCodeAt(0)) % 360;
  return hash;
}

function makeTint(category: string, isDark: boolean): Tint {
  const hue = hueOf(category);
  const [h, s] = hue === null ? [215, 12] : [hue, 60];
  return isDark
    ? { fill: `hsl(${h},${s * 0.5}%,20%)`, far: `hsl(${h},${s * 0.6}%,27%)`, line: `hsl(${h},${s * 0.6}%,38%)`, bar: `hsl(${h},${s}%,58%)` }
    : { fill: `hsl(${h},${s}%,95.5%)`, far: `hsl(${h},${s}%,87%)`, line: `hsl(${h},${s * 0.6}%,70%)`, bar: `hsl(${h},${s}%,48%)` };
}

export function tintOf(category: string, isDark: boolean): Tint {
  const key = `${isDark} ${category}`;
  let tint = tints.get(key);
  if (!tint) tints.set(key, (tint = makeTint(category, isDark)));
  return tint;
}

// Signs and colours of a comparison. The sign is the second channel.
export const marks: Record<Mark, { sign: string; name: "same" | "added" | "gone" | "changed" | "renamed" }> = {
  [Mark.same]: { sign: "", name: "same" },
  [Mark.added]: { sign: "+", name: "added" },
  [Mark.gone]: { sign: "−", name: "gone" },
  [Mark.changed]: { sign: "≠", name: "changed" },
  [Mark.renamed]: { sign: "→", name: "renamed" },
};

const markTints: Record<"light" | "dark", Record<number, Tint>> = {
  light: {
    [Mark.same]: { fill: "#f3f4f6", far: "#f3f4f6", line: "#c9d0d9", bar: "#b4bdc9" }, [Mark.added]: { fill: "#dcf5e4", far: "#dcf5e4", line: "#2e8b57", bar: "#1f7a48" },
    [Mark.gone]: { fill: "#fde4e4", far: "#fde4e4", line: "#c23b3b", bar: "#b02a2a" }, [Mark.changed]: { fill: "#fdf0cf", far: "#fdf0cf", line: "#b98200", bar: "#946800" },
    [Mark.renamed]: { fill: "#e0ecfd", far: "#e0ecfd", line: "#3b74c2", bar: "#2a61ad" },
  },
  dark: {
    [Mark.same]: { fill: "#232a34", far: "#232a34", line: "#3d4858", bar: "#566377" }, [Mark.added]: { fill: "#173a27", far: "#173a27", line: "#46b57b", bar: "#62d89a" },
    [Mark.gone]: { fill: "#43201f", far: "#43201f", line: "#d06060", bar: "#f08484" }, [Mark.changed]: { fill: "#3d3215", far: "#3d3215", line: "#c9a03a", bar: "#eac468" },
    [Mark.renamed]: { fill: "#1b2f4b", far: "#1b2f4b", line: "#5f96dc", bar: "#86b6f4" },
  },
};

export function markTint(mark: Mark, isDark: boolean): Tint {
  return markTints[isDark ? "dark" : "light"][mark];
}

// Colour scales with steady lightness, so that they can be read without hue.
const ramps: Record<string, [number, number, number][]> = {
  warmLight: [[255, 250, 235], [253, 216, 143], [240, 140, 60], [190, 60, 30], [110, 20, 30]],
  coolLight: [[243, 248, 255], [190, 215, 240], [110, 165, 215], [45, 100, 175], [20, 45, 105]],
  warmDark: [[40, 36, 36], [96, 52, 36], [170, 80, 40], [235, 150, 60], [255, 232, 150]],
  coolDark: [[30, 38, 48], [35, 70, 110], [50, 115, 175], [105, 175, 230], [205, 235, 255]],
};

function rampOf(overlay: Overlay, isDark: boolean): [number, number, number][] {
  return ramps[(overlay.good === "neither" ? "cool" : "warm") + (isDark ? "Dark" : "Light")];
}

// The colour of a share from 0 to 1 of the scale.
export function scaleColour(overlay: Overlay, share: number, isDark: boolean): { fill: string; text: string } {
  const ramp = rampOf(overlay, isDark);
  const at = Math.min(1, Math.max(0, overlay.good === "high" ? 1 - share : share)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(at));
  const rgb = [0, 1, 2].map(i => Math.round(ramp[low][i] + (ramp[low + 1][i] - ramp[low][i]) * (at - low)));
  const luminance = (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]) / 255;
  return { fill: `rgb(${rgb.join(",")})`, text: luminance > 0.5 ? "#111820" : "#ffffff" };
}
