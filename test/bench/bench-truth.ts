/**
 * `npm run bench:truth -- SCORER KIND FILE`: scores what is believed, in Chromium, with the rules alone.
 *
 * SCORER is a module that exports `scoreEnds`, `scoreActs`, `scorePastes`, `scoreSupport` and `scoreSummaries`; KIND is
 * `Ends`, `Acts`, `Pastes`, `Support` or `Summaries`; FILE has the cases as JSON. The last line is one line of JSON.
 */
import { readFile } from 'node:fs/promises';
import { withBenchPage } from './bench-page.ts';

const [scorer, kind, file] = process.argv.slice(2);
if (scorer === undefined || kind === undefined || file === undefined) {
  process.stderr.write('npm run bench:truth -- SCORER Ends|Acts|Pastes|Support|Summaries FILE\n');
  process.exitCode = 2;
} else {
  const source = await readFile(scorer, 'utf8');
  const cases = JSON.parse(await readFile(file, 'utf8')) as unknown[];
  const page = { path: 'test/bench/truth/truth-page.html', global: 'scoreTruth' };
  const { lines, score } = await withBenchPage(page, (opened) =>
    opened.evaluate((request) => window.scoreTruth(request), { source, kind, cases }),
  );
  for (const line of lines) console.log(line);
  console.log(JSON.stringify(score));
}
