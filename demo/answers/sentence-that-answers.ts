import type { MemoryFact, StoredMessage } from '../../src/index.ts';
import { fold, conceptsIn, PEOPLE, RELATION_CONCEPTS, withBroader } from './concepts.ts';
import { pastedParts, sentencesOf } from '../../src/extract.ts';
import { containsKind, isAboutUser, isQuestion, type Question } from './question.ts';

/** A sentence of the user, and the message that holds it. */
export interface Quote {
  readonly text: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

/**
 * The sentence of the user that answers a question best, the newest of equally good ones, or undefined; if a newer one
 * corrects it, that one. Questions, code, pasted text and outdated statements are never returned.
 *
 * @param messages the user's messages that were found for the question
 * @param outdated facts that have ended or were never true
 */
export function sentenceThatAnswers(
  question: Question,
  messages: readonly StoredMessage[],
  outdated: readonly MemoryFact[],
): Quote | undefined {
  const said = messages
    .filter(({ role, state }) => role === 'user' && state === 'complete')
    .flatMap((message) =>
      sentencesOf(ownText(message))
        .filter((text) => isQuotable(text, message) && !isOutdated(text, message.id, outdated))
        .map((text) => ({ text, messageId: message.id, saidAt: message.createdAt })),
    )
    .map((quote) => ({ quote, fit: fitOf(quote.text, question) }));
  const [best] = said
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit || b.quote.saidAt - a.quote.saidAt);
  const [correction] = said
    .filter(({ quote }) => best && corrects(quote, best.quote, question))
    .toSorted((a, b) => b.quote.saidAt - a.quote.saidAt);
  return (correction ?? best)?.quote;
}

/** Whether a later sentence says that something has changed or was different. */
export function isChange({ text }: Quote): boolean {
  return CHANGE.test(fold(text));
}

const CHANGE =
  /^\W*(?:no|wait|nope|sorry)\b|\b(?:not|actually|instead|correction|i mean(?:t)?|now|no longer|any ?more|new|moved|changed|switched|quit|left|sold|turns out)\b/u;

/** Whether a sentence is newer than another, about something of the question that it names, and says that it is not so. */
function corrects(quote: Quote, earlier: Quote, { kind, concepts }: Question): boolean {
  if (quote.saidAt <= earlier.saidAt || !isChange(quote) || !containsKind(kind, quote.text)) return false;
  const covered = withBroader(conceptsIn(quote.text));
  return [...concepts].some((concept) => covered.has(concept) && !RELATION_CONCEPTS.has(concept));
}

/** Longer sentences are probably pasted. */
const MAX_CHARACTERS = 300;
/** Longer messages are mostly pasted, even where nothing shows it. */
const TYPED_CHARACTERS = 500;

/** Whether a sentence is the user's own statement. Of a long message, only sentences in the first person are. */
function isQuotable(text: string, message: StoredMessage): boolean {
  if (text.length > MAX_CHARACTERS || isQuestion(text)) return false;
  return ownText(message).length <= TYPED_CHARACTERS || isAboutUser(text);
}
/** A sentence may miss a third of the question's concepts. */
const MIN_SHARE = 2 / 3;

/** The share of the question's concepts that a sentence covers, or 0 if it does not answer. */
function fitOf(text: string, { kind, concepts, isAboutUser: asksAboutUser }: Question): number {
  if (concepts.size === 0 || !containsKind(kind, text)) return 0;
  const covered = withBroader(conceptsIn(text));
  const asked = [...concepts];
  // Where somebody else lives does not answer "Where do I live?"
  const isOfUserAlone = asksAboutUser && asked.every((concept) => RELATION_CONCEPTS.has(concept));
  if (isOfUserAlone && [...covered].some((concept) => PEOPLE.has(concept))) return 0;
  // A sentence that only repeats the question does not answer it.
  if (kind !== 'whether' && [...conceptsIn(text)].every((concept) => concepts.has(concept))) return 0;
  const share = asked.filter((concept) => covered.has(concept)).length / asked.length;
  return share >= MIN_SHARE ? share : 0;
}

/** The user's own words: no attachments, no pasted or imported text, no table, and nothing that a named speaker said. */
function ownText(message: StoredMessage): string {
  const { role, content } = message;
  if (role !== 'user' || message.origin !== undefined || message.name !== undefined) return '';
  const typed =
    typeof content === 'string'
      ? content
      : content
          .flatMap((part) =>
            part.type === 'text' && part['origin'] === undefined ? [String(part['text'])] : [],
          )
          .join('\n');
  return pastedParts(typed)
    .reduce((rest, part) => rest.replaceAll(part, '\n'), typed)
    .replaceAll(TABLE_ROW, '');
}

const TABLE_ROW = /^.*\|.*\|.*$/gmu;

function isOutdated(text: string, messageId: string, outdated: readonly MemoryFact[]): boolean {
  const said = fold(text);
  return outdated.some(({ sources }) =>
    sources.some((source) => {
      const quote = fold(source.quote ?? '');
      return source.messageId === messageId && quote !== '' && (said.includes(quote) || quote.includes(said));
    }),
  );
}
