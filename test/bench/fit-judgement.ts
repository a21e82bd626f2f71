import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConversations } from './recall/locomo.ts';
import type { EverydayRequest, NaturalChat } from '../fit/corpus.ts';
import { fitGate } from '../fit/fit-gate.ts';
import { measureLocomo } from '../fit/locomo-gate.ts';
import { fitStatements, type StatementTable } from '../fit/fit-statements.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { everyday: { type: 'string' }, locomo: { type: 'string' } },
});
const [file] = positionals;
if (file === undefined || values.everyday === undefined) {
  console.log('Name the files: npm run fit:judgement -- natural-chats.json --everyday everyday.json');
} else {
  main(read(file) as NaturalChat[], read(values.everyday) as EverydayRequest[]);
}

function main(chats: readonly NaturalChat[], everyday: readonly EverydayRequest[]): void {
  const statements = fitStatements(chats, everyday);
  console.log('Statements, by weights fitted without their conversation, %:', statements.report);
  const gate = fitGate(chats, everyday, statements.table);
  console.log('Gate, by weights fitted without the chat and its questions, %:');
  console.log(`area under the curve ${gate.report.auc}, framed ${gate.report.aucFramed}`);
  console.table(gate.report.rows.map(({ keptByKind, ...row }) => ({ ...row, ...keptByKind })));
  if (values.locomo !== undefined) {
    const conversations = readConversations(readFileSync(values.locomo, 'utf8'));
    const unrelated = chats.flatMap(({ asks }) => asks.filter(({ kind }) => kind === 'unrelated'));
    const weights = { statements: statements.table, gate: gate.table };
    const questions = unrelated.map(({ question }) => question);
    console.log('Gate in LoCoMo at its default, %:', measureLocomo(conversations, questions, weights));
  }
  writeTable('src/learning/claims/claim-weights.ts', 'CLAIM_WEIGHTS', compact(statements.table));
  writeTable('src/recall/gate/score-question.ts', 'GATE_WEIGHTS', JSON.stringify(gate.table, null, 2));
  writeFileSync(
    path('test/fixtures/data/judgement-weights.json'),
    `${JSON.stringify({ statements: { table: statements.table, report: statements.report }, gate }, null, 2)}
`,
  );
  execFileSync(
    'npx',
    ['oxfmt', 'test/fixtures/data/judgement-weights.json', 'src/learning/claims', 'src/recall/gate'],
    {
      cwd: path('.'),
    },
  );
}

/** Returns the code of a table whose features are pairs in a template string. */
function compact({ features, ...table }: StatementTable): string {
  const pairs = Object.entries(features).map(([name, weight]) => `${name}:${weight}`);
  const lines = pairs.join(' ').replaceAll(/(.{1,96})(?: |$)/gu, '    $1\n');
  return `${JSON.stringify(table).slice(0, -1)}, features: /* @__PURE__ */ parseWeights(\`\n${lines}  \`) }`;
}

/** Replaces the object with this name in a source file, and keeps the rest of the file. */
function writeTable(source: string, name: string, table: string): void {
  const code = readFileSync(path(source), 'utf8');
  const start = code.indexOf('{', code.indexOf(`export const ${name}`));
  const end = code.indexOf('};', start) + 1;
  if (start < 0 || end < 1) throw new Error(`${source} has no table ${name}.`);
  writeFileSync(path(source), code.slice(0, start) + table + code.slice(end));
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(name, 'utf8'));
}

function path(name: string): string {
  return new URL(`../../${name}`, import.meta.url).pathname;
}
