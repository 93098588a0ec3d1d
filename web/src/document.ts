// The JSON of a view: what the command computes (src/view/) and the page shows (web/). This file is the one
// description of it; src/view/document.h holds the same in C++, and `cameo view -o x.json` writes it.
//
// ## Form
// Tables are stored by column: element i of each column belongs to row i, and all columns of a table have the
// same length. Three kinds of column save space:
//   Text     an index into `strings`; 0 is the empty string.
//   Ref      an index into another table; -1 is none.
//   Lists    one list per row: row i owns `items[start[i]] … items[start[i + 1] - 1]`; `start` has one more
//            element than there are rows.
// A number that does not exist (NaN, an infinity, nothing was measured) is null. Lengths are whole pixels.
// Texts come from models: show them as text, never as HTML. The command has cut each to 4,000 characters and
// escaped control characters, apart from newlines in attributes, documentation and lines of programs.
//
// ## Embedding
// The page's template (web/ builds it as `view.html`, with style and script inlined) has two placeholders, each
// once and in this order:
//   <title>%CAMEO_TITLE%</title>
//   <script id="data" type="application/octet-stream">%CAMEO_DATA%</script>
// The command puts in the title, escaped for HTML, and base64 of the zlib stream (RFC 1950,
// `new DecompressionStream("deflate")`) of the JSON in UTF-8. Base64 without line breaks. The data stand before
// the page's script in the file. A script element of this type is a block of data, which no content security
// policy has to allow. The policy is a <meta> element of the template, first in the head. The bundle step
// computes the SHA-256 of script and style, which the command does not change:
//   default-src 'none'; script-src 'sha256-…'; style-src 'sha256-…'; img-src data: blob:
//
// ## Layout
// Each group has a layout of its own, in which all its child groups are closed. It holds items: nodes, child
// groups, and ports, which are the values that enter the group (above) and leave it (below). Ports of the root
// group are the inputs and outputs of the model. Constants and weights are no items: the inspector lists them
// with the node, and the caption of the item tells of them.
//
// Items stand in ranks. Rank r of a group begins at `rankTop[r]` and is `rankHeight[r]` high, the height of its
// highest item. The items of a rank are stored from left to right, and the ranks from top to bottom. The top of
// an item is the top of its rank; its left side is `x`. Coordinates begin at the top left of the group's content.
//
// Edges go down. An edge leaves its source at (x0, bottom of the item), goes straight down to the bottom of the
// rank, and then from rank to rank: a curve in the gap between two ranks, a straight line down through each rank
// in between at its `via` x. It ends at (x1, top of the target). A curve from (xa, ya) to (xb, yb) is the cubic
// with the control points (xa, (ya + yb) / 2) and (xb, (ya + yb) / 2). So no edge crosses an item. An edge with
// `stub` 1 spans too many ranks, or its value has too many readers: it has no `via`, and is drawn as a short line
// with a label at both ends, and in full (one curve) only while it or one of its ends is selected.
//
// ### Opening a group
// A closed group is an item of w × h as stored. An open group is its header, and its content with padding:
//   w = content width + 2 · frame.padding        h = frame.header + content height + frame.padding
//   content begins at (x + frame.padding, y + frame.header)
// The content is laid out by the same rules, with the child groups that are open (compute from the inside out).
// If an item of a rank grows by dw and dh:
//   - the height of the rank becomes the height of its highest item, and all ranks below move down by the growth;
//   - the item keeps its centre: its left side moves left by dw / 2, what is left of it in the rank (items and
//     `via` x of edges) moves left by dw / 2, what is right of it moves right by dw / 2. Several open items in
//     one rank add up;
//   - other ranks keep their x. Nothing ever changes its order;
//   - x0 and x1 of edges move with their items;
//   - then the whole content moves right, so that its least x is 0; its width is from there to the largest x.
// Halves are rounded down for the left side and up for the right (dw = left + right).
// If an end of an edge is an open group, the edge is drawn once for each of its lines, to the port of the line
// (`fromPort`, `toPort`: an item of the opened group's layout; its middle in place of x0 or x1). It ends at the
// top of the frame for a port above and starts at the bottom of the frame for a port below; inside, a straight
// line or curve joins frame and port.

export type Text = number;
export type Ref = number;

export interface Lists {
  start: number[];
  items: number[];
}

// The version of this description. The page tells a person who opens another one so.
export const version = 1;

