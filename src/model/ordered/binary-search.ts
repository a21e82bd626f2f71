/** Returns the first index below `length` that passes, or `length` if none does. All indexes after it must pass too. */
export function firstPassing(length: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Binary search: returns the largest whole number up to `most` that passes. Every smaller number must pass too; 0 is
 * assumed to pass.
 */
export async function largestPassing(
  most: number,
  passes: (candidate: number) => Promise<boolean>,
): Promise<number> {
  let passed = 0;
  let failed = most + 1;
  while (failed - passed > 1) {
    // Tries the upper limit first, because a whole list usually fits.
    const candidate = failed > most && passed === 0 ? most : Math.floor((passed + failed) / 2);
    if (await passes(candidate)) passed = candidate;
    else failed = candidate;
  }
  return passed;
}
