/** Numbers in the narrowest typed array possible. Each is the base plus its offset. */
export interface PackedNumbers {
  readonly base: number;
  readonly offsets: Uint8Array | Uint16Array | Uint32Array | Float64Array;
}

export function packNumbers(numbers: readonly number[]): PackedNumbers {
  let base = Infinity;
  let largest = 0;
  for (const number of numbers) {
    // Other numbers could not be restored exactly from an offset.
    if (!Number.isSafeInteger(number)) return { base: 0, offsets: Float64Array.from(numbers) };
    base = Math.min(base, number);
    largest = Math.max(largest, number);
  }
  if (numbers.length === 0) base = 0;
  const range = largest - base;
  const offsets = numbers.map((number) => number - base);
  if (range < 2 ** 8) return { base, offsets: Uint8Array.from(offsets) };
  if (range < 2 ** 16) return { base, offsets: Uint16Array.from(offsets) };
  if (range < 2 ** 32) return { base, offsets: Uint32Array.from(offsets) };
  return { base: 0, offsets: Float64Array.from(numbers) };
}

export function numberAt({ base, offsets }: PackedNumbers, position: number): number {
  return base + (offsets[position] ?? 0);
}

/** Appends all numbers to `numbers`. A plain loop, which is fast even in code that is not optimized yet. */
export function appendNumbers({ base, offsets }: PackedNumbers, numbers: number[]): void {
  const count = offsets.length;
  for (let position = 0; position < count; position++) numbers.push(base + (offsets[position] ?? 0));
}

/** Whether a stored value is this many packed numbers. */
export function arePackedNumbers(value: unknown, count: number): value is PackedNumbers {
  if (typeof value !== 'object' || value === null) return false;
  const { base, offsets } = value as Partial<PackedNumbers>;
  const kinds = [Uint8Array, Uint16Array, Uint32Array, Float64Array];
  return (
    typeof base === 'number' && kinds.some((kind) => offsets instanceof kind) && offsets?.length === count
  );
}
