import { seededRandom } from '../recall/seeded-random.ts';

/** Returns random vectors of unit length. */
export function randomUnits(count: number, dimensions: number, seed: number): Float32Array<ArrayBuffer>[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}
