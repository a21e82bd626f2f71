import { newId } from '../../src/model/id.ts';
import { openDatabase } from '../../src/index.ts';
import { describeTranscript } from '../contracts/transcript-contract.ts';

describeTranscript('IndexedDbTranscript', async () => (await openDatabase({ name: newId() })).transcript);
