import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

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
 * Returns the path of a Chromium: `MNEMORA_CHROMIUM`, otherwise one on the PATH, otherwise Playwright's own; undefined if
 * there is none.
 */
export function findChromium(): string | undefined {
  const named = process.env['MNEMORA_CHROMIUM'];
  if (named) {
    if (!isExecutable(named)) throw new Error(`MNEMORA_CHROMIUM is ${named}, which is no program.`);
    return named;
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    isExecutable,
  );
  if (onPath) return onPath;
  return isExecutable(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** Returns the path of a Chromium, which is installed if needed: by Playwright, or (as root on Debian) by apt. */
export function requireChromium(): string {
  const found = findChromium() ?? installWithPlaywright() ?? installWithApt();
  if (found) return found;
  throw new Error(
    'No Chromium here and none could be installed: run "npx playwright install chromium", or install your system\'s chromium, or set MNEMORA_CHROMIUM to its path.',
  );
}

function installWithPlaywright(): string | undefined {
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  return findChromium();
}

function installWithApt(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    execFileSync('apt-get', ['update'], { stdio: 'inherit' });
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'inherit' });
  } catch {
    return undefined; // the caller says what to do
  }
  return findChromium();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
