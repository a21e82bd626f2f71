import { createMemory, type Memory, type MemoryFact } from '../../src/index.ts';

/** Longer texts are learned from in the background only, because extraction would delay the answer. */
const MAX_CHARACTERS = 4000;
/** Earlier messages of the user, which resolve pronouns such as "she". */
const CONTEXT_MESSAGES = 2;

/**
 * The facts that the memory will learn from a message once its turn has ended. A temporary memory extracts them, so that
 * the same checks apply: pasted text and unconfirmed claims are not acknowledged.
 */
export async function understoodFacts(
  memory: Memory,
  input: string,
  signal: AbortSignal,
): Promise<readonly MemoryFact[]> {
  if (input.length > MAX_CHARACTERS) return [];
  const history = await memory.history();
  const before = history.filter(({ role, state }) => role === 'user' && state === 'complete');
  const trial = await createMemory({
    storage: 'memory',
    embedder: false,
    profile: false,
    learning: { delayMs: 0 },
  });
  try {
    for (const { role, content } of before.slice(-CONTEXT_MESSAGES)) {
      if (role === 'user') await trial.remember({ messages: [{ role, content }] }, { signal });
    }
    const stored = await trial.remember({ messages: [{ role: 'user', content: input }] }, { signal });
    await trial.work.settled();
    const facts = await trial.facts.list({ signal });
    return facts.filter(({ sources }) =>
      sources.some(({ messageId, isContext }) => stored.messageIds.includes(messageId) && isContext !== true),
    );
  } finally {
    await trial.close(); // Safari has no `await using`
  }
}
