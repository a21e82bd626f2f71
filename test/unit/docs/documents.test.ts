import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCUMENTS } from '../../docs/code-blocks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LINK = /\]\((?!https?:)([^)#\s]+)/gu;

it('DOC-3: README has at most 250 lines', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(250);
});

it('DOC-3: every link to a file of the repository leads to one', () => {
  const links = DOCUMENTS.flatMap((document) =>
    Array.from(readFileSync(join(ROOT, document), 'utf8').matchAll(LINK), ([, target = '']) => ({
      document,
      target,
    })),
  );
  expect(links.length).toBeGreaterThan(0);
  const missing = links.filter(({ document, target }) => !existsSync(join(ROOT, dirname(document), target)));
  expect(missing).toEqual([]);
});
