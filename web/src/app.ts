// The page: its panes, and what they ask each other for.
import { ItemKind } from "./document";
import { Finder } from "./finder";
import { Graph } from "./graph";
import { GraphPane } from "./graph_pane";
import { fill, h } from "./h";
import { Inspector } from "./inspector";
import { Keys } from "./keys";
import { Links } from "./links";
import { changes, entryOf, EntryList, findings, ranking, Tabs } from "./lists_pane";
import { short } from "./overlay";
import { ProgramPane } from "./program_pane";
import { splitter } from "./splitter";
import { Selection, State } from "./state";
import { Toolbar } from "./toolbar";
import { TreePane } from "./tree_pane";
import { remembered, remember } from "./remember";
import { Language, setLanguage, t } from "./words";

// So many results of a search are listed.
const resultsAtMost = 1000;

export class App {
  readonly state: State;
  readonly graph: GraphPane;
  readonly program: ProgramPane;
  readonly tree: TreePane;
  readonly toolbar: Toolbar;
  readonly tabs: Tabs;
  readonly element: HTMLElement;
  readonly found: EntryList;
  private readonly changes: EntryList;
  private readonly ranking: EntryList;
  private readonly findings: EntryList;
  private readonly finder: Finder;
  private readonly links: Links;
  private readonly announcer = h("div", { id: "announcer", class: "unseen", "aria-live": "polite" });

  constructor(graph: Graph) {
    this.state = new State(graph);
    this.finder = new Finder(graph);
    this.applyTheme(remembered("theme", "") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    this.program = new ProgramPane(this);
    this.graph = new GraphPane(this.state);
    this.tree = new TreePane(this);
    this.found = new EntryList(this, "found");
    this.changes = new EntryList(this, "changes");
    this.ranking = new EntryList(this, "ranking");
    this.findings = new EntryList(this, "findings");
    this.tabs = this.makeTabs();
    this.toolbar = new Toolbar(this);
    this.element = this.assemble();
    this.links = new Links(this);
    new Keys(this);
    this.listen();
  }

  // Draws the first frame; the page is in the document now.
  start(): void {
    this.fillLists();
    this.graph.begin();
    this.links.follow();
  }

  private makeTabs(): Tabs {
    const { doc } = this.state.graph;
    return new Tabs([
      { id: "tree", name: () => t("Modules"), element: this.tree.element, exists: () => true },
      { id: "found", name: () => t("Find"), element: this.found.element, exists: () => true },
      { id: "changes", name: () => t("Changes"), element: this.changes.element, exists: () => doc.compare !== null },
      { id: "findings", name: () => t("Findings"), element: this.findings.element, exists: () => doc.messages.severity.length > 0 },
      { id: "ranking", name: () => t("Ranking"), element: this.ranking.element, exists: () => this.state.overlay !== null },
    ]);
  }

  private assemble(): HTMLElement {
    const main = h("main", { class: this.program.exists ? "with-program" : "" });
    const left = h("aside", { class: "left" }, this.tabs.element);
    const right = h("aside", { class: "right" }, new Inspector(this).element);
    main.append(left, splitter(main, "--left", "size of the left pane", 1), this.graph.element);
    if (this.program.exists) main.append(splitter(main, "--program", "size of the program", -1), this.program.element);
    main.append(splitter(main, "--right", "size of the right pane", -1), right);
    return h("div", { class: "app" }, this.toolbar.element, main, this.announcer);
  }

  private listen(): void {
    const { state } = this;
    state.on("overlay", () => {
      this.fillLists();
      this.tabs.show(this.tabs.current);
    });
    state.on("language", () => this.fillLists());
    state.on("selection", () => this.announce(this.describe(state.selection)));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event => {
      if (!remembered("theme", "")) this.applyTheme(event.matches ? "dark" : "light");
    });
  }

  private fillLists(): void {
    const ofChanges = changes(this);
    this.changes.show(ofChanges, ofChanges.length === 0 ? t("no differences") : t("{0} nodes", ofChanges.length), t("Changes"));
    const ofFindings = findings(this);
    this.findings.show(ofFindings, t("{0} results", ofFindings.length), t("Findings"));
    this.ranking.show(ranking(this), this.state.overlay?.name ?? "", t("Ranking"));
    if (!this.toolbar.query) this.found.show([], t("Find nodes, modules, values"), t("Find"));
  }

  // ---- what panes ask for ----

  // Selects something and brings it into sight, opened around it.
  go(selection: Selection, focusGraph: boolean): void {
    if (selection.kind === "node" || selection.kind === "group") {
      this.state.reveal(selection);
      this.state.select(selection);
      this.graph.bring(selection);
    } else if (selection.kind === "line") {
      this.state.light(this.program.nodesOfLine(selection.file, selection.line));
      this.state.select(selection);
      this.graph.bringLit();
    } else {
      this.state.select(selection);
      if (selection.kind === "value") this.bringValue(selection.id);
    }
    if (focusGraph && document.activeElement instanceof HTMLElement && this.graph.element.contains(document.activeElement)) this.graph.canvas.focus();
  }

