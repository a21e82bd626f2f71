import { openDatabase } from '../../../src/index.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';
import { ScopeGraph } from '../../../src/learning/scope-graph.ts';
import { CLAIMS_VERSION } from '../../../src/learning/claims/learn-claims.ts';
import { DEFAULT_SCOPE } from '../../../src/model/scope.ts';
import { factAt } from '../context/told-facts.ts';

/** The database to fill, and the number of facts. */
export interface FillRequest {
  name: string;
  size: number;
}

const FACTS_PER_TURN = 20;
const FACTS_PER_WRITE = 500;

globalThis.onmessage = async ({ data }: MessageEvent<FillRequest>): Promise<void> => {
  await fill(data);
  (globalThis as unknown as Worker).postMessage('done');
};

/** Writes a number of facts as `offlineExtractor` would have learned them. */
async function fill({ name, size }: FillRequest): Promise<void> {
  const database = await openDatabase({ name });
  const turns = Math.ceil(size / FACTS_PER_TURN);
  const messages = Array.from({ length: turns }, (_, n) => ({
    role: 'user' as const,
    content: `What I told in turn ${n}.`,
  }));
  await database.chatHistory('told').addMessages(messages);
  const ids = (await rowsOf(database).transcript.listMessages(['user', 'told'])).map((message) => message.id);
  const { knowledge } = rowsOf(database);
  const { id: madeBy } = offlineExtractor();
  // What an unknown version has learned would be learned again when the memory opens, from turns that tell nothing.
  await knowledge.setMadeBy(DEFAULT_SCOPE, `${CLAIMS_VERSION}/${madeBy}`);
  const graph = new ScopeGraph({ store: knowledge, scope: DEFAULT_SCOPE });
  for (let start = 0; start < size; start += FACTS_PER_WRITE) {
    await graph.update((draft) => {
      for (let n = start; n < Math.min(size, start + FACTS_PER_WRITE); n++) {
        const messageId = ids[Math.floor(n / FACTS_PER_TURN)] ?? '';
        const fact = factAt(n);
        const note = `${fact.subject} ${fact.predicate} ${fact.object}.`;
        draft.addMention(fact.subject, { messageIds: [messageId], note, aliases: [], recordedAt: n });
        draft.graph.addTriple({
          ...fact,
          sources: [{ messageId }],
          attributes: { statedBy: 'user', madeBy },
        });
      }
    });
  }
  await graph.settled();
  database.close();
}
