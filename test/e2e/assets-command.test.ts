import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildPackage } from '../../scripts/build.ts';

const ASSETS = [
  'embedding-worker.LICENSES.txt',
  'embedding-worker.js',
  'mnemora.global.LICENSES.txt',
  'models/use-lite/LICENSE',
  'models/use-lite/NOTICE',
  'models/use-lite/config.json',
  'models/use-lite/onnx/model_quantized.onnx',
  'models/use-lite/tokenizer.json',
  'models/use-lite/tokenizer_config.json',
  'ort-wasm-simd.wasm',
  'ranks/cl100k_base.js',
  'ranks/o200k_base.js',
  'tagging-worker.js',
  'word-classes.js',
];

let packageFolder: string;
let temporary: string;
let folder: string;
let count = 0;

beforeAll(async () => {
  packageFolder = await buildPackage();
  temporary = await mkdtemp(join(tmpdir(), 'mnemora-assets-'));
}, 180_000);

beforeEach(() => {
  folder = join(temporary, String(++count));
});

afterAll(() => rm(temporary, { recursive: true, force: true }));

describe('mnemora assets', () => {
  it('PKG-15: creates the folder and copies what a page must serve, and nothing else', async () => {
    const target = join(folder, 'public/mnemora');
    expect(await mnemora('assets', target)).toMatchObject({ code: 0, stderr: '' });
    expect(await listFiles(target)).toEqual(ASSETS);
    await expectCopies(target);
  });

  it('PKG-15: prints the names and sizes of what it copied, their sum, and the page policy that the guide names', async () => {
    const { stdout } = await mnemora('assets', folder);
    const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '));
    let total = 0;
    for (const file of ASSETS) {
      const { size } = await stat(join(packageFolder, file));
      total += size;
      expect(lines).toContain(`${file} ${kilobytes(size)}`);
    }
    expect(lines).toContain(`${ASSETS.length} files ${kilobytes(total)}`);
    const guide = await readFile(join(packageFolder, '../demo/docs/bundlers-and-policies.md'), 'utf8');
    const policy = /script-src 'self'.*<your model>/.exec(stdout)?.[0];
    expect(policy).toContain("'wasm-unsafe-eval'");
    expect(guide).toContain(`\`${policy}\``);
  });

  it('PKG-15: copies the script for a page without a bundler where it is asked to', async () => {
    expect(await mnemora('assets', '--script-tag', folder)).toMatchObject({ code: 0 });
    expect(await listFiles(folder)).toEqual([...ASSETS, 'mnemora.global.js'].toSorted());
  });

  it('PKG-16: leaves other files alone, and changes nothing when it runs again', async () => {
    await mkdir(join(folder, 'models/mine'), { recursive: true });
    const others = ['index.html', 'models/mine/config.json'];
    for (const file of others) await writeFile(join(folder, file), `my ${file}`);
    await mnemora('assets', folder);
    const before = await stat(join(folder, 'embedding-worker.js'));
    const again = await mnemora('assets', folder);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout.match(/ kB {2}unchanged$/gm)).toHaveLength(ASSETS.length);
    expect((await stat(join(folder, 'embedding-worker.js'))).mtimeMs).toBe(before.mtimeMs);
    expect(await listFiles(folder)).toEqual([...ASSETS, ...others].toSorted());
    for (const file of others) expect(await readFile(join(folder, file), 'utf8')).toBe(`my ${file}`);
  });

  it('PKG-16: replaces what an earlier version of it copied', async () => {
    await mnemora('assets', folder);
    const old = ['embedding-worker.js', 'models/use-lite/config.json'];
    for (const file of old) await writeFile(join(folder, file), 'of an earlier version');
    expect(await mnemora('assets', folder)).toMatchObject({ code: 0, stderr: '' });
    await expectCopies(folder);
  });

  it('PKG-16: copies nothing where a file that it has not copied has the name of one of its own', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'word-classes.js'), 'mine');
    const { code, stdout, stderr } = await mnemora('assets', folder);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^mnemora: .*word-classes\.js exists and was not copied by this command\. .*\n$/);
    expect(await listFiles(folder)).toEqual(['word-classes.js']);
    expect(await readFile(join(folder, 'word-classes.js'), 'utf8')).toBe('mine');
  });

  it.each([
    ['a file', '', /is a file, not a folder/],
    ['a place below a file', 'below/it', /is a file, not a folder/],
  ])('PKG-17: refuses %s in one line', async (_name, below, reason) => {
    await writeFile(folder, 'a file');
    const { code, stdout, stderr } = await mnemora('assets', join(folder, below));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^mnemora: .+\n$/);
    expect(stderr).toMatch(reason);
    expect(await readFile(folder, 'utf8')).toBe('a file');
  });

  it.each([
    ['a folder that cannot be created', ''],
    ['a folder in it', 'deeper'],
  ])('PKG-17: refuses %s in one line that names it', async (_name, below) => {
    // Nobody may write here, root included.
    const target = join('/proc/mnemora', below);
    const { code, stdout, stderr } = await mnemora('assets', target);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^mnemora: cannot copy to .+\n$/);
    expect(stderr).toContain(target);
  });
});

describe('the command', () => {
  it.each([[[]], [['--help']], [['assets', '--help']]])('PKG-18: prints its usage for %j', async (args) => {
    const { code, stdout, stderr } = await mnemora(...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: npx mnemora assets DIR/);
  });

  it.each([
    [['asset', 'x'], 'there is no command "asset"'],
    [['assets'], 'assets needs the folder'],
    [['assets', ''], 'assets needs the folder'],
    [['assets', 'x', 'y'], 'assets takes one folder'],
    [['assets', 'x', '--force'], "Unknown option '--force'"],
    [['--force'], "Unknown option '--force'"],
  ])('PKG-18: refuses %j with the reason and its usage', async (args, reason) => {
    const { code, stdout, stderr } = await mnemora(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n')[0]).toMatch(new RegExp(`^mnemora: ${reason}`));
    expect(stderr).toContain('Usage: npx mnemora assets DIR');
  });
});

function mnemora(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    // In a folder of its own: a path that is taken for a good one must not leave files in this project.
    const options = { cwd: temporary, timeout: 60_000 };
    execFile(process.execPath, [join(packageFolder, 'cli.js'), ...args], options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

async function expectCopies(target: string): Promise<void> {
  for (const file of ASSETS) {
    const [copied, original] = await Promise.all([
      readFile(join(target, file)),
      readFile(join(packageFolder, file)),
    ]);
    expect(copied.equals(original), file).toBe(true);
  }
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
