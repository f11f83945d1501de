"""Tokens of a public header, with the comments kept and the preprocessor's lines read.

Understood: include guards, #include, #define of a constant, of a list (X) with rows X(...) X(...), of a macro used with
such a list, and #undef. Everything else is refused with its place.
"""
import re
import typing


class Refused(Exception):
    """What is not understood, and where."""


class Token(typing.NamedTuple):
    kind: str  # "word", "number", "text", "mark", "comment", "directive"
    text: str
    line: int  # where it begins
    end: int  # and where it ends


PATTERN = re.compile(r"""
    (?P<comment>/\*.*?\*/)
  | (?P<directive>^[ ]*\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>-?(?:0[xX][0-9a-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)[uUlL]*)
  | (?P<text>"(?:[^"\\\n]|\\.)*")
  | (?P<mark>\.\.\.|[-+|<>~{}()\[\];,*=])
  | (?P<space>\s+)
""", re.X | re.S | re.M)


def tokens_of(text, place):
    """The tokens of a text; place(line) names one for messages."""
    found, at, line = [], 0, 1
    while at < len(text):
        match = PATTERN.match(text, at)
        if not match:
            raise Refused(f"{place(line)}: cannot read {text[at:at + 20]!r}")
        piece = match.group()
        end = line + piece.count("\n")
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, piece, line, end))
        at, line = match.end(), end
    return found


def comment_text(raw):
    """The words of a comment without its marks; line breaks stay, so that tables stay tables."""
    lines = [re.sub(r"^\s*\*? ?", "", line) if i else line.strip() for i, line in enumerate(raw[2:-2].split("\n"))]
    return "\n".join(line.rstrip() for line in lines).strip()


class Macros:
    """What a header defines: constants, lists of rows, and macros that pick from a row."""

    def __init__(self):
        self.constants, self.lists, self.pickers = {}, {}, {}

    def define(self, token, place):
        """Reads a #define."""
        body = re.sub(r"\\\n", "\n", token.text)
        name, parameters, rest = re.match(r"\s*#\s*define\s+(\w+)(?:\(([\w,\s]*)\))?(.*)", body, re.S).groups()
        tokens = tokens_of(rest, lambda line: place(token.line + line - 1))
        if parameters is None:
            self._constant(name, tokens, place(token.line))
        elif tokens and tokens[0].text == parameters:
            self.lists[name] = rows_of(tokens, parameters, f"{place(token.line)}: the list {name}")
        else:
            self.pickers[name] = ([word.strip() for word in parameters.split(",")], tokens)

    def _constant(self, name, tokens, where):
        if len(tokens) == 1 and tokens[0].kind in ("number", "text"):
            self.constants[name] = tokens[0].text
        elif tokens:
            raise Refused(f"{where}: the constant {name} is neither a number nor a text")

    def expand(self, name, picker, where):
        """The tokens of LIST(PICKER), row by row, each with its row: {column: text}."""
        if name not in self.lists or picker not in self.pickers:
            raise Refused(f"{where}: {name}({picker}) is not a list and a macro of this header")
        columns, body = self.pickers[picker]
        for row in self.lists[name]:
            if len(row) != len(columns):
                raise Refused(f"{where}: a row of {name} has {len(row)} entries and {picker} takes {len(columns)}")
            values = dict(zip(columns, row))
            tokens = [part for token in body for part in values.get(token.text, [token])]
            yield tokens, {column: value_of(value) for column, value in values.items()}


def rows_of(tokens, mark, where):
    """The rows of a list: X(a, "b", 3) X(...), where the mark is X."""
    rows, at = [], 0
    tokens = [token for token in tokens if token.kind != "comment"]
    while at < len(tokens):
        if tokens[at].text != mark or at + 1 == len(tokens) or tokens[at + 1].text != "(":
            raise Refused(f"{where} has {tokens[at].text!r} where {mark}( should be")
        row, depth, at = [[]], 1, at + 2
        while depth:
            if at == len(tokens):
                raise Refused(f"{where} ends inside a row")
            token, at = tokens[at], at + 1
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if depth == 1 and token.text == ",":
                row.append([])
            elif depth:
                row[-1].append(token)
        rows.append(row)
    return rows


def value_of(tokens):
    """An entry of a row as a value: a number, a text, or its words."""
    if tokens and all(token.kind == "text" for token in tokens):
        return "".join(token.text[1:-1] for token in tokens)
    if len(tokens) == 1 and tokens[0].kind == "number":
        return number_of(tokens[0].text)
    return " ".join(token.text for token in tokens)


def number_of(text):
    """An int or a float from its spelling in C."""
    plain = text.rstrip("uUlL")
    try:
        return int(plain, 0)
    except ValueError:
        return float(plain)
