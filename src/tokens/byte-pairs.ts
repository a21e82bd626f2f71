/** Rank of each token of a vocabulary, by its bytes as a string with one character for each byte. */
export type TokenRanks = ReadonlyMap<string, number>;

/** Starts of pairs of parts, ordered by the rank of the pair, then by position: both in one number. */
const POSITIONS = 2 ** 32;

/**
 * Returns the number of tokens that byte pair encoding makes of a word: as long as two neighboring parts are a token
 * together, those of lowest rank are joined, the first of equal ones.
 *
 * Takes n log n time, which is why only the vocabularies of js-tiktoken are used: its encoder looks for the lowest rank
 * again after each step. That is quadratic in the length of a word, and a pasted key would block the page for seconds.
 */
export function countBytePairs(bytes: string, ranks: TokenRanks): number {
  if (bytes === '') return 0;
  if (ranks.has(bytes)) return 1;
  const { length } = bytes;
  // A part begins at each position; `after` and `before` are the starts of its neighbors.
  const after = Int32Array.from({ length: length + 1 }, (_, at) => at + 1);
  const before = Int32Array.from({ length: length + 1 }, (_, at) => at - 1);
  /** Rank of the pair that begins at a position; entries of the heap with another rank are out of date. */
  const pairRank = new Float64Array(length + 1).fill(-1);
  const heap: number[] = [];
  const rankPair = (at: number): void => {
    const middle = after[at] ?? length;
    const rank = middle < length ? ranks.get(bytes.slice(at, after[middle])) : undefined;
    pairRank[at] = rank ?? -1;
    if (rank !== undefined) push(heap, rank * POSITIONS + at);
  };
  for (let at = 0; at < length - 1; at += 1) rankPair(at);
  let parts = length;
  for (let entry = pop(heap); entry !== undefined; entry = pop(heap)) {
    const at = entry % POSITIONS;
    if (pairRank[at] !== (entry - at) / POSITIONS) continue;
    const joined = after[at] ?? length;
    const end = after[joined] ?? length;
    pairRank[joined] = -1;
    after[at] = end;
    before[end] = at;
    parts -= 1;
    rankPair(at);
    const left = before[at] ?? -1;
    if (left >= 0) rankPair(left);
  }
  return parts;
}

/** Adds a number to a binary heap, whose first number is the smallest. */
function push(heap: number[], value: number): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

/** Removes the smallest number. */
function pop(heap: number[]): number | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if ((heap[child + 1] ?? Infinity) < (heap[child] ?? Infinity)) child += 1;
    const below = heap[child] ?? Infinity;
    if (below >= last) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return first;
}
