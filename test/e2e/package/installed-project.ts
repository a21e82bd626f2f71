import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { buildPackage } from '../../../scripts/build.ts';

/** A project of somebody who has installed the packed library and nothing else. */
export interface InstalledProject {
  readonly folder: string;
  /** The library as it was unpacked. */
  readonly packageFolder: string;
  /** Runs a program of Node in the project. Returns what it printed. */
  runNode(args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
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
    runNode: (args) => run(process.execPath, args, { cwd: folder }),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** A page built by Vite that imports the library, its assets beside it as the README says. Returns its folder. */
export async function buildBundlerPage(project: InstalledProject): Promise<string> {
  const source = join(project.folder, 'bundler-page');
  const output = join(project.folder, 'bundler-site');
  await cp(join(HERE, 'bundler-page'), source, { recursive: true });
  await build({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'error',
    build: { outDir: output, emptyOutDir: true, chunkSizeWarningLimit: 4000 },
  });
  const dist = join(project.packageFolder, 'dist');
  for (const asset of ['embedding-worker.js', 'ort-wasm-simd.wasm', 'models'])
    await cp(join(dist, asset), join(output, 'mnemora', asset), { recursive: true });
  return output;
}

/** A page with a script tag, and the library's files served as they were unpacked. Returns its folder. */
export async function layOutScriptPage(project: InstalledProject): Promise<string> {
  const output = join(project.folder, 'script-site');
  await cp(join(HERE, 'script-page'), output, { recursive: true });
  await cp(join(project.packageFolder, 'dist'), join(output, 'mnemora'), { recursive: true });
  return output;
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