export interface Document {
  version: number;
  title: string; // name of the file, or of both files of a comparison
  producer: string; // "pytorch 2.4.0"; empty if it is not known
  made: string; // "cameo 0.9.0", which wrote the page
  files: FileInfo[]; // what the view was made from
  facts: Fact[]; // of the model: format version, opsets, metadata, entry point
  strings: string[];
  frame: { header: number; padding: number };
  groups: Groups;
  items: Items;
  edges: Edges;
  operators: Operators;
  categories: string[]; // "convolution", "matrix", "activation" … for colours
  nodes: Nodes;
  values: Values;
  weights: Weights;
  sources: Sources;
  overlays: Overlay[]; // in the order in which to offer them
  shownOverlay: string; // id of the overlay that is on at first; "" for none
  compare: Compare | null;
  messages: Messages;
}

export interface FileInfo {
  name: string;
  kind: "torchscript" | "exported" | "onnx";
  bytes: number;
}

export interface Fact {
  name: string; // "opset"
  text: string; // "ai.onnx 17"
}

// The tree of groups. Group 0 is the root. Parents stand before their children, and the groups below a group
// follow it directly (preorder).
export interface Groups {
  parent: Ref[];
  kind: GroupKind[];
  path: Text[]; // module path "layer1.0", unique for modules; the root has ""
  name: Text[]; // the last part of it: "0"; "then_branch" for a body
  type: Text[]; // class of the module ("BasicBlock"), operator of a control node ("If"); "" if not known
  node: Ref[]; // of a control group: the node whose bodies it holds
  equal: Ref[]; // groups with the same number have the same structure (open them together); -1: no other has it
  nodes: number[]; // how many nodes are in it and below
  parameters: number[]; // elements of the weights that are read in it or below, each once
  bytes: number[]; // their bytes
  multiplyAdds: Text[]; // "4089184256" or a formula, "3·batch"; "" if not known
  // Layout with closed children; rows of `items` and `edges`, and rows of the ranks below.
  width: number[]; // of the content
  height: number[];
  items: number[]; // first row in `items`; one element more than there are groups
  edges: number[]; // first row in `edges`; likewise
  ranks: number[]; // first element in rankTop, rankHeight; likewise
  rankTop: number[];
  rankHeight: number[];
}

export const enum GroupKind {
  root = 0,
  module = 1, // of the program, or of metadata that an exporter wrote
  scope = 2, // a scope in the names of nodes
  part = 3, // a piece of a long flat run, cut where the data flow is narrowest
  control = 4, // a node with bodies: If, Loop, Scan, a call of a function; stands for the node in layouts
  body = 5, // "then_branch", "body"; within a control group
}

// Positions of the layouts, group by group.
export interface Items {
  kind: ItemKind[];
  ref: Ref[]; // row of nodes, groups or values, by kind
  rank: number[];
  x: number[];
  w: number[];
  h: number[];
  title: Text[]; // first line of the box, cut to fit: "Conv", "layer1 · Sequential"
  caption: Text[]; // second line: "3×3, stride 2", "35 nodes"; may be empty
}

export const enum ItemKind {
  node = 0,
  group = 1,
  input = 2, // a port above
  output = 3, // a port below
}

export interface Edges {
  from: Ref[]; // rows of `items`, both of the same group; one edge per pair
  to: Ref[];
  x0: number[];
  x1: number[];
  stub: number[]; // 0 or 1
  via: Lists; // x per rank between both, from top to bottom
  lines: number[]; // first row in the columns below; one element more than there are edges
  value: Ref[]; // per line: what flows
  fromPort: Ref[]; // rows of `items` in the layout of the group that is the source; -1 for a node or port
  toPort: Ref[];
}

export interface Operators {
  domain: Text[]; // "" for ai.onnx, "aten" for programs
  name: Text[];
  category: number[]; // in `categories`
  link: Text[]; // address of the documentation; show it, and open it only when it is clicked
  doc: Text[]; // a sentence or more; "" if none is known
  inputs: Lists; // Text: formal names of inputs ("X", "W", "B"); the last one repeats for variadic operators
  outputs: Lists;
}

export interface Nodes {
  operator: Ref[];
  name: Text[];
  module: Text[]; // path of its module or scope; a module with one node has no group of its own
  group: Ref[]; // the group in whose layout it stands; a control node: the parent of its control group
  item: Ref[]; // row of `items` that shows it (the control group's for a control node)
  bodies: Ref[]; // its control group, or -1
  attributes: Lists; // pairs of Text: name, value, name, value …
  inputs: Lists; // values; -1 where an optional input is left out
  outputs: Lists; // values; likewise
  origin: Text[]; // PyTorch operator that it came from, "aten::linear"; "" if not known
}

