import { expect, it } from 'vitest';
import { readText } from '../../../src/language/read-text.ts';
import { runInSlices } from '../../../src/model/event-loop.ts';
import type { StoredMessage } from '../../../src/model/message.ts';
import { withAskedPassages } from '../../../src/recall/gate/asked-passages.ts';
import type { FoundTurn } from '../../../src/recall/layout/context-layout.ts';

const LONG = Array.from(
  { length: 30 },
  (_, at) => `Scene ${at}: the curator lifts a candle and bows to the crowd of robots.`,
).join(' ');

function turnOf(content: string): FoundTurn {
  const message = { id: 'm', role: 'user', content, sessionId: 's', turnId: 't', seq: 0, createdAt: 0 };
  return { messages: [message as unknown as StoredMessage], score: 1, why: {} } as unknown as FoundTurn;
}

it.each([
  ['Candles for the birthday table at dinner?', true],
  ['Snacks for the staff meeting?', undefined],
] as const)(
  'REC-91: the best turn with a long message comes first only with a word of the question: %s',
  async (question, isFirst) => {
    const [marked] = await runInSlices(
      withAskedPassages([turnOf(LONG)], readText(question).askedTerms, () => 1),
    );
    expect(marked?.hasAskedPassage).toBeUndefined();
    expect(marked?.isBestLong).toBe(isFirst);
  },
);
