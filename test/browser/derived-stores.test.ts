import { newId } from '../../src/model/id.ts';
import { openDatabase } from '../../src/history/open-database.ts';
import { describeKnowledge, describeSummaries, type DerivedStores } from '../contracts/derived-contract.ts';

async function open(): Promise<DerivedStores> {
  return openDatabase({ name: newId() });
}

describeKnowledge('IndexedDbKnowledgeStore', open);
describeSummaries('IndexedDbSummaryStore', open);
