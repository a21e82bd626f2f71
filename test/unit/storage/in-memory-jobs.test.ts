import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import { describeJobs } from '../../contracts/job-contract.ts';

describeJobs('InMemoryJobStore', async (clock) => {
  const transcript = new InMemoryTranscript(clock);
  return { jobs: transcript.jobs, transcript };
});
