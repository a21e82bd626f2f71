import type { MemoryFact, StoredMessage } from '../../src/index.ts';
import { fold, conceptsIn, PEOPLE, RELATION_CONCEPTS, withBroader } from './concepts.ts';
import { isQuestion, type Question, sentencesIn, tells } from './question.ts';

/** Words of the user, and where they stand. */
export interface Quote {
  readonly text: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

/**
 * The sentence of the user that answers a question, the newest of those that do as well; undefined where none does.
 * Never a question, code, or what no longer holds.
 *
 * @param messages what was found for the question, of the user only
 * @param ended facts that no longer hold, or never did
 */
export function sentenceThatAnswers(
  question: Question,
  messages: readonly StoredMessage[],
  ended: readonly MemoryFact[],
): Quote | undefined {
  const fitting = messages
    .filter(({ role, state }) => role === 'user' && state === 'complete')
    .flatMap((message) => {
      const quotes = sentencesIn(ownText(message)).filter(
        (text) => text.length <= MAX_CHARACTERS && !isQuestion(text) && !tellsEnded(text, message.id, ended),
      );
      return quotes.map((text) => ({ text, message, fit: fitOf(text, question) }));
    })
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit || b.message.createdAt - a.message.createdAt);
  const [best] = fitting;
  return best && { text: best.text, messageId: best.message.id, saidAt: best.message.createdAt };
}

/** Longer sentences are pasted, or tell more than was asked. */
const MAX_CHARACTERS = 300;
/** Of three things and more that a question speaks of, a sentence may leave out a third. */
const ENOUGH = 2 / 3;

/** The share of what a question speaks of that a sentence does; 0 where it does not answer. */
function fitOf(text: string, { kind, meanings, isAboutUser }: Question): number {
  if (meanings.size === 0 || !tells(kind, text)) return 0;
  const told = withBroader(conceptsIn(text));
  const asked = [...meanings];
  // "Where do I live?" is not answered by where somebody else lives.
  const isOfUserAlone = isAboutUser && asked.every((meaning) => RELATION_CONCEPTS.has(meaning));
  if (isOfUserAlone && [...told].some((meaning) => PEOPLE.has(meaning))) return 0;
  // What says no more than the question is no answer to it.
  if (kind !== 'whether' && [...conceptsIn(text)].every((meaning) => meanings.has(meaning))) return 0;
  const share = asked.filter((meaning) => told.has(meaning)).length / asked.length;
  return share >= ENOUGH ? share : 0;
}

/** What the user wrote, without what was attached, comes from elsewhere or was said by somebody who has a name. */
function ownText(message: StoredMessage): string {
  const { role, content } = message;
  if (role !== 'user' || message.origin !== undefined || message.name !== undefined) return '';
  if (typeof content === 'string') return content;
  return content
    .flatMap((part) => (part.type === 'text' && part['origin'] === undefined ? [String(part['text'])] : []))
    .join('\n');
}

function tellsEnded(text: string, messageId: string, ended: readonly MemoryFact[]): boolean {
  const said = fold(text);
  return ended.some(({ sources }) =>
    sources.some((source) => {
      const quote = fold(source.quote ?? '');
      return source.messageId === messageId && quote !== '' && (said.includes(quote) || quote.includes(said));
    }),
  );
}
