import { newId } from '../../../src/model/id.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { openDatabase } from '../../../src/index.ts';
import { describeTranscript } from '../../contracts/transcript-contract.ts';

describeTranscript('IndexedDbTranscript', async () => {
  const { transcript, search, connection } = rowsOf(await openDatabase({ name: newId() }));
  return Object.assign(transcript, { search, engine: connection });
});
