// A list of rows of equal height, of which only those in sight are in the page.
import { fill, h } from "./h";

export class RowList {
  private from = -1;
  private to = -1;
  private readonly rows = h("div", { class: "rows", role: "presentation" });
  private readonly space = h("div", { role: "presentation" }, this.rows);

  // `row` makes the element of row i. `element` gets the rows and scrolls.
  constructor(readonly element: HTMLElement, readonly height: number, private count: number, private readonly row: (i: number) => HTMLElement) {
    element.append(this.space);
    element.addEventListener("scroll", () => this.draw(false), { passive: true });
    new ResizeObserver(() => this.draw(false)).observe(element);
    this.setCount(count);
  }

  setCount(count: number): void {
    this.count = count;
    this.space.style.height = `${count * this.height}px`;
    this.draw(true);
  }

  // Makes the rows in sight; anew if `changed`.
  draw(changed = true): void {
    const { scrollTop, clientHeight } = this.element;
    const from = Math.max(0, Math.floor(scrollTop / this.height) - 5);
    const to = Math.min(this.count, Math.ceil((scrollTop + Math.max(clientHeight, this.height)) / this.height) + 5);
    if (!changed && from === this.from && to === this.to) return;
    [this.from, this.to] = [from, to];
    this.rows.style.transform = `translateY(${from * this.height}px)`;
    fill(this.rows, ...Array.from({ length: Math.max(0, to - from) }, (_, i) => this.row(from + i)));
  }

  // Scrolls so that row i is in sight; to the middle if it was not.
  bring(i: number): void {
    const { scrollTop, clientHeight } = this.element;
    const top = i * this.height;
    if (top >= scrollTop && top + this.height <= scrollTop + clientHeight) return;
    this.element.scrollTop = top - clientHeight / 2 + this.height / 2;
    this.draw(false);
  }
}
