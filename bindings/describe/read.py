"""Reads public headers into a description: what bindings/api.json holds.

The headers are regular, and this reads that regular form only: constants, enums (with lists of rows expanded), structs,
opaque types, callbacks, functions, variables, each with the comment before it and the comment behind it. What is not
understood is refused with file and line, never passed over.
"""
import re

from . import units
from .lex import Macros, Refused, comment_text, number_of, tokens_of

PLAIN = {"void", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
         "unsigned long", "long long", "unsigned long long", "float", "double", "size_t", "int32_t", "int64_t",
         "uint8_t", "uint16_t", "uint32_t", "uint64_t", "FILE"}
BASIC = {"void", "char", "short", "int", "unsigned", "signed", "long", "float", "double"}
PASSED_OVER = {"FB_BEGIN_DECLS", "FB_END_DECLS"}


class Header:
    """One header: a cursor over its tokens, and what was found so far."""

    def __init__(self, name, text, known):
        self.name, self.known, self.macros = name, known, Macros()
        self.found = {"header": name, "comment": "", "defines": [], "enums": [], "opaque": [], "structs": [],
                      "callbacks": [], "functions": [], "variables": []}
        self.tokens = self._without_directives(tokens_of(text, self.place))
        self.at = 0

    def place(self, line):
        return f"{self.name}:{line}"

    def refuse(self, why, token=None):
        token = token or (self.tokens[min(self.at, len(self.tokens) - 1)] if self.tokens else None)
        raise Refused(f"{self.place(token.line if token else 1)}: {why}")

    # ---- the preprocessor ----

    def _without_directives(self, tokens):
        """Reads #define and the like; comments and declarations stay."""
        guard = "FREEBODY_" + re.sub(r"\W", "_", self.name).upper()
        kept, before = [], None
        for token in tokens:
            if token.kind != "directive":
                kept.append(token)
                before = token if token.kind == "comment" else None
                continue
            word, rest = re.match(r"\s*#\s*(\w+)\s*(.*)", token.text, re.S).groups()
            if word == "define" and rest.strip() != guard:
                self._define(token, before)
            elif not (word in ("include", "undef", "endif") or rest.strip() == guard):
                raise Refused(f"{self.place(token.line)}: #{word} {rest} is not understood; in a public header stand "
                              f"an include guard {guard}, #include, #define and #undef")
            before = None
        return kept

    def _define(self, token, before):
        names = set(self.macros.constants)
        self.macros.define(token, self.place)
        for name in self.macros.constants.keys() - names:
            text = self.macros.constants[name]
            value = text[1:-1] if text.startswith('"') else number_of(text)
            comment = comment_text(before.text) if before and before.end + 1 == token.line else ""
            self.found["defines"].append({"name": name, "value": value, "comment": comment})
            self.known.constant(name, value)

    # ---- the cursor ----

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def take(self, want=None):
        if self.at == len(self.tokens):
            self.refuse(f"ends where {want!r} should be" if want else "ends inside a declaration")
        token = self.tokens[self.at]
        if want is not None and token.text != want:
            self.refuse(f"has {token.text!r} where {want!r} should be")
        self.at += 1
        return token

    def name_here(self):
        token = self.take()
        if token.kind != "word":
            self.refuse(f"has {token.text!r} where a name should be", token)
        return token.text

    def comments_before(self):
        """The comment that ends on the line before what follows; others are headings, and dropped."""
        text = ""
        while self.at < len(self.tokens) and self.tokens[self.at].kind == "comment":
            token = self.take()
            following = self.tokens[self.at] if self.at < len(self.tokens) else None
            text = comment_text(token.text) if following and following.line == token.end + 1 else ""
        return text

    def comment_behind(self):
        """The comment that begins on the line where the token just taken ends."""
        token = self.tokens[self.at - 1]
        if self.at < len(self.tokens) and self.tokens[self.at].kind == "comment" \
                and self.tokens[self.at].line == token.end:
            return comment_text(self.take().text)
        return ""

    # ---- declarations ----

    def read(self):
        if self.tokens and self.tokens[0].kind == "comment":
            self.found["comment"] = comment_text(self.take().text)
        while True:
            comment = self.comments_before()
            if self.at == len(self.tokens):
                return self.found
            word = self.peek()
            if word in PASSED_OVER:
                self.take()
            elif word == "typedef":
                self._typedef(comment)
            elif word == "enum":
                self._enum(comment)
            elif word == "struct" and self.peek(2) == ";":
                self.at += 3  # said again where it is used before its header
            elif word == "FB_API":
                self._function(comment)
            else:
                self.refuse(f"has {word!r}; a declaration begins with typedef, enum or FB_API")

    def _typedef(self, comment):
        self.take("typedef")
        if self.peek() == "enum":
            self._enum(comment, typed=True)
        elif self.peek() == "struct" and self.peek(2) == "{":
            self._struct(comment)
        elif self.peek() == "struct":
            self._opaque(comment)
        else:
            declared = self._declarators()[0]
            if "callback" not in declared:
                self.refuse("a typedef is of an enum, a struct or a callback")
            entry = {"name": declared["name"], **declared["callback"]}
            entry["comment"] = joined(comment, self.comment_behind())
            self.found["callbacks"].append(entry)
            self.known.kinds[entry["name"]] = "callback"

    def _opaque(self, comment):
        self.take("struct")
        name = self.name_here()
        self.take(name)
        self.take(";")
        self.found["opaque"].append({"name": name, "comment": joined(comment, self.comment_behind())})
        self.known.kinds.setdefault(name, "opaque")

    def _enum(self, comment, typed=False):
        first = self.take("enum")
        name = self.name_here() if typed else ""
        self.take("{")
        values, following = [], 0
        while True:
            before = self.comments_before()
            if self.peek() == "}":
                break
            if self.peek(1) == "(":
                listed, following = self._listed_values(following)
                values += listed
                continue
            entry = {"name": self.name_here()}
            if self.peek() == "=":
                self.take()
                following = self._constant_value()
            entry["value"], following = following, following + 1
            self.known.constant(entry["name"], entry["value"])
            if self.peek() == ",":
                self.take()
            entry["comment"] = joined(before, self.comment_behind())
            values.append(entry)
        self.take("}")
        if typed:
            self.take(name)
            self.known.kinds[name] = "enum"
        self.take(";")
        if not values:
            self.refuse("an enum without values", first)
        comment = joined(comment, self.comment_behind())
        self.found["enums"].append({"name": name, "values": values, "comment": comment})

    def _listed_values(self, following):
        """The values that LIST(PICKER) stands for, each with the row it comes from."""
        token = self.take()
        self.take("(")
        picker = self.name_here()
        self.take(")")
        values = []
        for tokens, row in self.macros.expand(token.text, picker, self.place(token.line)):
            texts = [part.text for part in tokens if part.kind != "comment"]
            if len(texts) == 4 and texts[1] == "=":
                following = self.known.value(texts[2], lambda: self.place(token.line))
            elif len(texts) != 2 or texts[-1] != ",":
                self.refuse(f"{picker} makes {' '.join(texts)!r}, which is not an enum's value", token)
            self.known.constant(texts[0], following)
            rest = {key: value for key, value in row.items() if value != texts[0]}
            values.append({"name": texts[0], "value": following, "row": rest, "comment": ""})
            following += 1
        return values, following

    def _constant_value(self):
        """A value of an enum: names and numbers, joined by | or <<."""
        value = self._term()
        while self.peek() in ("|", "<"):
            if self.take().text == "|":
                value |= self._term()
            else:
                self.take("<")
                value <<= self._term()
        return value

    def _term(self):
        return self.known.value(self.take().text, lambda: self.place(self.tokens[self.at - 1].line))

    def _struct(self, comment):
        self.take("struct")
        name = self.name_here()
        self.known.kinds[name] = "struct"
        self.take("{")
        fields = []
        while True:
            before = self.comments_before()
            if self.peek() == "}":
                break
            declared = self._declarators()
            text = joined(before, self.comment_behind())
            for field, unit in zip(declared, units.units_of(text, len(declared))):
                fields.append({**field, **unit, **units.shape_of(text, field), "comment": text})
        self.take("}")
        self.take(name)
        self.take(";")
        comment = joined(comment, self.comment_behind())
        self.found["structs"].append({"name": name, "fields": fields, "comment": comment})

    def _function(self, comment):
        self.take("FB_API")
        if self.peek() == "extern":
            self.take()
            variable = self._declarators()[0]
            self.found["variables"].append({**variable, "comment": joined(comment, self.comment_behind())})
            return
        returns = self._type()
        name = self.name_here()
        parameters, variadic = self._parameters()
        self._format_check()
        self.take(";")
        entry = {"name": name, "returns": returns, "parameters": parameters, **variadic}
        comment = joined(comment, self.comment_behind())
        if returns == "double":
            entry.update(units.units_of(comment, 1)[0])
        self.found["functions"].append({**entry, "comment": comment})

    def _format_check(self):
        """FB_PRINTF(3, 4), for compilers."""
        if self.peek() == "FB_PRINTF":
            while self.take().text != ")":
                pass

    # ---- types ----

    def _type(self):
        """A type up to its name, spelled in one way."""
        return self._pointers(self._base())

    def _base(self):
        """A type without the stars that belong to each name."""
        words, constant = [], False
        while self.peek() in BASIC or self.peek() in ("const", "struct") or not words:
            word = self.name_here()
            if word == "const":
                constant = True
            elif word != "struct":
                words.append(word)
        base = "unsigned" if words == ["unsigned", "int"] else " ".join(words)
        self.known.uses.append((base, self.place(self.tokens[self.at - 1].line)))
        return ("const " if constant else "") + base

    def _pointers(self, spelling):
        while self.peek() in ("*", "const"):
            spelling += "*" if self.take().text == "*" else " const"
        return spelling

    def _declarators(self):
        """One declaration to its semicolon: double a, b[3]; or a callback."""
        base = self._base()
        declared = [self._declarator(base)]
        while self.peek() == ",":
            self.take()
            declared.append(self._declarator(base))
        self.take(";")
        return declared

    def _declarator(self, base):
        spelling = self._pointers(base)
        return self._callback(spelling) if self.peek() == "(" else self._named(spelling)

    def _named(self, spelling):
        entry = {"name": self.name_here(), "type": spelling}
        sizes = []
        while self.peek() == "[":
            self.take()
            sizes.append(self.take().text)
            self.take("]")
        if sizes:
            entry["array"] = sizes
        return entry

    def _callback(self, returns):
        """returns (*name)(parameters)"""
        self.take("(")
        self.take("*")
        name = self.name_here()
        self.take(")")
        parameters, variadic = self._parameters()
        return {"name": name, "callback": {"returns": returns, "parameters": parameters, **variadic}}

    def _parameters(self):
        """The parameters, and {"variadic": True} where more may follow."""
        self.take("(")
        if self.peek() == "void" and self.peek(1) == ")":
            self.at += 2
            return [], {}
        parameters, variadic = [self._declarator(self._base())], {}
        while self.peek() == ",":
            self.take()
            if self.peek() == "...":
                self.take()
                variadic = {"variadic": True}
                break
            parameters.append(self._declarator(self._base()))
        self.take(")")
        return parameters, variadic


