import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, codeBlocks, writeBlocks, type CodeBlock } from '../../docs/code-blocks.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('DOC-1: every block of TypeScript in the documents compiles as it stands, under strict types', () => {
  expect(errorsOf('types', codeBlocks())).toBe('');
});

it('DOC-1: a block that does not compile is named with its document and line', () => {
  const text =
    "# Guide\n\n```ts\nimport { createMemory } from 'mnemora';\n\nawait createMemory({ nam: 'x' });\n```\n";
  expect(errorsOf('types-of-wrong', blocksOf('demo/docs/wrong.md', text))).toMatch(
    /^demo-docs-wrong-3\.ts\(3,.*nam/u,
  );
});

it('DOC-1: a block without a language is refused', () => {
  expect(() => blocksOf('README.md', 'text\n\n```\nconst x = 1;\n```\n')).toThrow('README.md:3');
});

/** Returns what the compiler says of the blocks, each of them a module of its own. */
function errorsOf(name: string, blocks: readonly CodeBlock[]): string {
  const folder = writeBlocks(name, blocks);
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
