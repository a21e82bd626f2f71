import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { Jobs as IndexedDbJobStore } from '../../../src/storage/jobs/job-store.ts';
import { TranscriptStore as IndexedDbTranscript } from '../../../src/storage/transcript/transcript-store.ts';
import { describeJobs } from '../../contracts/job-contract.ts';

describeJobs('IndexedDbJobStore', async (clock) => {
  const connection = new Connection({ name: newId() });
  return { jobs: new IndexedDbJobStore(connection), transcript: new IndexedDbTranscript(connection, clock) };
});
