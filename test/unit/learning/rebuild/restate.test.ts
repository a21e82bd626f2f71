import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../../src/index.ts';
import { Knowledge } from '../../../../src/storage/knowledge-store.ts';
import { memoryOf } from '../../../fixtures/open-memory.ts';
import { rowsOf } from '../../../fixtures/rows-of.ts';

const SAID = [
  'My cat is called Faro.',
  'I live in Lisbon.',
  'I work at a bakery.',
  'I am allergic to peanuts.',
  'I play the cello.',
];

/** Does something before the next result of reading claims again is stored, as another tab may. */
function beforeRestated(then: () => Promise<unknown>): { readonly isDone: boolean } {
  const moment = { isDone: false };
  const { commit } = Knowledge.prototype;
  const spy = vi.spyOn(Knowledge.prototype, 'commit').mockImplementation(async function commitLater(
    this: Knowledge,
    scope,
    write,
    since,
    ticket,
  ) {
    if (!moment.isDone && ticket?.job.queue === `restate/${scope}`) {
      moment.isDone = true;
      await then();
    }
    return commit.call(this, scope, write, since, ticket);
  });
  onTestFinished(() => spy.mockRestore());
  return moment;
}

it.each([0, 2, SAID.length - 1])(
  'CLM-40: if message %i is forgotten while claims are read again, those of the other turns are read all the same',
  async (forgotten) => {
    const there = await memoryOf({ storage: 'memory', sessionId: 's' });
    const ids: string[] = [];
    for (const user of SAID)
      ids.push((await there.remember({ user, assistant: 'I see.' })).messageIds[0] ?? '');
    await there.work.settled();
    const backup = await there.backup.export();
    const database = await openDatabase({ storage: 'memory' });
    const here = await memoryOf({ database, sessionId: 's' });
    await here.work.settled();
    const messageId = ids[forgotten] ?? '';
    const moment = beforeRestated(() => rowsOf(database).transcript.forget({ messageId }, 'user'));
    await here.backup.import(backup);
    await here.work.settled();
    expect(moment.isDone).toBe(true);
    const claims = (await here.claims.list()).map(({ text }) => text);
    expect(claims.toSorted()).toEqual(SAID.toSpliced(forgotten, 1).toSorted());
    expect(await here.work.list()).toEqual([]);
  },
);
