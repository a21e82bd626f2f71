import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The part of a package's entry in the lock file that is used here. */
interface LockedPackage {
  version?: string;
  license?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type LockFile = Readonly<Record<string, LockedPackage>>;

/** Licenses that ask for no more than their own text. */
const LICENSES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** Packages that were once published with foreign code in them, at the versions that held it. */
const TAMPERED: Readonly<Record<string, readonly string[]>> = {
  'ansi-regex': ['6.2.1'],
  'ansi-styles': ['6.2.2'],
  chalk: ['5.6.1'],
  coa: ['2.0.3', '2.0.4', '2.1.1', '2.1.3', '3.0.1', '3.1.3'],
  colors: ['1.4.1', '1.4.2'],
  debug: ['4.4.2'],
  'event-stream': ['3.3.6'],
  faker: ['6.6.6'],
  'flatmap-stream': ['0.1.1', '0.1.2'],
  'node-ipc': ['9.2.2', '10.1.1', '10.1.2', '11.0.0', '11.1.0'],
  rc: ['1.2.9', '1.3.9', '2.3.9'],
  'strip-ansi': ['7.1.1'],
  'ua-parser-js': ['0.7.29', '0.8.0', '1.0.0'],
};

const { packages } = JSON.parse(
  await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as { packages: LockFile };

describe('the runtime dependencies', () => {
  it('PKG-9: the lock file has the six named packages at run time, and what they need', () => {
    expect([...runtimeTree(packages)].map(nameOf).toSorted()).toEqual([
      '@noble/hashes',
      'base64-js',
      'compromise',
      'efrt',
      'events',
      'grad-school',
      'graphology',
      'graphology-types',
      'idb',
      'js-tiktoken',
      'stemmer',
      'suffix-thumb',
    ]);
  });

  it.each([...runtimeTree(packages)])('PKG-10: %s has no install script and a permissive license', (path) => {
    expect(packages[path]?.hasInstallScript).toBeUndefined();
    expect(LICENSES).toContain(packages[path]?.license);
  });
});

describe('the lock file', () => {
  it('PKG-11: the lock file contains no version that is known to be compromised', () => {
    const found = Object.entries(packages).filter(([path, { version = '' }]) =>
      TAMPERED[nameOf(path)]?.includes(version),
    );
    expect(found.map(([path]) => path)).toEqual([]);
  });

  it('PKG-12: every package in the lock file comes from the registry, with its hash', () => {
    const odd = Object.entries(packages).filter(
      ([path, entry]) => path !== '' && !('integrity' in entry && !('link' in entry)),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
  });
});

/** Paths of all packages that come along with the library. */
function runtimeTree(lock: LockFile, from = '', seen: Set<string> = new Set()): Set<string> {
  const {
    dependencies,
    optionalDependencies,
    peerDependencies = {},
    peerDependenciesMeta,
  } = lock[from] ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const path = resolveIn(lock, from, name);
    if (seen.has(path)) continue;
    seen.add(path);
    runtimeTree(lock, path, seen);
  }
  return seen;
}

/** Looks for a package as Node does: in the folder of the package that asks, then further out. */
function resolveIn(lock: LockFile, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock[path]) return path;
    if (folder === '') throw new Error(`The lock file lacks ${name}, which ${from || 'the library'} needs.`);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
