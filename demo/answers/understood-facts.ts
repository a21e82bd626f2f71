import { createMemory, type Memory, type MemoryFact } from '../../src/index.ts';

/** Longer texts are learned from in the background alone: nobody waits for that. */
const MAX_CHARACTERS = 4000;
/** The user's messages before, which tell who "she" is. */
const CONTEXT_MESSAGES = 2;

/**
 * What the memory will understand of a message once its turn has ended: the facts that a memory which holds nothing else
 * makes of it, so that pasted text and what nobody vouches for are no more acknowledged than they are believed.
 */
export async function understoodFacts(
  memory: Memory,
  input: string,
  signal: AbortSignal,
): Promise<readonly MemoryFact[]> {
  if (input.length > MAX_CHARACTERS) return [];
  const history = await memory.history();
  const before = history.filter(({ role, state }) => role === 'user' && state === 'complete');
  await using trial = await createMemory({
    history: 'memory',
    embedder: false,
    profile: false,
    enrichmentDelayMs: 0,
  });
  for (const { role, content } of before.slice(-CONTEXT_MESSAGES)) {
    if (role === 'user') await trial.remember({ messages: [{ role, content }] }, { signal });
  }
  const stored = await trial.remember({ messages: [{ role: 'user', content: input }] }, { signal });
  await trial.settled();
  const facts = await trial.facts({ signal });
  return facts.filter(({ sources }) =>
    sources.some(({ messageId, isContext }) => stored.messageIds.includes(messageId) && isContext !== true),
  );
}