  // Shows where a value is made, or where it enters, or its first reader.
  private bringValue(value: number): void {
    const { graph } = this.state;
    const producer = graph.doc.values.producer[value];
    const port = producer >= 0 ? -1 : this.graph.portOf(value);
    const readers = producer >= 0 || port >= 0 ? [] : graph.readersOf(value);
    const node = producer >= 0 ? producer : readers[0] ?? -1;
    if (port >= 0) this.graph.bringItem(port);
    if (node < 0) return;
    this.state.reveal({ kind: "node", id: node });
    this.graph.bring({ kind: "node", id: node });
  }

  toggleGroup(group: number, all: boolean): void {
    const { graph, layouts } = this.state;
    this.state.reveal({ kind: "group", id: group });
    const groups = all ? [group, ...graph.equalTo(group).filter(each => each !== group)] : [group];
    const open = !layouts.isOpen(group);
    this.graph.toggle(groups, open);
    this.state.tell("selection");
    this.announce(t(open ? "{0} groups opened" : "{0} groups closed", groups.length));
  }

  // Opens all groups, or closes them.
  toggleAll(open: boolean): void {
    const { graph } = this.state;
    const groups = Array.from({ length: graph.groupCount - 1 }, (_, i) => i + 1).filter(group => graph.isBelow(group, this.state.root) && group !== this.state.root);
    this.state.setOpen(groups, open);
    this.graph.begin();
    this.announce(t(open ? "{0} groups opened" : "{0} groups closed", groups.length));
  }

  alone(group: number): void {
    this.graph.showAlone(group);
    this.announce(group === 0 ? t("Show all") : t("shown alone: {0}", this.state.graph.groupName(group)));
  }

  find(query: string): void {
    const results = this.finder.find(query);
    this.state.light(results.filter(found => found.kind === "node").map(found => found.id));
    const count = results.length;
    const summary = count === 0 ? t(query.trim() ? "nothing found" : "Find nodes, modules, values")
      : count > resultsAtMost ? t("{0} results; the first {1} are shown", count, resultsAtMost) : t("{0} results", count);
    this.found.show(results.slice(0, resultsAtMost).map(found => entryOf(this, found)), summary, t("Find"));
    if (query.trim()) this.tabs.show("found");
    this.state.tell("find");
  }

  // The next of the results that the left pane lists.
  step(by: number): void {
    const lists: Record<string, EntryList> = { found: this.found, changes: this.changes, ranking: this.ranking, findings: this.findings };
    (lists[this.tabs.current] ?? (this.state.graph.doc.compare ? this.changes : this.found)).step(by);
  }

  setOverlay(id: string): void {
    this.state.setOverlay(this.state.graph.doc.overlays.find(overlay => overlay.id === id) ?? null);
    this.announce(this.state.overlay ? t("overlay: {0}", this.state.overlay.name) : t("No overlay"));
  }

  setLanguage(language: Language): void {
    setLanguage(language);
    remember("language", language);
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    this.tabs.show(this.tabs.current);
    this.state.tell("language");
  }

  setDark(dark: boolean): void {
    remember("theme", dark ? "dark" : "light");
    this.applyTheme(dark ? "dark" : "light");
  }

  private applyTheme(theme: string): void {
    this.state.dark = theme === "dark";
    document.documentElement.dataset.theme = theme;
    this.state.tell("theme");
  }

  togglePane(name: "program" | "right"): void {
    const main = this.element.querySelector("main")!;
    main.classList.toggle(`no-${name}`);
  }

  announce(text: string): void {
    fill(this.announcer, text);
  }

  private describe(selection: Selection): string {
    const { graph } = this.state;
    switch (selection.kind) {
      case "node": {
        const { inputs, outputs } = graph.doc.nodes;
        const count = (lists: typeof inputs): number => lists.start[selection.id + 1] - lists.start[selection.id];
        const value = this.state.overlay?.node[selection.id] ?? null;
        const text = `${graph.operatorOf(selection.id)} ${graph.text(graph.doc.nodes.name[selection.id])}`;
        return [t("selected: {0}", text), t("inputs {0}, outputs {1}", count(inputs), count(outputs)),
                value !== null && this.state.overlay ? short(this.state.overlay, value) : ""].filter(part => part).join(", ");
      }
      case "group": return [t("selected: {0}", graph.groupName(selection.id)), t("{0} nodes", graph.doc.groups.nodes[selection.id])].join(", ");
      case "value": return `${t("selected: {0}", graph.valueName(selection.id))} ${graph.text(graph.doc.values.type[selection.id])}`;
      case "line": return t("line {0} became {1} nodes", selection.line, this.program.nodesOfLine(selection.file, selection.line).length);
      default: return t("nothing is selected");
    }
  }

  // The item on which the keys of the graph work; -1 if nothing is selected.
  currentItem(): number {
    const { selection } = this.state;
    if (selection.kind === "node" || selection.kind === "group") return this.state.itemOf(selection);
    return selection.kind === "value" ? this.graph.portOf(selection.id) : -1;
  }

  // Selects what an item shows.
  selectItem(item: number): void {
    const { kind, ref } = this.state.graph.items;
    const kinds = { [ItemKind.node]: "node", [ItemKind.group]: "group", [ItemKind.input]: "value", [ItemKind.output]: "value" } as const;
    this.state.select({ kind: kinds[kind[item] as ItemKind], id: ref[item] });
    this.graph.bringItem(item);
  }
}
