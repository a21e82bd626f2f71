import { readdir, readFile } from 'node:fs/promises';

/** Returns the ids of the processes of a group whose command line has this text. Linux only. */
export async function processesOf(group: number, command: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [stat, line] = await Promise.all(
      // A process may end while it is looked at.
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    // After the name in parentheses: state, parent, group.
    const ofGroup = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[2];
    if (Number(ofGroup) === group && line?.includes(command)) found.push(Number(pid));
  }
  return found;
}
