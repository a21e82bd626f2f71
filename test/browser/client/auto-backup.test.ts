import { expect, it } from 'vitest';
import type { AutoBackupOptions, Memory, Warning } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const HOUR = 3_600_000;

/** Backups of a memory over a clock that the test moves. */
function scene(): {
  clock: { now: number };
  written: string[];
  warnings: Warning[];
  open: (name: string, scope?: string) => Promise<Memory>;
  write: AutoBackupOptions['write'];
} {
  const clock = { now: 1_000_000 };
  const written: string[] = [];
  const warnings: Warning[] = [];
  return {
    clock,
    written,
    warnings,
    open: (name, scope = 'user') =>
      memoryOf({
        name,
        scope,
        learning: false,
        clock: () => clock.now,
        onWarning: (each) => warnings.push(each),
      }),
    write: async (backup) => void written.push(await backup.text()),
  };
}

const tell = (memory: Memory, user: string): Promise<unknown> =>
  memory.remember({ user, assistant: 'Noted.' });

it('BAK-48: a backup is made at once if one is overdue, and then only when something has changed', async () => {
  const { clock, written, open, write } = scene();
  const name = newId();
  const memory = await open(name);
  await tell(memory, 'First.');
  const stop = await memory.backup.auto({ everyMs: HOUR, write });
  await eventually(() => expect(written).toHaveLength(1));
  expect(written[0]).toContain('First.');
  await tell(memory, 'Second.'); // too early
  clock.now += HOUR;
  await tell(memory, 'Third.');
  await eventually(() => expect(written).toHaveLength(2));
  expect(written[1]).toContain('Second.');
  expect(written[1]).toContain('Third.');
  stop();
  await memory.close();
  // The time of the last one is kept, and another scope does not count.
  const other = await open(name, 'another');
  await tell(other, 'Another.');
  await other.close();
  clock.now += HOUR;
  const again = await open(name);
  await again.backup.auto({ everyMs: HOUR, write });
  await tell(again, 'Fourth.');
  await eventually(() => expect(written).toHaveLength(3));
  expect(written[2]).toContain('Fourth.');
  expect(written[2]).not.toContain('Another.');
  await again.close();
  clock.now += HOUR;
  const late = await open(name);
  await tell(late, 'Fifth.');
  await late.backup.auto({ everyMs: HOUR, write });
  await eventually(() => expect(written).toHaveLength(4));
});

it('BAK-49: one tab at a time makes backups, and another one continues when it is closed', async () => {
  const { clock, written, open, write } = scene();
  const name = newId();
  const [first, second] = [await open(name), await open(name)];
  await tell(first, 'First.');
  await Promise.all([first, second].map((memory) => memory.backup.auto({ everyMs: HOUR, write })));
  await eventually(() => expect(written).toHaveLength(1));
  await first.close();
  clock.now += HOUR;
  await tell(second, 'Second.');
  await eventually(() => expect(written).toHaveLength(2));
  expect(written[1]).toContain('Second.');
});

it('BAK-50: a backup that fails raises a warning and is tried again, later and later', async () => {
  const { clock, written, warnings, open, write } = scene();
  const memory = await open(newId());
  await tell(memory, 'First.');
  let calls = 0;
  await memory.backup.auto({
    everyMs: HOUR,
    write: (...backup) => {
      calls += 1;
      if (calls === 1) throw new Error('The disk is full.');
      return calls === 2 ? Promise.reject(new Error('Offline.')) : write(...backup);
    },
  });
  const failed = (times: number): Promise<void> =>
    eventually(() => expect(warnings.map(({ code }) => code)).toEqual(Array(times).fill('backup-failed')));
  await failed(1);
  expect(warnings[0]?.message).toMatch(/could not be made.*The disk is full/);
  clock.now += 59_999;
  await tell(memory, 'Second.');
  clock.now += 1;
  await tell(memory, 'Third.');
  await failed(2);
  expect(calls).toBe(2);
  clock.now += 60_000;
  await tell(memory, 'Fourth.');
  clock.now += 60_000;
  await tell(memory, 'Fifth.');
  await eventually(() => expect(written).toHaveLength(1));
  expect(written[0]).toContain('Fifth.');
  expect(calls).toBe(3);
});

it('BAK-51: backups end with the returned function, the signal or the memory, also while one is being written', async () => {
  for (const way of ['stop', 'signal', 'close'] as const) {
    const { warnings, open } = scene();
    const memory = await open(newId());
    await tell(memory, 'First.');
    const stopper = new AbortController();
    let given: AbortSignal | undefined;
    const stop = await memory.backup.auto({
      everyMs: HOUR,
      signal: stopper.signal,
      write: (_backup, { signal }) => {
        given = signal;
        return new Promise(() => undefined); // never answers
      },
    });
    await eventually(() => expect(given).toBeDefined());
    expect(given?.aborted).toBe(false);
    if (way === 'stop') stop();
    else if (way === 'signal') stopper.abort();
    else await memory.close();
    expect(given?.aborted).toBe(true);
    await memory.close();
    expect(warnings).toEqual([]);
  }
});

it('BAK-51: wrong options are refused, and a passphrase encrypts', async () => {
  const { written, open, write } = scene();
  const memory = await open(newId());
  await tell(memory, 'First.');
  const wrong: object[] = [
    {},
    { write },
    { everyMs: 1 },
    { everyMs: 0, write },
    { everyMs: 1.5, write },
    { everyMs: 1, write: 'file' },
    { everyMs: 1, write, passphrase: '' },
    { everyMs: 1, write, signal: 1 },
    { everyMs: 1, write, every: 1 },
  ];
  for (const options of wrong)
    await expect(memory.backup.auto(options as AutoBackupOptions)).rejects.toMatchObject({
      code: 'invalid-option',
    });
  expect(written).toEqual([]);
  await memory.backup.auto({ everyMs: HOUR, write, passphrase: 'secret words' });
  await eventually(() => expect(written).toHaveLength(1));
  expect(written[0]).toMatch(/^\{"format":"mnemora-backup-encrypted"/);
});
