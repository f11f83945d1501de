// Blocks that are unpacked, all columns together: the ones used last stay, within a bound on memory.

export class BlockCache {
  private blocks = new Map<number, Float64Array>(); // in order of use, the oldest first
  private bytes = 0;
  private columns = 0;
  unpacked = 0; // blocks so far, those no longer kept too

  constructor(private readonly limit = 64 * 1024 * 1024) {}

  // A number for the keys of a column; a column has fewer than 2^20 blocks.
  register(): number {
    return this.columns++;
  }

  get size(): number {
    return this.bytes;
  }

  get(column: number, block: number, make: () => Float64Array): Float64Array {
    const key = column * 1048576 + block;
    let found = this.blocks.get(key);
    if (found) {
      this.blocks.delete(key);
    } else {
      found = make();
      this.unpacked++;
      this.bytes += found.byteLength;
    }
    this.blocks.set(key, found);
    this.trim();
    return found;
  }

  private trim(): void {
    for (const [key, block] of this.blocks) {
      if (this.bytes <= this.limit || this.blocks.size === 1) return;
      this.blocks.delete(key);
      this.bytes -= block.byteLength;
    }
  }
}
