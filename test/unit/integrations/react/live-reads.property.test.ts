import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LiveReads } from '../../../../src/integrations/react/live-reads.ts';
import type { Memory } from '../../../../src/index.ts';

/** One call of the memory, and how it has ended. */
interface Call {
  readonly key: string;
  /** Number of changes before it began. */
  readonly version: number;
  readonly signal: AbortSignal;
  outcome: 'open' | 'answered' | 'failed';
  settle(outcome: 'answered' | 'failed'): void;
}

interface Answer {
  readonly key: string;
  readonly version: number;
}

/** A memory whose reads end when the test says so, and which ignores signals as the page's own parts may. */
function slowMemory() {
  const listeners = new Set<() => void>();
  const calls: Call[] = [];
  const counts = { version: 0, added: 0, removed: 0, begunAborted: 0 };
  const memory = {
    addEventListener: (_type: string, listener: () => void) => {
      counts.added += 1;
      listeners.add(listener);
    },
    removeEventListener: (_type: string, listener: () => void) => {
      if (listeners.delete(listener)) counts.removed += 1;
    },
  } as unknown as Memory;
  const change = (): void => {
    counts.version += 1;
    for (const listener of listeners) listener();
  };
  const read = (key: string, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { version } = counts;
      if (signal.aborted) counts.begunAborted += 1;
      const call: Call = {
        key,
        version,
        signal,
        outcome: 'open',
        settle: (outcome) => {
          call.outcome = outcome;
          if (outcome === 'answered') resolve({ key, version });
          else reject(new Error(`${key} ${version}`));
        },
      };
      calls.push(call);
    });
  const open = (): Call[] => calls.filter(({ outcome }) => outcome === 'open');
  return { memory, change, read, calls, open, counts };
}

/** Resolves after all that promises have led to. */
const allDone = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const KEYS = ['a', 'b', 'c'];
const step = fc.oneof(
  fc.constant({ type: 'change' } as const),
  fc.record({
    type: fc.constant('settle' as const),
    which: fc.nat(5),
    outcome: fc.constantFrom('answered' as const, 'failed' as const),
  }),
  fc.record({ type: fc.constant('mount' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({ type: fc.constant('unmount' as const), which: fc.nat(5) }),
  // As a component does whose arguments change: it leaves and subscribes in one task.
  fc.record({
    type: fc.constant('turn to' as const),
    which: fc.nat(5),
    key: fc.constantFrom(...KEYS),
  }),
  fc.constant({ type: 'wait' } as const),
);

it('RCT-4: whatever happens in whatever order, every subscriber ends with the newest answer to its arguments, and nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { memory, change, read, calls, open, counts } = slowMemory();
      const reads = new LiveReads((_memory, [key]: readonly [string], signal) => read(key, signal));
      const mounted: { key: string; leave: () => void }[] = [];
      const seen = new Map<string, number>();

      const mountOne = (key: string): void => {
        const leave = reads.subscribe(memory, key, [key], () => {
          const { data } = reads.state(memory, key);
          if (!data) return;
          expect(data.key).toBe(key);
          expect(data.version).toBeGreaterThanOrEqual(seen.get(key) ?? 0);
          seen.set(key, data.version);
        });
        mounted.push({ key, leave });
      };
      const unmountOne = (which: number): void => mounted.splice(which % mounted.length, 1)[0]?.leave();

      for (const each of steps) {
        const pending = open();
        if (each.type === 'change') change();
        else if (each.type === 'settle') pending[each.which % pending.length]?.settle(each.outcome);
        else if (each.type === 'mount') mountOne(each.key);
        else if (each.type === 'unmount') unmountOne(each.which);
        else if (each.type === 'wait') await allDone();
        else if (mounted.length > 0) {
          unmountOne(each.which);
          mountOne(each.key);
        }
        const wanted = open().filter(({ signal }) => !signal.aborted);
        expect(new Set(wanted.map(({ key }) => key)).size).toBe(wanted.length);
      }

      await allDone();
      for (let left = open(); left.length > 0; left = open()) {
        for (const call of left) call.settle('answered');
        await allDone();
      }
      for (const { key } of mounted) {
        const last = calls.findLast((call) => call.key === key && !call.signal.aborted);
        expect(last?.version).toBe(counts.version);
        const { data, error, isLoading } = reads.state(memory, key);
        expect(isLoading).toBe(false);
        if (last?.outcome === 'answered')
          expect({ data, error }).toEqual({ data: { key, version: last.version } });
        else expect(error?.message).toBe(`${key} ${counts.version}`);
      }

      for (const { leave } of mounted) leave();
      await allDone();
      expect(counts.removed).toBe(counts.added);
      expect(counts.begunAborted).toBe(0);
      const callsBefore = calls.length;
      change();
      expect(calls).toHaveLength(callsBefore);
      expect(calls.filter(({ signal }) => !signal.aborted)).toEqual([]);
      for (const key of KEYS)
        expect(reads.state(memory, key)).toMatchObject({ isLoading: true, data: undefined });
    }),
    { numRuns: 500 },
  );
});

it('RCT-3: any number of changes during a read cause one more read, and its answer is shown last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }), async (bursts) => {
      const { memory, change, read, calls, open } = slowMemory();
      const reads = new LiveReads((_memory, [key]: readonly [string], signal) => read(key, signal));
      const leave = reads.subscribe(memory, 'a', ['a'], () => undefined);
      let changes = 0;
      for (const burst of bursts) {
        for (let nth = 0; nth < burst; nth++) change();
        changes += burst;
        open()[0]?.settle('answered');
        await allDone();
        expect(open()).toHaveLength(1);
      }
      open()[0]?.settle('answered');
      await allDone();
      expect(calls).toHaveLength(bursts.length + 1);
      expect(reads.state(memory, 'a')).toEqual({ data: { key: 'a', version: changes }, isLoading: false });
      leave();
    }),
  );
});

it('RCT-8: who subscribes in the task in which the last one leaves takes over its answer, and no read begins', async () => {
  const { memory, read, calls, open, counts } = slowMemory();
  const reads = new LiveReads((_memory, [key]: readonly [string], signal) => read(key, signal));
  const leave = reads.subscribe(memory, 'a', ['a'], () => undefined);
  open()[0]?.settle('answered');
  await allDone();
  const before = reads.state(memory, 'a');
  leave();
  leave();
  const leaveAgain = reads.subscribe(memory, 'a', ['a'], () => undefined);
  await allDone();
  expect(reads.state(memory, 'a')).toBe(before);
  expect(calls).toHaveLength(1);
  leaveAgain();
  await allDone();
  expect(counts).toMatchObject({ added: 1, removed: 1 });
});
