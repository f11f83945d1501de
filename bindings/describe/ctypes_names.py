"""C types in the words of Python's ctypes.

A pointer to a struct of the headers is a POINTER where Python reads through it (fields, what callbacks get, what
functions return); everything else that is an address is c_void_p, and a text is c_char_p.
"""
PLAIN = {"char": "c_char", "signed char": "c_byte", "unsigned char": "c_ubyte", "short": "c_short",
         "unsigned short": "c_ushort", "int": "c_int", "unsigned": "c_uint", "long": "c_long",
         "unsigned long": "c_ulong", "long long": "c_longlong", "unsigned long long": "c_ulonglong",
         "float": "c_float", "double": "c_double", "size_t": "c_size_t", "int32_t": "c_int32", "int64_t": "c_int64",
         "uint8_t": "c_uint8", "uint16_t": "c_uint16", "uint32_t": "c_uint32", "uint64_t": "c_uint64"}


class Types:
    """The types of a description: which names are structs, enums and callbacks."""

    def __init__(self, description):
        def names(kind):
            return {entry["name"] for header in description["headers"] for entry in header[kind]}
        self.structs, self.enums, self.callbacks = names("structs"), names("enums"), names("callbacks")

    def value(self, spelling):
        """A type that is not a pointer."""
        base = spelling.removeprefix("const ")
        if base in PLAIN:
            return PLAIN[base]
        return "c_int" if base in self.enums else base

    def field(self, entry):
        """A field, an entry with a type and perhaps an array."""
        name = self.read(entry["type"])
        for length in reversed(entry.get("length", [])):
            name = f"{name} * {length}" if " * " not in name else f"({name}) * {length}"
        return name

    def read(self, spelling):
        """What Python reads through: fields and results."""
        if not spelling.endswith("*"):
            return self.value(spelling)
        if spelling in ("const char*", "char*"):
            return "c_char_p"
        if spelling == "const char* const*":
            return "POINTER(c_char_p)"
        base = spelling.removeprefix("const ").removesuffix("*")
        return f"POINTER({base})" if base in self.structs else "c_void_p"

    def argument(self, entry):
        """A parameter of a function that Python calls: addresses of all kinds are welcome."""
        if "callback" in entry or "array" in entry:
            return "c_void_p"
        if entry["type"] == "const char*":
            return "c_char_p"
        is_address = entry["type"].endswith("*") or entry["type"] in self.callbacks
        return "c_void_p" if is_address else self.value(entry["type"])

    def prototype(self, callback):
        """What a callback that Python defines returns, and what it gets."""
        returns = callback["returns"]
        result = "None" if returns == "void" else "c_void_p" if returns.endswith("*") else self.value(returns)
        taken = ["c_void_p" if "array" in entry or "callback" in entry else self.read(entry["type"])
                 for entry in callback["parameters"]]
        return [result] + taken
