import { newId } from '../../src/model/id.ts';
import { Connection } from '../../src/storage/connection.ts';
import { IndexedDbJobStore } from '../../src/storage/indexeddb-job-store.ts';
import { IndexedDbTranscript } from '../../src/storage/indexeddb-transcript.ts';
import { describeJobs } from '../contracts/job-contract.ts';

describeJobs('IndexedDbJobStore', async (clock) => {
  const connection = new Connection({ name: newId() });
  return { jobs: new IndexedDbJobStore(connection), transcript: new IndexedDbTranscript(connection, clock) };
});
