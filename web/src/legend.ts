// What colours and signs mean: the scale of the overlay, or the marks of the comparison.
import { Mark, Overlay } from "./document";
import { markTint, marks, scaleColour } from "./colours";
import { fill, h } from "./h";
import { short } from "./overlay";
import { State } from "./state";
import { t } from "./words";

export class Legend {
  readonly element = h("div", { class: "legend" });

  constructor(private readonly state: State) {
    for (const change of ["overlay", "theme", "language"] as const) state.on(change, () => this.show());
    this.show();
  }

  private show(): void {
    const { overlay, graph } = this.state;
    this.element.hidden = !overlay && !graph.doc.compare;
    if (overlay) this.scale(overlay);
    else if (graph.doc.compare) this.marks();
  }

  private scale(overlay: Overlay): void {
    const steps = Array.from({ length: 24 }, (_, i) => {
      const step = h("i");
      step.style.background = scaleColour(overlay, i / 23, this.state.dark).fill;
      step.style.height = `${3 + i * 0.5}px`;
      return step;
    });
    const bounds = overlay.least === null || overlay.most === null ? [t("no value")]
      : [short(overlay, overlay.least), short(overlay, overlay.most)];
    fill(this.element, h("b", {}, overlay.name), h("span", {}, bounds[0]), h("span", { class: "ramp" }, ...steps),
         bounds[1] !== undefined && h("span", {}, bounds[1]),
         overlay.limit !== null && h("span", { class: "limit" }, `⚠ ${t("limit")} ${short(overlay, overlay.limit)}`));
  }

  private marks(): void {
    fill(this.element, ...[Mark.added, Mark.gone, Mark.changed, Mark.renamed].map(mark => {
      const sign = h("i", { class: "sign" }, marks[mark].sign);
      sign.style.background = markTint(mark, this.state.dark).bar;
      return h("span", {}, sign, ` ${t(marks[mark].name)}`);
    }));
  }
}
