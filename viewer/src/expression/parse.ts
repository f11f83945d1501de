// Expressions of signals: names, numbers, + - * /, parentheses, and |a| for the size of a number or the length of a
// vector. A name is the longest known one that stands there, so that names may hold signs; '...' quotes one.

export type Node =
  | { kind: "number"; value: number }
  | { kind: "name"; name: string }
  | { kind: "minus"; of: Node }
  | { kind: "size"; of: Node }
  | { kind: "binary"; sign: Sign; left: Node; right: Node };

export type Sign = "+" | "-" | "*" | "/";

// What is wrong with an expression, for people.
export class ExpressionError extends Error {}

const NUMBER = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/;
const WORD = /^[^\s+\-*/()|']+/;
const IN_WORD = /[\p{L}\p{N}_.]/u;
const DEEPEST = 60; // parentheses in each other

// Known names that begin as an unknown one does.
function similar(name: string, names: readonly string[]): string {
  for (let n = Math.min(name.length, 12); n >= 2; n--) {
    const found = names.filter((known) => known.startsWith(name.slice(0, n)));
    if (found.length > 0) return ` Did you mean ${found.slice(0, 3).map((known) => `“${known}”`).join(", ")}?`;
  }
  return "";
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string, private readonly names: readonly string[]) {}

  whole(): Node {
    const node = this.sum();
    this.space();
    if (this.at < this.text.length) this.fail(`“${this.text[this.at]}” is not expected`);
    return node;
  }

  private fail(what: string, hint = ""): never {
    throw new ExpressionError(`${what} (at character ${this.at + 1}).${hint}`);
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  // The sign that stands here, if it is one of these.
  private take(signs: string): string {
    this.space();
    const sign = this.text[this.at] ?? "";
    if (sign === "" || !signs.includes(sign)) return "";
    this.at++;
    return sign;
  }

  private sum(): Node {
    if (++this.depth > DEEPEST) this.fail("There are too many parentheses in each other");
    let left = this.product();
    for (let sign = this.take("+-"); sign; sign = this.take("+-")) {
      left = { kind: "binary", sign: sign as Sign, left, right: this.product() };
    }
    this.depth--;
    return left;
  }

  private product(): Node {
    let left = this.factor();
    for (let sign = this.take("*/"); sign; sign = this.take("*/")) {
      left = { kind: "binary", sign: sign as Sign, left, right: this.factor() };
    }
    return left;
  }

  private factor(): Node {
    let minus = false;
    for (let sign = this.take("+-"); sign; sign = this.take("+-")) minus = minus !== (sign === "-");
    const of = this.operand();
    return minus ? { kind: "minus", of } : of;
  }

  private operand(): Node {
    const open = this.take("(|");
    if (!open) return this.leaf();
    const inner = this.sum();
    const close = open === "(" ? ")" : "|";
    if (!this.take(close)) this.fail(`“${close}” is missing`);
    return open === "|" ? { kind: "size", of: inner } : inner;
  }

  private leaf(): Node {
    const rest = this.text.slice(this.at);
    if (rest === "") this.fail(this.text.trim() === "" ? "The expression is empty" : "Something is missing");
    if (rest[0] === "'") return this.quoted(rest);
    const name = this.known(rest);
    if (name !== null) return this.named(name, name.length);
    const number = NUMBER.exec(rest);
    if (number && !IN_WORD.test(rest[number[0].length] ?? "")) {
      this.at += number[0].length;
      return { kind: "number", value: Number(number[0]) };
    }
    const word = WORD.exec(rest)?.[0];
    if (!word) this.fail(`A signal or a number is missing before “${rest[0]}”`);
    return this.fail(`There is no signal “${word}”`, similar(word, this.names));
  }

  private quoted(rest: string): Node {
    const end = rest.indexOf("'", 1);
    if (end < 0) this.fail("The closing ' is missing");
    const name = rest.slice(1, end);
    if (!this.names.includes(name)) this.fail(`There is no signal “${name}”`, similar(name, this.names));
    return this.named(name, end + 1);
  }

  private named(name: string, length: number): Node {
    this.at += length;
    return { kind: "name", name };
  }

  private known(rest: string): string | null {
    let best: string | null = null;
    for (const name of this.names) {
      if (name.length <= (best?.length ?? 0) || !rest.startsWith(name)) continue;
      if (!IN_WORD.test(rest[name.length] ?? "")) best = name;
    }
    return best;
  }
}

// Throws ExpressionError.
export const parse = (text: string, names: readonly string[]): Node =>
  names.includes(text) ? { kind: "name", name: text } : new Parser(text, names).whole();
