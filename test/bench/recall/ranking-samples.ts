import { openParts } from '../../../src/client/open-parts.ts';
import { parseMemoryOptions } from '../../../src/client/options.ts';
import { askQuestion, rankingInput } from '../../../src/recall/ask-question.ts';
import { createMemory, type Embedder } from '../../../src/index.ts';
import { benchEmbedder } from '../bench-embedder.ts';
import { candidatesOf } from '../../../src/recall/rank/rank-messages.ts';
import type { Conversation, Question } from './locomo.ts';
import { storeTurns } from './recall-quality.ts';

/** The candidates of one question, as the product finds them. */
export interface RankingSample {
  readonly question: Question;
  readonly candidates: readonly { readonly turn: string; readonly features: readonly number[] }[];
}

export type RankingMode = 'fused' | 'lexical';

const DAY_MS = 86_400_000;

let embedder: Embedder | undefined;

/** Stores a conversation and asks its questions, with the model to measure and with words alone. */
export async function rankingSamples(
  { id, turns, questions }: Conversation,
  assetsUrl: string,
): Promise<Record<RankingMode, RankingSample[]>> {
  embedder ??= benchEmbedder(assetsUrl);
  const asked = Math.max(...turns.map((turn) => turn.createdAt)) + DAY_MS;
  const options = { name: 'fit-ranking', scope: id, clock: () => asked };
  const memory = await createMemory({ ...options, embedder });
  const turnByMessage = await storeTurns(memory, turns);
  await memory.work.settled();
  await memory.close();
  const samplesWith = async (used: Embedder | false): Promise<RankingSample[]> => {
    const engine = await openParts(parseMemoryOptions({ ...options, embedder: used, learning: false }));
    await engine.settled();
    const samples: RankingSample[] = [];
    for (const question of questions) {
      const input = await rankingInput(engine, await askQuestion(engine, question.text), {});
      const candidates = input ? candidatesOf(input) : [];
      samples.push({
        question,
        candidates: candidates.map(({ id: message, features }) => ({
          turn: turnByMessage.get(message) ?? '',
          features,
        })),
      });
    }
    await engine.close();
    return samples;
  };
  return { fused: await samplesWith(embedder), lexical: await samplesWith(false) };
}
