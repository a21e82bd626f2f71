import { execFileSync } from 'node:child_process';
import { accessSync, closeSync, constants, ftruncateSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const SIZE_BYTES = 512 * 1024 * 1024;
const MOST_COPIES = 20;

/**
 * A disk that can lose power: an ext4 file system in a file, on a loop device with direct I/O. What the file system has
 * not written to its device is in no copy of the file, because the page cache of the host holds nothing of it.
 */
export class PowerCutDisk {
  readonly #folder: string;
  #device = '';

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes an empty disk, with its files in this folder. */
  static create(folder: string): PowerCutDisk {
    const disk = new PowerCutDisk(folder);
    mkdirSync(disk.path);
    const file = openSync(disk.#image, 'w');
    ftruncateSync(file, SIZE_BYTES);
    closeSync(file);
    run('mkfs.ext4', '-q', '-F', disk.#image);
    disk.#mount();
    return disk;
  }

  /** Where the disk is mounted. */
  get path(): string {
    return join(this.#folder, 'disk');
  }

  get #image(): string {
    return join(this.#folder, 'image');
  }

  /**
   * Copies what is on the device now, as a power cut would leave it. Nothing may write to the disk meanwhile, so its
   * writers are stopped first; the copy is made again if the file system wrote something of its own during it.
   */
  cut(): void {
    const copy = `${this.#image}-copy`;
    for (let n = 0; n < MOST_COPIES; n += 1) {
      run('dd', `if=${this.#image}`, `of=${copy}`, 'bs=4M', 'iflag=direct', 'conv=sparse', 'status=none');
      if (this.#isCopied(copy)) return;
    }
    throw new Error('The disk was written to during each copy.');
  }

  /** Puts the copy in the place of the disk, and mounts it, which replays the journal. All that used it has ended. */
  restart(): void {
    this.remove();
    renameSync(`${this.#image}-copy`, this.#image);
    this.#mount();
  }

  /** Unmounts it. */
  remove(): void {
    run('umount', '-l', this.path);
    run('losetup', '--detach', this.#device);
  }

  #mount(): void {
    this.#device = run('losetup', '--find', '--show', '--direct-io=on', this.#image).trim();
    run('mount', this.#device, this.path);
  }

  #isCopied(copy: string): boolean {
    try {
      const again = `dd if='${this.#image}' bs=4M iflag=direct status=none | cmp -s - '${copy}'`;
      execFileSync('sh', ['-c', again], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }
}

/** Says why no disk can be made here; undefined where it can. */
export function whyNoPowerCut(): string | undefined {
  if (process.platform !== 'linux') return 'it needs the loop devices of Linux';
  if (process.getuid?.() !== 0) return 'it needs root, to mount a file';
  try {
    accessSync('/dev/loop-control', constants.W_OK);
    run('losetup', '--find');
    run('mkfs.ext4', '-V');
    return undefined;
  } catch (error) {
    return `no loop device can be used: ${String(error)}`;
  }
}

function run(command: string, ...flags: readonly string[]): string {
  return execFileSync(command, flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
