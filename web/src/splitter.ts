// A line between two panes that moves with the pointer and with the arrow keys.
import { h } from "./h";
import { t, Word } from "./words";

const [least, most] = [90, 1200];

// The size is in the property `name` of `parent`. `direction` is 1 if the pane is before the line.
export function splitter(parent: HTMLElement, name: "--left" | "--right" | "--program", label: Word, direction: 1 | -1): HTMLElement {
  const upright = name !== "--program";
  const size = (): number => parseFloat(getComputedStyle(parent).getPropertyValue(name));
  const line = h("div", { class: `splitter ${upright ? "upright" : "level"} of${name}`, role: "separator", tabindex: 0, "aria-label": t(label),
                          "aria-orientation": upright ? "vertical" : "horizontal", "aria-valuemin": least, "aria-valuemax": most, "aria-valuenow": 300 });
  const set = (value: number): void => {
    const kept = Math.round(Math.min(most, Math.max(least, value)));
    parent.style.setProperty(name, `${kept}px`);
    line.setAttribute("aria-valuenow", String(kept));
  };
  let start: { at: number; size: number } | null = null;
  const place = (event: PointerEvent): number => (upright ? event.clientX : event.clientY);
  line.addEventListener("pointerdown", event => {
    start = { at: place(event), size: size() };
    line.setPointerCapture(event.pointerId);
  });
  line.addEventListener("pointermove", event => start && set(start.size + direction * (place(event) - start.at)));
  line.addEventListener("pointerup", () => (start = null));
  line.addEventListener("keydown", event => {
    const by = { ArrowLeft: -20, ArrowUp: -20, ArrowRight: 20, ArrowDown: 20 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(size() + direction * by);
  });
  return line;
}
