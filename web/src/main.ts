// Starts the page: reads its data and shows them.
import { App } from "./app";
import { Graph } from "./graph";
import { h } from "./h";
import { readDocument } from "./read";
import { remembered } from "./remember";
import { Language, setLanguage, t } from "./words";

async function start(): Promise<void> {
  const chosen = remembered("language", navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en") as Language;
  setLanguage(chosen === "zh" ? "zh" : "en");
  document.documentElement.lang = chosen === "zh" ? "zh-CN" : "en";
  const data = document.getElementById("data")!;
  const read = await readDocument(data.textContent ?? "");
  data.remove();
  const app = new App(new Graph(read));
  document.body.append(app.element);
  app.start();
  (window as unknown as { cameo: App }).cameo = app;  // for tests and for people who look behind the page
  document.documentElement.dataset.ready = "";
}

start().catch((error: unknown) => {
  document.body.append(h("div", { class: "broken", role: "alert" }, h("h1", {}, t("The page cannot be shown.")),
                         h("p", {}, error instanceof Error ? error.message : String(error))));
});
