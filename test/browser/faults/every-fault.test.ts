import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { FaultedLife, type LifeEnd } from '../../fixtures/faults/faulted-life.ts';
import { openFaultedMemory } from '../../fixtures/faults/faulted-memory.ts';
import {
  FAULT_KINDS,
  FAULT_SIDES,
  IdbFaults,
  type Fault,
  type FaultKind,
} from '../../fixtures/faults/idb-faults.ts';
import { importInFrame, type OtherPage } from '../../fixtures/memory-in-frame.ts';

// All rounds: VITE_MNEMORA_FAULTS=all, as `npm run test:soak` sets it. One round: VITE_MNEMORA_FAULT=kind,side,n. Otherwise
// a sixtieth of them, always the same unless VITE_MNEMORA_SEED chooses others.
const PARTS = 60;
const SEED = Number(import.meta.env['VITE_MNEMORA_SEED'] ?? 0);
const IS_ALL = import.meta.env['VITE_MNEMORA_FAULTS'] === 'all';
const REPLAYED: unknown = import.meta.env['VITE_MNEMORA_FAULT'];
const MOST_OPERATIONS = 250;
const ALL_ROUNDS_MS = 3_600_000;

/** Errors that calls may reject with. */
const CODES: Readonly<Record<FaultKind, readonly string[]>> = {
  quota: ['storage-full'],
  'null-abort': ['storage-failed'],
  unknown: ['storage-failed'],
  closed: ['storage-failed', 'storage-unavailable'],
  hang: ['storage-blocked', 'storage-failed'],
  'open-hang': ['storage-blocked', 'storage-failed'],
};

const faults = new IdbFaults();
const undo: (() => void)[] = [];
const unhandled: string[] = [];
let other: OtherPage<{ openFaultedMemory: typeof openFaultedMemory }>;
let backup: Blob;
let healthy: LifeEnd;
let rounds = 0;
let fired = 0;

beforeAll(async () => {
  other = await importInFrame(new URL('../../fixtures/faults/faulted-memory.ts', import.meta.url));
  for (const page of [window, other.page]) {
    undo.push(faults.install(page));
    const listen = (event: PromiseRejectionEvent): void => {
      event.preventDefault();
      unhandled.push(String(event.reason));
    };
    page.addEventListener('unhandledrejection', listen);
    undo.push(() => page.removeEventListener('unhandledrejection', listen));
  }
  const elsewhere = await createMemory({ name: newId(), embedder: false, sessionId: 'other' });
  await elsewhere.remember({ user: 'I work at Acme.', assistant: 'Good.' }, { turnId: 'o1' });
  await elsewhere.work.settled();
  backup = await elsewhere.backup.export();
  await elsewhere.close();
  await live(undefined); // loads all code
  healthy = await live(undefined);
  console.log(`A life of ${healthy.operations} operations; rounds are chosen by seed ${SEED}.`);
});
afterAll(() => {
  for (const each of undo) each();
  other.die();
  console.log(`${rounds} rounds, ${fired} of them with a fault.`);
});

function live(fault: Fault | undefined): Promise<LifeEnd> {
  return new FaultedLife(newId(), [openFaultedMemory, other.module.openFaultedMemory], faults).live(
    fault,
    backup,
  );
}

/** Returns the problems of one round. */
async function play(fault: Fault): Promise<readonly string[]> {
  unhandled.length = 0;
  const { state, problems, codes } = await live(fault);
  // In the frame of a page whose opening failed nothing would be counted.
  for (const { document } of [window, other.page]) document.querySelector('iframe[aria-hidden]')?.remove();
  rounds += 1;
  if (faults.fired !== undefined) fired += 1;
  const wrong = codes.filter((code) => !CODES[fault.kind].includes(code));
  const isSame = JSON.stringify(state) === JSON.stringify(healthy.state);
  return [
    ...problems,
    ...wrong.map((code) => `rejected with ${code}`),
    ...unhandled.map((reason) => `unhandled rejection: ${reason}`),
    ...(isSame || problems.length > 0 ? [] : [`left ${JSON.stringify(state)}`]),
  ];
}

it('FLT-1: without a fault a life leaves what it should', () => {
  expect(healthy.problems).toEqual([]);
  expect(healthy.operations).toBeGreaterThan(MOST_OPERATIONS * 0.8);
  expect(healthy.state).toMatchObject({
    sessions: ['chat', 'other'],
    summary: expect.stringContaining('Oslo'),
    jobs: [],
    problems: [],
    isForgotten: true,
  });
});

const combinations = FAULT_KINDS.flatMap((kind) => FAULT_SIDES.map((side) => ({ kind, side })));
it.each(combinations.map((each, index) => ({ ...each, index })))(
  'FLT-2: $kind, $side it takes effect, of any operation',
  async ({ kind, side, index }) => {
    const failures: string[] = [];
    const before = { rounds, fired };
    for (let n = 1; n <= MOST_OPERATIONS; n++) {
      const round = `${kind},${side},${n}`;
      const isChosen = IS_ALL || (n + index + SEED) % PARTS === 0;
      if (REPLAYED === undefined ? !isChosen : REPLAYED !== round) continue;
      const problems = await play({ n, kind, side });
      if (problems.length === 0) continue;
      failures.push(`VITE_MNEMORA_FAULT=${round} (seed ${SEED}, ${faults.fired}): ${problems.join('; ')}`);
      console.log(failures.at(-1));
    }
    console.log(`${kind}, ${side}: ${rounds - before.rounds} rounds, ${fired - before.fired} with a fault.`);
    expect(failures).toEqual([]);
    // The last operations are not reached by lives in which a tab looks for work less often.
    expect(fired - before.fired).toBeGreaterThanOrEqual(Math.floor((rounds - before.rounds) * 0.8));
  },
  ALL_ROUNDS_MS,
);
