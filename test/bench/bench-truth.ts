/**
 * `npm run bench:truth -- SCORER KIND FILE [ended|all]`: scores what is believed, in Chromium, with the rules alone or,
 * for `Ends`, with a scripted model that names what has ended or says that all of it has.
 *
 * SCORER is a module that exports `scoreEnds`, `scoreActs`, `scorePastes`, `scoreSupport` and `scoreSummaries`; KIND is
 * `Ends`, `Acts`, `Pastes`, `Support` or `Summaries`; FILE has the cases as JSON. The last line is one line of JSON.
 */
import { readFile } from 'node:fs/promises';
import { withBenchPage } from './bench-page.ts';

const [scorer, kind, file, model] = process.argv.slice(2);
const named = (['ended', 'all'] as const).find((each) => each === model);
const isKnown = model === undefined || (named !== undefined && kind === 'Ends');
if (scorer === undefined || kind === undefined || file === undefined || !isKnown) {
  process.stderr.write('npm run bench:truth -- SCORER Ends|Acts|Pastes|Support|Summaries FILE [ended|all]\n');
  process.exitCode = 2;
} else {
  const source = await readFile(scorer, 'utf8');
  const cases = JSON.parse(await readFile(file, 'utf8')) as unknown[];
  const page = { path: 'test/bench/truth/truth-page.html', global: 'scoreTruth' };
  const { lines, score } = await withBenchPage(page, (opened) =>
    opened.evaluate((request) => window.scoreTruth(request), {
      ...{ source, kind, cases },
      ...(named ? { model: named } : {}),
    }),
  );
  for (const line of lines) console.log(line);
  console.log(JSON.stringify(score));
}
