import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileWat } from '../../../scripts/compile-wat.ts';

const run = promisify(execFile);
/** In the repository, so that what is not bundled is found. */
let folder = '';

beforeAll(async () => {
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync('.cache/node-exit-');
  await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [compileWat()],
    build: {
      ssr: 'src/index.ts',
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: 'mnemora.mjs' } },
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program prints that has this much time to end by itself. */
async function printedBy(program: string): Promise<string> {
  const file = `${folder}/${program.length}.mjs`;
  writeFileSync(file, `import * as Mnemora from './mnemora.mjs';\n${program}`);
  const { stdout } = await run(process.execPath, [file], { timeout: 300_000 });
  return stdout.trim();
}

const REMEMBER = `
const embedder = {
  id: 'letters', dimensions: 2, ready: async () => undefined,
  embed: async (texts) => texts.map((text) => Float32Array.of(text.length, 1)),
  close: async () => undefined,
};
const memory = await Mnemora.createMemory({ storage: 'memory', embedder: EMBEDDER });
await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
const { items } = await memory.recall('What is my dog called?');
`;

it.each(['false', 'embedder'])(
  'JOB-27: a process that has remembered and recalled ends by itself, with embedder: %s',
  async (embedder) => {
    const program = `${REMEMBER.replace('EMBEDDER', embedder)}console.log(items.length);`;
    expect(await printedBy(program)).toBe('1');
  },
);

it('JOB-27: awaiting settled keeps the process running', async () => {
  const program = `${REMEMBER.replace('EMBEDDER', 'false')}await memory.work.settled();
console.log((await memory.facts.list()).map((fact) => fact.object).join());`;
  expect(await printedBy(program)).toBe('Max');
});
