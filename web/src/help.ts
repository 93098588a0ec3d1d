// The list of keys.
import { h } from "./h";
import { t, Word } from "./words";

const keys: [string, Word][] = [
  ["↑ ↓ ← →", "follow the edges; sideways, the neighbours of the rank"], ["Enter", "open the group; with Shift, all groups of equal structure"],
  ["Backspace", "close the group around"], ["g", "select the group around"], ["s", "show a group alone, or all"],
  ["a  A", "open or close all groups"], ["/", "find"], ["n  N", "next or previous node of the results"], ["f", "show the whole graph"],
  ["z", "show the selection"], ["+  −  0", "larger, smaller, full size"], ["h j k l", "move the view"], ["o", "next overlay"],
  ["p", "show the program, or hide it"], ["i", "show the details, or hide them"], ["t", "go to the tree of modules"], ["v", "go to the graph"],
  ["d", "dark or light"], ["L", "English or Chinese"], ["Esc", "select nothing"], ["?", "this help"],
];

export function help(): void {
  const rows: [string, string][] = [...keys.map(([key, text]) => [key, t(text)] as [string, string]), [t("wheel"), t("zoom")],
                                    [t("drag"), t("move the view")], [t("double click"), t("open the group; with Shift, all groups of equal structure")]];
  const dialog: HTMLDialogElement = h("dialog", { class: "help", "aria-label": t("Help") },
    h("h2", {}, t("Help")),
    h("table", {}, ...rows.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, text)))),
    h("p", { class: "sub" }, t("This page is one file. It makes no request to anywhere.")),
    h("button", { type: "button", autofocus: true, click: () => dialog.close() }, t("Close")));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", event => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
}
