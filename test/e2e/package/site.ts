import { createHash } from 'node:crypto';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';
import type { InstalledProject } from './installed-project.ts';

/** Pages of somebody who has installed the packed library, each made in another way, in a folder of its own. */
export interface Site {
  /** Served as a whole: the assets are in `mnemora/`, where README has the command copy them. */
  readonly folder: string;
  /** What `script-src` needs for the import map of the page without a bundler, which can only be inline. */
  readonly importMapSource: string;
}

/** Packages that the published modules import. */
const IMPORTED_PACKAGES = [
  '@noble/hashes/hmac.js',
  '@noble/hashes/sha2.js',
  '@noble/hashes/utils.js',
  'graphology',
  'idb',
  'js-tiktoken/lite',
  'stemmer',
];
/** What they import when it is first needed, and where it lies among the assets. */
const IMPORTED_ASSETS = {
  'compromise/two': '/mnemora/word-classes.js',
  'js-tiktoken/ranks/cl100k_base': '/mnemora/ranks/cl100k_base.js',
  'js-tiktoken/ranks/o200k_base': '/mnemora/ranks/o200k_base.js',
};

export async function layOutSite(project: InstalledProject): Promise<Site> {
  const folder = join(project.folder, 'site');
  const source = join(project.folder, 'pages');
  await cp(join(import.meta.dirname, 'pages'), source, { recursive: true });
  await project.run('npx', ['--no', 'mnemora', 'assets', '--script-tag', join(folder, 'mnemora')]);
  await buildWithVite(source, join(folder, 'vite'));
  await buildWithEsbuild(source, join(folder, 'esbuild'), { splitting: true });
  await buildWithEsbuild(source, join(folder, 'esbuild-one-file'), {});
  await buildWithEsbuild(source, join(folder, 'esbuild-with-assets'), {
    alias: IMPORTED_ASSETS,
    external: ['/mnemora/*'],
  });
  await buildWithWebpack(source, join(folder, 'webpack'));
  await layOutScriptPage(source, join(folder, 'script'));
  const importMapSource = await layOutModulePage(project, join(folder, 'modules'));
  return { folder, importMapSource };
}

async function buildWithVite(source: string, output: string): Promise<void> {
  await writePage(source, '<script type="module" src="./main.js"></script>');
  await writePage(source, '<script type="module" src="./starts-worker.js"></script>', 'worker.html');
  await viteBuild({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'error',
    // The default, one classic script, cannot load a part of it later.
    worker: { format: 'es' },
    build: {
      outDir: output,
      emptyOutDir: true,
      chunkSizeWarningLimit: 4000,
      rolldownOptions: { input: [join(source, 'index.html'), join(source, 'worker.html')] },
    },
  });
}

async function buildWithEsbuild(
  source: string,
  output: string,
  options: esbuild.BuildOptions,
): Promise<void> {
  const { warnings } = await esbuild.build({
    absWorkingDir: source,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    outdir: output,
    logLevel: 'silent',
    ...options,
  });
  if (warnings.length > 0) throw new Error(`esbuild warned: ${JSON.stringify(warnings)}`);
  await writePage(output, '<script type="module" src="./main.js"></script>');
}

async function buildWithWebpack(source: string, output: string): Promise<void> {
  const config: webpack.Configuration = {
    mode: 'production',
    context: source,
    entry: './main.js',
    output: { path: output, filename: 'main.js' },
    performance: { hints: false },
  };
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    webpack(config, (error, result) => (error ? reject(error) : resolve(result)));
  });
  if (!stats || stats.hasErrors() || stats.hasWarnings())
    throw new Error(`webpack complained: ${stats?.toString('errors-warnings')}`);
  await writePage(output, '<script defer src="./main.js"></script>');
}

async function layOutScriptPage(source: string, output: string): Promise<void> {
  await writePage(
    output,
    `<script src="/mnemora/mnemora.global.js"></script>
    <script type="module" src="./script.js"></script>`,
  );
  for (const file of ['script.js', 'scenario.js']) await cp(join(source, file), join(output, file));
}

/** The modules as they are published, and the packages that they import, some of which are CommonJS, as a module each. */
async function layOutModulePage(project: InstalledProject, output: string): Promise<string> {
  const source = join(project.folder, 'pages');
  await esbuild.build({
    absWorkingDir: source,
    entryPoints: IMPORTED_PACKAGES.map((name) => ({ in: name, out: name.replace(/\.js$/, '') })),
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: join(output, 'packages'),
  });
  await symlink(join(project.packageFolder, 'dist'), join(output, 'mnemora'));
  for (const file of ['main.js', 'scenario.js']) await cp(join(source, file), join(output, file));
  const packages = IMPORTED_PACKAGES.map((name) => [
    name,
    `/modules/packages/${name.replace(/(?:\.js)?$/, '.js')}`,
  ]);
  const importMap = JSON.stringify({
    imports: { mnemora: '/modules/mnemora/index.js', ...Object.fromEntries(packages), ...IMPORTED_ASSETS },
  });
  await writePage(
    output,
    `<script type="importmap">${importMap}</script>
    <script type="module" src="./main.js"></script>`,
  );
  return `'sha256-${createHash('sha256').update(importMap).digest('base64')}'`;
}

async function writePage(folder: string, scripts: string, name = 'index.html'): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, name),
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>A page with a memory</title>
    ${scripts}
  </head>
</html>
`,
  );
}
