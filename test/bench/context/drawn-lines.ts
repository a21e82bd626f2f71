import { seededRandom } from '../recall/seeded-random.ts';

const SEED = 1;

/** Draws lines without repetition, by a fixed seed. */
export function drawnLines(lines: readonly string[], count: number): string[] {
  const random = seededRandom(SEED);
  const left = [...lines];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}