class Known:
    """Names that several headers share: kinds of types, values of constants, and where types are used."""

    def __init__(self):
        self.kinds, self.values, self.uses = {}, {}, []

    def constant(self, name, value):
        if isinstance(value, int):
            self.values[name] = value

    def value(self, text, where):
        if re.fullmatch(r"-?(0[xX])?[0-9a-fA-F]+[uUlL]*", text) and text[-1] not in "xX":
            return number_of(text)
        if text in self.values:
            return self.values[text]
        raise Refused(f"{where()}: the value {text!r} is not known")

    def check(self):
        for base, where in self.uses:
            if base not in PLAIN and base not in self.kinds:
                raise Refused(f"{where}: the type {base!r} is not known: no public header declares it")


def joined(*texts):
    return "\n".join(text for text in texts if text)


def order_of(texts):
    """Header names, each after those it includes, so that constants are known where they are used."""
    order, open_ = [], []

    def visit(name):
        if name in order or name not in texts:
            return
        if name in open_:
            raise Refused(f"{name}:1: includes itself by way of {', '.join(open_)}")
        open_.append(name)
        for inner in re.findall(r"^#include <freebody/(\w+\.h)>", texts[name], re.M):
            visit(inner)
        open_.pop()
        order.append(name)

    for name in sorted(texts):
        visit(name)
    return order


def lengths(description, known):
    """Puts the length of every array beside its sizes as written."""
    def visit(entry, where):
        if isinstance(entry, dict):
            if "array" in entry:
                entry["length"] = [known.value(size, lambda: where) for size in entry["array"]]
            for value in entry.values():
                visit(value, where)
        elif isinstance(entry, list):
            for value in entry:
                visit(value, where)
    for header in description["headers"]:
        visit(header, header["header"])


def describe(texts):
    """The description of headers: {name: text}. export.h, which has macros for compilers only, is left out."""
    known, headers = Known(), {}
    for name in order_of({name: text for name, text in texts.items() if name != "export.h"}):
        headers[name] = Header(name, texts[name], known).read()
    known.check()
    version = next((entry["value"] for header in headers.values() for entry in header["defines"]
                    if entry["name"] == "FB_VERSION_TEXT"), "")
    description = {"library": "freebody", "version": version, "headers": [headers[name] for name in sorted(headers)]}
    lengths(description, known)
    return description
