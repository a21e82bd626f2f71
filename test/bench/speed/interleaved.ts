/** A task to measure. If it returns a function, that is called after the measurement, to clean up. */
type Task = () => unknown;

/**
 * Returns the median time of each task in milliseconds. The tasks are interleaved, so that other load on the machine
 * affects all of them equally; the first tenth of the rounds is a warm-up and is not counted.
 */
export async function measureInterleaved<Name extends string>(
  tasks: Readonly<Record<Name, Task>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  const warmUpRounds = Math.ceil(rounds / 10);
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      if (name === undefined) continue;
      const start = performance.now();
      const putAway = await tasks[name]();
      const time = performance.now() - start;
      if (typeof putAway === 'function') await putAway();
      if (round >= warmUpRounds) times.get(name)?.push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
