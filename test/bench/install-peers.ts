import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStamped, stamp } from '../../scripts/asset-cache.ts';

const HERE = import.meta.dirname;

/** Installs the libraries that speed is measured against, unless they are here as the lock file lists them. */
export async function installPeers(): Promise<void> {
  const lock = createHash('sha256').update(readFileSync(join(HERE, 'package-lock.json')));
  const inputs = lock.digest('hex');
  if (existsSync(join(HERE, 'node_modules')) && (await isStamped('bench-peers', inputs))) return;
  console.log('Installing the libraries to measure against into test/bench/node_modules.');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', HERE];
  const { status } = spawnSync('npm', ['ci', ...options], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The libraries to measure against could not be installed.');
  await stamp('bench-peers', inputs);
}
