// Units of what is computed. A plain number takes the unit of what it is added to.

export type Unit = string | null; // null: a plain number

const compound = (unit: string): boolean => /[ /]/.test(unit);
const plain = (unit: Unit): unit is null | "1" => unit === null || unit === "1";

// Null where they cannot be added.
export function sumUnit(a: Unit, b: Unit): { unit: Unit } | null {
  if (a === b || b === null) return { unit: a };
  return a === null ? { unit: b } : null;
}

export function productUnit(a: Unit, b: Unit): Unit {
  if (plain(b)) return a ?? b;
  if (plain(a)) return b;
  if (a !== b) return `${a} ${b}`;
  return compound(a) ? `(${a})^2` : `${a}^2`;
}

export function quotientUnit(a: Unit, b: Unit): Unit {
  if (plain(b)) return a ?? b;
  if (a === b) return "1";
  return `${plain(a) ? "1" : a}/${compound(b) ? `(${b})` : b}`;
}