// Readers of a value are found by walking `nodes.inputs`; values that bodies read from outside are inputs of the
// nodes in the bodies.
export interface Values {
  name: Text[];
  type: Text[]; // "f32[batch, 3, 224, 224]"; "" if not known
  kind: ValueKind[];
  producer: Ref[]; // node
  weight: Ref[]; // row of `weights` for a constant
}

export const enum ValueKind {
  computed = 0,
  input = 1, // of the model or of a body
  output = 2, // computed, and an output of the model
  constant = 3, // initialiser, or result of a Constant node
}

export interface Weights {
  value: Ref[];
  type: Text[]; // "f32[64, 3, 7, 7]"
  elements: number[];
  bytes: number[];
  place: Text[]; // file and offset of external data, or record of the archive; "" for inside the model
  text: Text[]; // all elements of a small one: "[1, -1, 768]"; "" otherwise
  state: WeightState[];
  min: (number | null)[]; // null, with all below, unless state is read
  max: (number | null)[];
  mean: (number | null)[];
  deviation: (number | null)[];
  zeros: (number | null)[]; // number of elements
  nans: (number | null)[]; // NaN and infinities
  histogram: Lists; // 64 counts of equal bins between min and max, or none
  picture: PictureTable;
}

export const enum WeightState {
  read = 0,
  skipped = 1, // too large in all; `--weights all` reads them
  noNumbers = 2, // strings, or a type without statistics
  missing = 3, // the file with its data is not there
}

// Thumbnails: the weight as a matrix of its first dimension by all others, with at most 24 rows and columns
// picked at equal distances. Bytes from 0 (least) to 255 (largest), row by row, base64 of width · height bytes as Text.
export interface PictureTable {
  width: number[];
  height: number[]; // 0: no picture
  data: Text[];
}

// Texts of programs, and which line became which nodes.
export interface Sources {
  files: SourceFile[];
  // One row per pair of line and node, sorted by file and line. `level` 0 is the innermost line, 1 the line that
  // called it, and so on.
  file: number[];
  line: number[]; // as in the file, from 1
  node: Ref[];
  level: number[];
  // One row per line that left no node, with the reason: "computed at export", "folded by constant-folding".
  emptyFile: number[];
  emptyLine: number[];
  emptyReason: Text[];
}

export interface SourceFile {
  name: string; // "net.py", "code/__torch__/net.py"
  kind: "python" | "torchscript" | "exported";
  first: number; // number of the first line of `lines`
  lines: Text[]; // empty: the text is not at hand, only names of lines are (`--source DIR` finds it)
}

export interface Overlay {
  id: string; // "error", "multiply-adds", "bytes", "time", "check", for links and for `shownOverlay`
  name: string; // "relative error"
  unit: string; // "", "B", "µs"
  scale: "linear" | "log";
  good: "low" | "high" | "neither"; // where the scale is harmless
  least: number | null; // of the values that there are; null if there is none
  most: number | null;
  limit: number | null; // above it is a fault (the tolerance of verify)
  node: (number | null)[];
  nodeText: Text[]; // the value in words: "1.2e-7 (tolerance 1e-5)"
  groupSum: (number | null)[];
  groupMax: (number | null)[];
  combine: "sum" | "max"; // which of both stands for a closed group
}

// What became of each row in comparison with the older model. Gone nodes, values and weights are rows like the
// others, at their places in the graph of both.
export interface Compare {
  older: string; // names of the files
  newer: string;
  node: Mark[];
  nodeText: Text[]; // "axis 1 -> 2"; the older name of a renamed one
  nodeRule: Text[]; // simplification that removed, made or changed it; "" if none
  weight: Mark[];
  weightText: Text[]; // "12 of 64 elements differ, by at most 3e-4"
  group: Lists; // per group: how many nodes, in it and below, have each mark (5 numbers)
  notes: Text[]; // differences of inputs, outputs, metadata
}

export const enum Mark {
  same = 0,
  added = 1,
  gone = 2,
  changed = 3,
  renamed = 4,
}

export interface Messages {
  severity: ("error" | "warning" | "note")[];
  code: Text[]; // "unsupported-operator"
  text: Text[];
  hint: Text[];
  node: Ref[];
  file: Ref[]; // place in `sources.files`; -1 with line 0 if it has none
  line: number[];
}
