import { expect, it } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { Jobs as IndexedDbJobStore } from '../../../src/storage/jobs/job-store.ts';
import { TranscriptStore as IndexedDbTranscript } from '../../../src/storage/transcript/transcript-store.ts';
import { describeJobs } from '../../contracts/job-contract.ts';

describeJobs('IndexedDbJobStore', async (clock) => {
  const connection = new Connection({ name: newId() });
  return { jobs: new IndexedDbJobStore(connection), transcript: new IndexedDbTranscript(connection, clock) };
});

it('JOB-44: a job that a tab with an earlier version has leased is done, and keeps the turns that it has not seen', async () => {
  const connection = new Connection({ name: newId() });
  const jobs = new IndexedDbJobStore(connection);
  const origin = { scope: 'user', sessionId: 's', turnIds: ['a'] };
  await jobs.enqueue([{ queue: 'q' }], [origin]);
  const [job] = await jobs.list();
  const earlier = await jobs.beginTerm('q');
  await connection.write(['jobs'], async (transaction) => {
    if (job) await transaction.objectStore('jobs').put({ ...job, lease: earlier });
  });
  // That tab removes the whole job with its result, so that no turn may be added to it.
  await jobs.enqueue([{ queue: 'q' }], [{ ...origin, turnIds: ['b'] }]);
  expect((await jobs.list()).map(({ turnIds }) => turnIds)).toEqual([['a'], ['b']]);
  const term = await jobs.beginTerm('q');
  await jobs.enqueue([{ queue: 'q' }], [{ ...origin, turnIds: ['c'] }]);
  const claimed = await jobs.claim('q', term, Date.now());
  expect(claimed?.job.turnIds).toEqual(['a', 'c']);
  if (claimed) await jobs.finish(claimed.ticket);
  expect(await jobs.list()).toMatchObject([{ turnIds: ['b'] }]);
  connection.close();
});
