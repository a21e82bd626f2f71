/**
 * `npm run bench:long -- SCORER FILE [--crowd FILE] [--budget N]`: measures how much of the details in long answers and
 * documents a context contains, in Chromium, with default options and the offline model.
 *
 * SCORER is a module that exports `scoreLong` and `asOneDocument`; FILE has conversations with questions; the crowd is a
 * list of short messages said before. Two lines of JSON: the conversations one by one, then all of their long texts as
 * one pasted document.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { withBenchPage } from './bench-page.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { crowd: { type: 'string' }, budget: { type: 'string', default: '1000' } },
});
const [scorer, file] = positionals;
if (scorer === undefined || file === undefined) {
  process.stderr.write('npm run bench:long -- SCORER FILE [--crowd FILE] [--budget N]\n');
  process.exitCode = 2;
} else {
  const source = await readFile(scorer, 'utf8');
  const cases = JSON.parse(await readFile(file, 'utf8')) as unknown[];
  const crowd =
    values.crowd === undefined ? [] : (JSON.parse(await readFile(values.crowd, 'utf8')) as unknown[]);
  const request = { kind: 'Long', cases, embeds: true, options: { budget: Number(values.budget), crowd } };
  const asOne = `${source}
export const scoreDocument = (cases, open, options) => scoreLong(asOneDocument(cases), open, { ...options, crowd: [] });`;
  const page = { path: 'test/bench/truth/truth-page.html', global: 'scoreTruth' };
  for (const kind of ['Long', 'Document']) {
    const { score } = await withBenchPage(page, (opened) =>
      opened.evaluate((asked) => window.scoreTruth(asked), { ...request, source: asOne, kind }),
    );
    console.log(kind, JSON.stringify(score));
  }
}
