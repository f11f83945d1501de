"""Units and shapes that a comment gives in brackets: [m/s^2], [rad] or [m], [nbody][3]."""
import re

SYMBOL = r"(?:kg|m|s|rad|N|J|W|Hz|K|A|V|T|mol|deg)(?:\^-?\d)?"
ONE = rf"(?:1/)?{SYMBOL}(?:[ /]{SYMBOL})*"
UNIT = re.compile(rf"\[({ONE}(?: or {ONE})*)(?:,[^\]]*)?\]")
SHAPE = re.compile(r"(?:\[[a-z_][a-z_0-9]*\]|\[\d+\])+")


def units_of(text, count):
    """{"unit": ...}, where the comment gives one, for each of `count` fields that share it."""
    units = [match.group(1) for match in UNIT.finditer(text)]
    if count > 1 and len(units) == count:
        return [{"unit": unit} for unit in units]
    return [{"unit": " or ".join(dict.fromkeys(units))} if units else {}] * count


def shape_of(text, field):
    """{"shape": ["nbody", "3"]} of a pointer whose comment gives one shape and no other."""
    shapes = set(SHAPE.findall(UNIT.sub("", text)))
    if len(shapes) != 1 or not field.get("type", "").endswith("*"):
        return {}
    return {"shape": re.findall(r"\[(\w+)\]", shapes.pop())}
