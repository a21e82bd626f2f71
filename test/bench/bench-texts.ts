/**
 * `npm run bench:texts [-- FUNCTION…]`: the CPU time of every function that takes a text, for texts that repeat the
 * words and marks of all regular expressions in `src`. Reports what takes more than {@link REPORTED} times as long
 * when the text becomes twice as long, twice in a row.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTIONS_OF_TEXT } from '../fixtures/functions-of-text.ts';
import { LONG_TEXTS } from '../fixtures/long-texts.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const CHARACTERS = 5000;
/** Linear time gives 2, quadratic time 4. */
const REPORTED = 3;
/** Below this CPU time of the longest run, in milliseconds, the ratios are noise. */
const MEASURABLE_MS = 8;

const REGEXP = /(?<=[\s(,=:[|&!])\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[dgimsuvy]*/gu;

/** Returns what the regular expressions of a source look for: their words, and marks between letters. */
function baitsOf(source: string): string[] {
  return Array.from(source.matchAll(REGEXP)).flatMap(([pattern]) => {
    const plain = pattern.replaceAll(/\\[bBdDsSwWpPuk](?:\{[^}]*\})?/gu, ' ').replaceAll('\\', '');
    const words = plain.match(/\p{L}{2,}(?:[ '-]\p{L}+)*/gu) ?? [];
    const marks = plain.match(/[^\s\p{L}\d]/gu) ?? [];
    return [
      ...words.flatMap((word) => [`${word} `, `${word}: `]),
      ...marks.flatMap((mark) => [mark, `${mark} `, ` ${mark}a`, `a${mark}`]),
    ];
  });
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const baits = new Set(files.flatMap((file) => baitsOf(readFileSync(join(SOURCE, file), 'utf8'))));
const texts = new Map<string, (size: number) => string>([
  ...Object.entries(LONG_TEXTS),
  ...Array.from(
    baits,
    (bait) =>
      [
        JSON.stringify(bait),
        (size: number) => bait.repeat(Math.ceil(size / bait.length)).slice(0, size),
      ] as const,
  ),
]);
const chosen = process.argv.slice(2);
const functions = Object.entries(FUNCTIONS_OF_TEXT).filter(
  ([name]) => chosen.length === 0 || chosen.includes(name),
);

async function cpuTime(run: (text: string) => unknown, text: string): Promise<number> {
  const before = process.cpuUsage();
  await run(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

process.stdout.write(
  `${functions.length} functions, ${texts.size} texts of ${CHARACTERS} to ${4 * CHARACTERS} characters\n`,
);
for (const [name, run] of functions) {
  let slowest = 0;
  const grew: string[] = [];
  for (const [bait, textOf] of texts) {
    const times = [Infinity, Infinity, Infinity];
    for (let round = 0; round < 3; round += 1) {
      // The long run comes first: most texts take no measurable time at all.
      for (const at of [2, 1, 0]) {
        times[at] = Math.min(times[at] ?? Infinity, await cpuTime(run, textOf(CHARACTERS * 2 ** at)));
        if (at === 2 && (times[2] ?? 0) < MEASURABLE_MS) break;
      }
      const [short = 0, double = 0, long = 0] = times;
      if (long < MEASURABLE_MS || double < REPORTED * short || long < REPORTED * double) break;
    }
    const [short = 0, double = 0, long = 0] = times;
    slowest = Math.max(slowest, long);
    if (long >= MEASURABLE_MS && double >= REPORTED * short && long >= REPORTED * double) {
      grew.push(`${bait}: ${[short, double, long].map((time) => time.toFixed(1)).join(' / ')} ms`);
    }
  }
  process.stdout.write(`${name}: slowest ${slowest.toFixed(1)} ms, ${grew.length} grow faster\n`);
  for (const line of grew) process.stdout.write(`  ${line}\n`);
}
