"""The data of a view (web/src/document.ts): reading, and the rules that all of them obey."""
import base64
import json
import re
import zlib

NODE, GROUP, INPUT, OUTPUT = range(4)
COLUMNS = ("groups", "items", "edges", "operators", "nodes", "values", "weights")
# Columns that are no rows: starts of ranges, which have one more element, and rows of ranks.
RANGES = {"groups": ("items", "edges", "ranks"), "edges": ("lines",)}
OTHERS = {"groups": ("rankTop", "rankHeight"), "edges": ("value", "fromPort", "toPort"), "weights": ("picture",)}


class Document:
    def __init__(self, text):
        self.raw = json.loads(text)
        self.strings = self.raw["strings"]
        for name, table in self.raw.items():
            setattr(self, name, table)

    def texts(self, column):
        return [self.strings[i] for i in column]

    def group(self, path):
        return self.texts(self.groups["path"]).index(path)

    def operators_of_nodes(self):
        return [self.strings[self.operators["name"][i]] for i in self.nodes["operator"]]

    def overlay(self, name):
        return next(each for each in self.overlays if each["id"] == name)

    def nodes_name(self, edge, end):
        """The name of the node at an end of an edge, if it is one."""
        item = self.edges[end][edge]
        return self.strings[self.nodes["name"][self.items["ref"][item]]] if self.items["kind"][item] == NODE else None

    def items_of(self, group):
        return range(self.groups["items"][group], self.groups["items"][group + 1])

    def edges_of(self, group):
        return range(self.groups["edges"][group], self.groups["edges"][group + 1])


def from_page(page):
    data = re.search(r'<script id="data" type="application/octet-stream">([A-Za-z0-9+/=]*)</script>', page)
    return Document(zlib.decompress(base64.b64decode(data[1])))


def lists(table):
    return [table["items"][a:b] for a, b in zip(table["start"], table["start"][1:])]


def check(test, document):
    """The rules of web/src/document.ts."""
    check_columns(test, document)
    check_tree(test, document)
    for group in range(len(document.groups["parent"])):
        check_layout(test, document, group)
    check_nodes(test, document)


def check_columns(test, document):
    for name in COLUMNS:
        table = document.raw[name]
        sizes = {}
        for column, cells in table.items():
            if column in OTHERS.get(name, ()):
                continue
            length = len(cells["start"]) - 1 if isinstance(cells, dict) else len(cells)
            sizes[column] = length - 1 if column in RANGES.get(name, ()) else length
        test.assertEqual(len(set(sizes.values())), 1, (name, sizes))
    for text in document.strings:
        test.assertLess(len(text), 4200)
        test.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text))
    nodes = len(document.nodes["operator"])
    for overlay in document.overlays:
        test.assertEqual((len(overlay["node"]), len(overlay["nodeText"])), (nodes, nodes))
        test.assertEqual(len(overlay["groupSum"]), len(document.groups["parent"]))
    for ref in document.sources["node"]:
        test.assertLess(ref, nodes)


def check_tree(test, document):
    test.assertEqual(document.groups["parent"][0], -1)
    path = [0]
    for group, parent in enumerate(document.groups["parent"][1:], 1):
        while path[-1] != parent:
            path.pop()  # fails if the groups below a group do not follow it directly
        path.append(group)


def check_layout(test, document, group):
    items, groups = document.items, document.groups
    tops = groups["rankTop"][groups["ranks"][group]:groups["ranks"][group + 1]]
    heights = groups["rankHeight"][groups["ranks"][group]:groups["ranks"][group + 1]]
    rows = document.items_of(group)
    for a, b in zip(rows, rows[1:]):
        if items["rank"][a] == items["rank"][b]:
            test.assertGreater(items["x"][b], items["x"][a] + items["w"][a], "items touch")
        else:
            test.assertEqual(items["rank"][b], items["rank"][a] + 1)
    for r in range(1, len(tops)):
        test.assertGreater(tops[r], tops[r - 1] + heights[r - 1], "ranks touch")
    for row in rows:
        test.assertLessEqual(items["h"][row], heights[items["rank"][row]])
        test.assertLessEqual(items["x"][row] + items["w"][row], groups["width"][group])
    check_edges(test, document, group)


def check_edges(test, document, group):
    items, edges = document.items, document.edges
    rows = document.items_of(group)
    by_rank = {}
    for row in rows:
        by_rank.setdefault(items["rank"][row], []).append(row)
    via = edges["via"]
    for edge in document.edges_of(group):
        source, target = edges["from"][edge], edges["to"][edge]
        test.assertIn(source, rows)
        test.assertIn(target, rows)
        passed = via["items"][via["start"][edge]:via["start"][edge + 1]]
        if not edges["stub"][edge]:
            test.assertLess(items["rank"][source], items["rank"][target], "an edge goes up")
            test.assertEqual(len(passed), items["rank"][target] - items["rank"][source] - 1)
        for rank, x in enumerate(passed, items["rank"][source] + 1):
            for row in by_rank[rank]:
                test.assertFalse(items["x"][row] <= x <= items["x"][row] + items["w"][row], "an edge crosses an item")
        for line in range(edges["lines"][edge], edges["lines"][edge + 1]):
            check_port(test, document, source, edges["fromPort"][line], OUTPUT)
            check_port(test, document, target, edges["toPort"][line], INPUT)


def check_port(test, document, item, port, kind):
    if document.items["kind"][item] != GROUP:
        test.assertEqual(port, -1)
    elif port >= 0:
        test.assertIn(port, document.items_of(document.items["ref"][item]))
        test.assertEqual(document.items["kind"][port], kind)


def check_nodes(test, document):
    """Each node stands once in a layout; each input of a node that is no constant arrives there."""
    shown = {}
    for item, (kind, ref) in enumerate(zip(document.items["kind"], document.items["ref"])):
        node = ref if kind == NODE else document.groups["node"][ref] if kind == GROUP and document.groups["kind"][ref] == 4 else None
        if node is not None:
            test.assertNotIn(node, shown)
            shown[node] = item
    test.assertEqual([shown[i] for i in range(len(document.nodes["operator"]))], document.nodes["item"])
    arriving = {}
    for edge, item in enumerate(document.edges["to"]):
        for line in range(document.edges["lines"][edge], document.edges["lines"][edge + 1]):
            arriving.setdefault(item, set()).add(document.edges["value"][line])
    for node, inputs in enumerate(lists(document.nodes["inputs"])):
        if document.nodes["bodies"][node] >= 0:
            continue
        expected = {v for v in inputs if v >= 0 and document.values["kind"][v] != 3 and document.values["producer"][v] != node}
        test.assertLessEqual(expected, arriving.get(document.nodes["item"][node], set()), node)
