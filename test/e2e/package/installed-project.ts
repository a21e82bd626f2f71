import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../../scripts/build.ts';

/** A project of somebody who has installed the packed library and nothing else. */
export interface InstalledProject {
  readonly folder: string;
  /** The library as it was unpacked. */
  readonly packageFolder: string;
  /** Runs a program in the project. Returns what it printed. */
  run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  remove(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');
const HERE = import.meta.dirname;
const run = promisify(execFile);

/** Packs the library as it would be published and installs the tarball, without running any install script. */
export async function installPackage(): Promise<InstalledProject> {
  await buildPackage();
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-package-'));
  const tarball = await pack(folder);
  await cp(join(HERE, 'project'), folder, { recursive: true });
  // Under its own name it would be part of this project, where there may be no built package to check it against.
  await rename(join(folder, 'types.ts.txt'), join(folder, 'types.ts'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await npm(folder, ['install', '--ignore-scripts', '--omit=dev', '--prefer-offline', tarball]);
  return {
    folder,
    packageFolder: join(folder, 'node_modules/mnemora'),
    run: (program, args) => run(program, args, { cwd: folder }),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function pack(folder: string): Promise<string> {
  const destination = join(folder, 'tarball');
  await mkdir(destination);
  await npm(ROOT, ['pack', '--ignore-scripts', '--pack-destination', destination]);
  const [tarball] = await readdir(destination);
  if (tarball === undefined) throw new Error('npm pack made no tarball.');
  return join(destination, tarball);
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
}
