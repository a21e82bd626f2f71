import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Extractor } from '../../../src/learning/extractor.ts';
import { learnHandler } from '../../../src/learning/learn-job.ts';
import { openParts } from '../../../src/client/open-parts.ts';
import { parseMemoryOptions } from '../../../src/client/options.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';

/** A turn that was said in a session when the clock showed this. */
interface SaidTurn {
  readonly sessionId: string;
  readonly createdAt: number;
}

/**
 * Says these turns, has their jobs done one after the other until none is left, and returns the turns in the order in
 * which they were learned from, by session and position in it. Gives up after a limited number of claims.
 */
async function learnAll(
  said: readonly SaidTurn[],
  mostClaims: number,
): Promise<{ learned: string[]; claims: number }> {
  const options = { storage: 'memory', embedder: false, learning: false } as const;
  const engine = await openParts(parseMemoryOptions(options));
  const { transcript, jobs, queues } = engine.stores;
  const { scope } = engine.settings;
  for (const [position, { sessionId, createdAt }] of said.entries()) {
    await transcript.append({
      sessionId,
      scope,
      messages: [{ role: 'user', content: `${sessionId}${position}` }],
      state: 'complete',
      createdAt,
      jobs: [{ queue: queues.learn, delayMs: 0 }],
    });
  }
  const learned: string[] = [];
  const extractor: Extractor = {
    ...offlineExtractor(),
    extract: async ({ messages }) => {
      learned.push(...messages.map(({ text }) => text));
      return { mentions: [], triples: [], unreadable: 0 };
    },
  };
  const handler = learnHandler(engine, { extractor }, async () => new Map());
  const term = await jobs.beginTerm(queues.learn);
  const later = Date.now() + 3_600_000; // what was put back is due at once
  let claims = 0;
  for (; claims < mostClaims; claims++) {
    const claimed = await jobs.claim(queues.learn, term, later);
    if (!claimed) break;
    await handler(claimed.job, claimed.ticket, new AbortController().signal, () => undefined);
    await jobs.finish(claimed.ticket);
  }
  await engine.close();
  return { learned, claims };
}

it("JOB-36: of two jobs with turns that precede each other's, one goes first", async () => {
  const said = [
    { sessionId: 'a', createdAt: 10 },
    { sessionId: 'a', createdAt: 1 }, // the clock was set back within the session
    { sessionId: 'b', createdAt: 5 },
  ];
  const { learned, claims } = await learnAll(said, 20);
  expect(learned).toEqual(['b2', 'a0', 'a1']);
  // That of "a", which gives way, that of "b", and that of "a" again.
  expect(claims).toBe(3);
});

it('JOB-36: however the clock was set, each turn is learned from once and in order', async () => {
  const turn = fc.record({
    sessionId: fc.constantFrom('a', 'b', 'c'),
    createdAt: fc.integer({ min: 1, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 9 }), async (said) => {
      // Before a job learns from a turn, each of the other two may have given way.
      const { learned } = await learnAll(said, 3 * said.length + 3);
      for (const sessionId of ['a', 'b', 'c']) {
        const own = said.flatMap((each, position) =>
          each.sessionId === sessionId ? [`${sessionId}${position}`] : [],
        );
        expect(learned.filter((name) => name.startsWith(sessionId))).toEqual(own);
      }
    }),
    { numRuns: 100, interruptAfterTimeLimit: 20_000 },
  );
});
