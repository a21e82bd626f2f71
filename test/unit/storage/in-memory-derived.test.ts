import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import {
  describeKnowledge,
  describeSummaries,
  type DerivedStores,
} from '../../contracts/derived-contract.ts';

async function open(): Promise<DerivedStores> {
  const transcript = new InMemoryTranscript();
  const { knowledge, summaries, jobs } = transcript;
  return { transcript, knowledge, summaries, jobs };
}

describeKnowledge('InMemoryKnowledgeStore', open);
describeSummaries('InMemorySummaryStore', open);
