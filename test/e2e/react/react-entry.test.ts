import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildPackage } from '../../../scripts/build.ts';

it("RCT-17: the built entry for React begins with 'use client'", async () => {
  const entry = await readFile(join(await buildPackage(), 'integrations/react.js'), 'utf8');
  expect(entry).toMatch(/^(['"])use client\1;/);
}, 180_000);
