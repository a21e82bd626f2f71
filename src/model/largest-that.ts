/** The largest whole number up to `most` that passes, if every smaller one does too; 0 is taken to pass. */
export async function largestThat(
  most: number,
  passes: (candidate: number) => Promise<boolean>,
): Promise<number> {
  let passed = 0;
  let failed = most + 1;
  while (failed - passed > 1) {
    // The whole first: that a list fits is the usual case.
    const candidate = failed > most && passed === 0 ? most : Math.floor((passed + failed) / 2);
    if (await passes(candidate)) passed = candidate;
    else failed = candidate;
  }
  return passed;
}
