import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** A family of browsers that is tested. */
export type Engine = 'chromium' | 'firefox' | 'webkit';

interface Program {
  /** Environment variable with the path of the program. */
  readonly variable: string;
  readonly names: readonly string[];
  /** Folders beside those on the PATH in which distributions install it. */
  readonly folders: () => readonly string[];
  /** Other programs without which it does not start. */
  readonly needs: readonly string[];
  /** Debian packages that install it and what it needs. */
  readonly packages: readonly string[];
}

const PROGRAMS: Readonly<Record<Engine, Program>> = {
  chromium: {
    variable: 'MNEMORA_CHROMIUM',
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    folders: () => [],
    needs: [],
    packages: ['chromium'],
  },
  firefox: {
    variable: 'MNEMORA_FIREFOX',
    names: ['firefox-esr', 'firefox'],
    folders: () => [],
    needs: [],
    packages: ['firefox-esr'],
  },
  webkit: {
    variable: 'MNEMORA_WEBKIT',
    names: ['MiniBrowser'],
    folders: webkitFolders,
    needs: ['Xvfb'],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
};

export const ENGINES: readonly Engine[] = ['chromium', 'firefox', 'webkit'];

/** Flags for tests: no sandbox, no network requests of the browser's own, no first-run page. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Returns the path of a browser with this engine: `MNEMORA_CHROMIUM`, `MNEMORA_FIREFOX` or `MNEMORA_WEBKIT`, otherwise
 * one on the PATH or where distributions install it; undefined if there is none.
 */
export function findEngine(engine: Engine): string | undefined {
  const { variable, names, folders, needs } = PROGRAMS[engine];
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const named = process.env[variable];
  if (named && !isExecutable(named)) throw new Error(`${variable} is ${named}, which is no program.`);
  if (needs.some((name) => !findProgram([name], onPath))) return undefined;
  const found = named || findProgram(names, [...onPath, ...folders()]);
  if (found || engine !== 'chromium') return found;
  return isExecutable(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** Returns the path of a browser with this engine, which is installed if it is missing and can be. */
export function requireEngine(engine: Engine): string {
  const found = findEngine(engine) ?? installEngine(engine);
  if (found) return found;
  throw new Error(`No ${engine} here and it could not be installed. ${howToInstall(engine)}`);
}

/** Installs a browser: as root on Debian with apt-get, and Chromium elsewhere with Playwright. */
export function installEngine(engine: Engine): string | undefined {
  if (process.getuid?.() === 0 && findProgram(['apt-get'], (process.env['PATH'] ?? '').split(delimiter))) {
    const { packages } = PROGRAMS[engine];
    spawnSync('apt-get', ['update'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'inherit' });
  }
  if (engine === 'chromium' && !findEngine(engine)) {
    spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  }
  return findEngine(engine);
}

/** Says in one line what to do so that this engine is found. */
export function howToInstall(engine: Engine): string {
  const { variable, packages, needs } = PROGRAMS[engine];
  const also = needs.length === 0 ? '' : ` (${needs.join(', ')} must be on the PATH)`;
  return `On Debian, "apt-get install ${packages.join(' ')}" as root installs it; elsewhere, set ${variable} to the path of the browser${also}.`;
}

/** MiniBrowser, the browser of WebKitGTK, is installed beside WebKit's own processes and not on the PATH. */
function webkitFolders(): readonly string[] {
  const foldersIn = (folder: string): readonly string[] => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return []; // this system has no such folder
    }
  };
  return ['/usr/libexec', '/usr/lib64', ...foldersIn('/usr/lib'), '/usr/lib']
    .flatMap(foldersIn)
    .filter((folder) => /webkit2?gtk-[\d.]+$/.test(folder))
    .toSorted()
    .toReversed();
}

function findProgram(names: readonly string[], folders: readonly string[]): string | undefined {
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
