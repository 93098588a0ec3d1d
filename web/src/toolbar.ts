// The bar at the top: search, overlay, export, language, colours, help.
import type { App } from "./app";
import { download } from "./export";
import { fill, h } from "./h";
import { help } from "./help";
import { currentLanguage, t } from "./words";

export class Toolbar {
  readonly element = h("header", { class: "toolbar" });
  private readonly search = h("input", { type: "search", id: "find", autocomplete: "off", spellcheck: "false" });
  private readonly overlays = h("select", { id: "overlay" });
  private readonly exports = h("select", { id: "export" });
  private readonly buttons = h("span", { class: "buttons" });

  constructor(private readonly app: App) {
    const { doc } = app.state.graph;
    this.search.addEventListener("input", () => app.find(this.search.value));
    this.search.addEventListener("keydown", event => this.key(event));
    this.overlays.addEventListener("change", () => app.setOverlay(this.overlays.value));
    this.exports.addEventListener("change", () => {
      const chosen = this.exports.value;
      this.exports.value = "";
      void download(app, chosen);
    });
    this.element.append(h("h1", { title: doc.title }, doc.title), this.search, this.overlays, this.exports, this.buttons);
    for (const change of ["language", "theme", "overlay"] as const) app.state.on(change, () => this.show());
    this.show();
  }

  private show(): void {
    const { state } = this.app;
    const { overlays } = state.graph.doc;
    this.search.placeholder = `${t("Find nodes, modules, values")}  (/)`;
    this.search.setAttribute("aria-label", t("Find"));
    fill(this.overlays, h("option", { value: "" }, t("No overlay")), ...overlays.map(overlay => h("option", { value: overlay.id }, overlay.name)));
    this.overlays.value = state.overlay?.id ?? "";
    this.overlays.hidden = overlays.length === 0;
    this.overlays.setAttribute("aria-label", t("Overlay"));
    fill(this.exports, h("option", { value: "" }, t("Export")), h("option", { value: "svg" }, t("SVG of what is seen")),
         h("option", { value: "png" }, t("PNG of what is seen")), h("option", { value: "whole.svg" }, t("SVG of the whole graph")),
         h("option", { value: "whole.png" }, t("PNG of the whole graph")));
    this.exports.setAttribute("aria-label", t("Export"));
    fill(this.buttons,
         this.app.program.exists && this.button("p", t("Program"), t("Program"), () => this.app.togglePane("program")),
         this.button("i", t("Details"), t("Details"), () => this.app.togglePane("right")),
         this.button("L", t("Language"), currentLanguage() === "zh" ? "EN" : "ZH", () => this.app.setLanguage(currentLanguage() === "zh" ? "en" : "zh")),
         this.button("d", t(state.dark ? "Light colours" : "Dark colours"), state.dark ? "☀" : "☾", () => this.app.setDark(!state.dark)),
         this.button("?", t("Help"), "?", () => help()));
  }

  private button(key: string, name: string, sign: string, click: () => void): HTMLElement {
    return h("button", { type: "button", id: `button-${key}`, title: `${name} (${key})`, "aria-label": name, click }, sign);
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    const { app } = this;
    if (event.key === "Enter" || event.key === "ArrowDown") {
      if (event.key === "Enter" && !event.shiftKey) app.found.first();
      else app.found.step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "ArrowUp") app.found.step(-1);
    else if (event.key === "Escape") {
      if (this.search.value) this.setQuery("");
      else app.graph.canvas.focus();
      return;
    } else return;
    event.preventDefault();
  }

  get query(): string {
    return this.search.value;
  }

  setQuery(query: string): void {
    this.search.value = query;
    this.app.find(query);
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }
}
