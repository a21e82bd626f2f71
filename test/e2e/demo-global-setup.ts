import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildDemo } from '../../scripts/build-demo.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the built demo. Tests serve it and change nothing in it. */
    demoFolder: string;
  }
}

/** Builds the demo once for all files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outputFolder = await mkdtemp(join(tmpdir(), 'mnemora-demo-'));
  project.provide('demoFolder', await buildDemo({ outputFolder }));
  return () => rm(outputFolder, { recursive: true, force: true });
}
