import { type ChatMemory, offlineExtractor, type SourceMessage } from '../src/index.ts';
import type { FactWords } from './fact-sentence.ts';
import { isOwnWords } from './offline-question.ts';
import { messageText } from './turns.ts';

/** The page's own look at a message, by the rules that the memory will learn it by once its turn has ended. */
const RULES = offlineExtractor();
/** Whose word a longer text is, its words do not tell. */
const MAX_CHARACTERS = 400;
/** The user's messages before, which tell who "she" is. */
const CONTEXT_MESSAGES = 2;

/** What the rules understand of a statement; nothing where it may be pasted. */
export async function understoodFacts(
  { memory, input, signal }: { memory: ChatMemory; input: string; signal: AbortSignal },
  told: string,
): Promise<FactWords[]> {
  if (input.length > MAX_CHARACTERS || !isOwnWords(input)) return [];
  const history = await memory.history();
  const before = history.filter(({ role, state }) => role === 'user' && state === 'complete');
  const context = before.slice(-CONTEXT_MESSAGES).map((message): SourceMessage => {
    const { id, createdAt } = message;
    return { id, role: 'user', text: messageText(message), createdAt };
  });
  const messages: SourceMessage[] = [{ id: 'input', role: 'user', text: told, createdAt: Date.now() }];
  const { triples } = await RULES.extract({ messages, context, entities: [], facts: [], signal });
  return triples.filter(({ validTo }) => validTo === undefined);
}
