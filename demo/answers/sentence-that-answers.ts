import type { MemoryFact, StoredMessage } from '../../src/index.ts';
import { fold, conceptsIn, PEOPLE, RELATION_CONCEPTS, withBroader } from './concepts.ts';
import { isQuestion, type Question, sentencesIn, containsKind } from './question.ts';

/** A sentence of the user, and the message that holds it. */
export interface Quote {
  readonly text: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

/**
 * The sentence of the user that answers a question best, the newest of equally good ones, or undefined. Questions, code
 * and outdated statements are never returned.
 *
 * @param messages the user's messages that were found for the question
 * @param outdated facts that have ended or were never true
 */
export function sentenceThatAnswers(
  question: Question,
  messages: readonly StoredMessage[],
  outdated: readonly MemoryFact[],
): Quote | undefined {
  const fitting = messages
    .filter(({ role, state }) => role === 'user' && state === 'complete')
    .flatMap((message) => {
      const quotes = sentencesIn(ownText(message)).filter(
        (text) =>
          text.length <= MAX_CHARACTERS && !isQuestion(text) && !isOutdated(text, message.id, outdated),
      );
      return quotes.map((text) => ({ text, message, fit: fitOf(text, question) }));
    })
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit || b.message.createdAt - a.message.createdAt);
  const [best] = fitting;
  return best && { text: best.text, messageId: best.message.id, saidAt: best.message.createdAt };
}

/** Longer sentences are probably pasted. */
const MAX_CHARACTERS = 300;
/** A sentence may miss a third of the question's concepts. */
const MIN_SHARE = 2 / 3;

/** The share of the question's concepts that a sentence covers, or 0 if it does not answer. */
function fitOf(text: string, { kind, concepts, isAboutUser }: Question): number {
  if (concepts.size === 0 || !containsKind(kind, text)) return 0;
  const covered = withBroader(conceptsIn(text));
  const asked = [...concepts];
  // Where somebody else lives does not answer "Where do I live?"
  const isOfUserAlone = isAboutUser && asked.every((concept) => RELATION_CONCEPTS.has(concept));
  if (isOfUserAlone && [...covered].some((concept) => PEOPLE.has(concept))) return 0;
  // A sentence that only repeats the question does not answer it.
  if (kind !== 'whether' && [...conceptsIn(text)].every((concept) => concepts.has(concept))) return 0;
  const share = asked.filter((concept) => covered.has(concept)).length / asked.length;
  return share >= MIN_SHARE ? share : 0;
}

/** The user's own words: no attachments, no imported text, and nothing that a named speaker said. */
function ownText(message: StoredMessage): string {
  const { role, content } = message;
  if (role !== 'user' || message.origin !== undefined || message.name !== undefined) return '';
  if (typeof content === 'string') return content;
  return content
    .flatMap((part) => (part.type === 'text' && part['origin'] === undefined ? [String(part['text'])] : []))
    .join('\n');
}

function isOutdated(text: string, messageId: string, outdated: readonly MemoryFact[]): boolean {
  const said = fold(text);
  return outdated.some(({ sources }) =>
    sources.some((source) => {
      const quote = fold(source.quote ?? '');
      return source.messageId === messageId && quote !== '' && (said.includes(quote) || quote.includes(said));
    }),
  );
}
