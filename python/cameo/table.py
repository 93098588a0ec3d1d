"""Reports as tables: as text in a terminal, as HTML in a notebook."""

import html
from typing import Any, Iterable, List, NamedTuple, Sequence


class Table(NamedTuple):
    title: str
    columns: Sequence[str]  # empty: the rows are names and values
    rows: Sequence[Sequence[Any]]


class Report:
    """Data that print() shows as tables."""

    def tables(self) -> Iterable[Table]:
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n\n".join(_text(table) for table in self.tables())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "".join(_html(table) for table in self.tables())


def _cell(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(table: Table) -> str:
    rows = [[_cell(value) for value in row] for row in table.rows]
    lines = [list(table.columns), *rows] if table.columns else rows
    widths = [max(map(len, column)) for column in zip(*lines)]
    numbers = [bool(table.rows) and all(_is_number(row[i]) for row in table.rows) for i in range(len(widths))]
    out: List[str] = [table.title] if table.title else []
    for line in lines:
        cells = (cell.rjust(width) if number else cell.ljust(width) for cell, width, number in zip(line, widths, numbers))
        out.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(out)


def _html(table: Table) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    head = f"<thead>{row(table.columns, 'th')}</thead>" if table.columns else ""
    body = "".join(row(map(_cell, cells), "td") for cells in table.rows)
    return f"<table><caption>{html.escape(table.title)}</caption>{head}<tbody>{body}</tbody></table>"
