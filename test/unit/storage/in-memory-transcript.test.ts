import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import { describeTranscript } from '../../contracts/transcript-contract.ts';

describeTranscript('InMemoryTranscript', () => Promise.resolve(new InMemoryTranscript()));
