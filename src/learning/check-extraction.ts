import { nameKey } from '../graph/entity-name.ts';
import { predicateForm } from '../graph/predicate.ts';
import type { ExtractionInput, ProposedMention, ProposedTriple } from './extractor.ts';
import type { LackOfSupport, Support } from './fact-support.ts';
import {
  checkAliases,
  cleanText,
  MAX_NAME_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  unusableName,
} from './check-names.ts';
import { inThirdPerson, tripleInThirdPerson, USER_NAME, type Speaker } from './first-person.ts';
import { MAX_PROPOSALS } from './llm/read-extraction.ts';
import { readSource, type Source, type StatedBy } from './stated-by.ts';

/**
 * Why a proposal was turned down. `quote-not-found`: the message does not say it, as far as code can tell.
 * `unsupported-note`: the note has a name or a number that nobody said; the mention is kept, with a sentence of the
 * message for a note.
 */
export type RejectionReason =
  | 'unreadable'
  | 'over-limit'
  | 'malformed'
  | 'too-long'
  | 'reserved-name'
  | 'pronoun'
  | 'unknown-message'
  | 'unknown-speaker'
  | 'about-assistant'
  | 'quote-not-found'
  | LackOfSupport
  | 'unsupported-note'
  | 'invalid-dates';

/** A fact that a message does tell, as far as code can say. */
export interface CheckedTriple extends ProposedTriple {
  readonly statedBy: StatedBy;
}

/** What may be stored of an extraction. */
export interface CheckedExtraction {
  readonly mentions: readonly ProposedMention[];
  readonly triples: readonly CheckedTriple[];
  /** The others, by reason, the parts of a reply that could not be read included. Repetitions are not counted. */
  readonly rejected: readonly { readonly reason: RejectionReason; readonly count: number }[];
}

/**
 * Checks what an extractor proposes, one by one, against the messages that it was given. Names are brought into the
 * third person, quotes into the words of the message; who said a fact is decided here. Whatever values an extractor returns,
 * this does not throw.
 *
 * @param support holds what a model proposes to the words that it cites
 */
export function checkExtraction(
  extraction: unknown,
  input: ExtractionInput,
  support?: Support,
): CheckedExtraction {
  const tally = new Map<RejectionReason, number>();
  const reject = (reason: RejectionReason, count = 1): void => {
    if (count > 0) tally.set(reason, (tally.get(reason) ?? 0) + count);
  };
  const checks: Checks = {
    sources: new Map(input.messages.map((message) => [message.id, lazySource(message)])),
    factIds: new Set(input.facts.map((fact) => fact.id)),
    contexts: input.context.map(lazySource),
    support,
  };
  const fields = recordOf(extraction);
  if (!fields) reject('malformed');
  const { mentions = [], triples = [], unreadable } = fields ?? {};
  if (typeof unreadable === 'number' && unreadable > 0) reject('unreadable', Math.min(unreadable, 1e9));
  const checkedTriples = checkEach(
    triples,
    (item) => checkTriple(item, checks),
    support?.keyOf ?? tripleKey,
    reject,
  );
  const checkedMentions = checkEach(
    mentions,
    (item) => checkMention(item, checks, reject),
    mentionKey,
    reject,
  );
  return {
    mentions: checkedMentions,
    triples: checkedTriples,
    rejected: Array.from(tally, ([reason, count]) => ({ reason, count })),
  };
}

const MAX_QUOTE_CHARACTERS = 1000;
/** The latest time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

interface Checks {
  readonly sources: ReadonlyMap<string, () => Source & { readonly speaker: Speaker }>;
  readonly factIds: ReadonlySet<string>;
  readonly contexts: readonly (() => Source)[];
  /** Undefined where the words of a fact need not be in its quote. */
  readonly support: Support | undefined;
}

type Reject = (reason: RejectionReason, count?: number) => void;
type Checked<T> = { readonly accepted: T } | { readonly reason: RejectionReason };

function checkEach<T>(
  given: unknown,
  check: (item: Fields) => Checked<T>,
  keyOf: (item: T) => string,
  reject: Reject,
): T[] {
  if (!Array.isArray(given)) {
    reject('malformed');
    return [];
  }
  const items: readonly unknown[] = given.slice(0, MAX_PROPOSALS);
  reject('over-limit', given.length - items.length);
  const accepted = new Map<string, T>();
  for (const item of items) {
    const fields = recordOf(item);
    const outcome: Checked<T> = fields ? check(fields) : { reason: 'malformed' };
    if ('reason' in outcome) reject(outcome.reason);
    else {
      const key = keyOf(outcome.accepted);
      if (!accepted.has(key)) accepted.set(key, outcome.accepted);
    }
  }
  return [...accepted.values()];
}

function checkTriple(fields: Fields, { sources, factIds, support }: Checks): Checked<CheckedTriple> {
  const { messageId } = fields;
  const givenQuote = fields['quote'] ?? undefined;
  const source = typeof messageId === 'string' ? sources.get(messageId)?.() : undefined;
  if (typeof messageId !== 'string' || !source) return { reason: 'unknown-message' };
  const [subject, predicate, object] = [fields['subject'], fields['predicate'], fields['object']].map(
    cleanText,
  );
  if (!subject || !predicate || !object) return { reason: 'malformed' };
  const tooLong = [subject, predicate, object].some((part) => part.length > MAX_NAME_CHARACTERS);
  if (tooLong) return { reason: 'too-long' };
  if (givenQuote !== undefined && typeof givenQuote !== 'string') return { reason: 'malformed' };
  const quote = givenQuote === undefined ? undefined : source.findQuote(givenQuote);
  if (givenQuote !== undefined && quote === undefined) return { reason: 'quote-not-found' };
  // Without a quote, the words themselves have to be there.
  if (quote === undefined && !source.mentions(`${subject} ${object}`)) return { reason: 'quote-not-found' };
  const statedBy = source.statedBy(object, quote);
  const person = tripleInThirdPerson(
    { subject, predicate, object },
    statedBy === 'document' || statedBy === 'import' ? 'other' : source.speaker,
  );
  if ('reason' in person) return person;
  const { triple } = person;
  const names = [triple.subject, triple.object];
  const unusable = names.map(unusableName).find((reason) => reason !== undefined);
  if (unusable) return { reason: unusable };
  if (nameKey(triple.subject) === nameKey(triple.object)) return { reason: 'malformed' };
  const lack = support?.lackOf(triple, messageId, quote);
  if (lack) return { reason: lack };
  // Whoever wrote what was pasted, its "user" is not the one who chats here.
  const isElsewhere = statedBy === 'document' || statedBy === 'import';
  if (isElsewhere && names.includes(USER_NAME)) return { reason: 'unknown-speaker' };
  const times = checkTimes(fields['validFrom'] ?? undefined, fields['validTo'] ?? undefined);
  if (!times) return { reason: 'invalid-dates' };
  const supersedes =
    statedBy === 'user' || statedBy === 'assistant' ? idsIn(fields['supersedes'], factIds) : [];
  return {
    accepted: {
      ...(support?.asKnown(triple) ?? triple),
      messageId,
      ...(quote === undefined ? {} : { quote: quote.slice(0, MAX_QUOTE_CHARACTERS).toWellFormed() }),
      ...times,
      ...(supersedes.length === 0 ? {} : { supersedes }),
      statedBy,
    },
  };
}

function checkMention(
  fields: Fields,
  { sources, contexts, support }: Checks,
  reject: Reject,
): Checked<ProposedMention> {
  const { messageId } = fields;
  const source = typeof messageId === 'string' ? sources.get(messageId)?.() : undefined;
  if (typeof messageId !== 'string' || !source) return { reason: 'unknown-message' };
  const given = cleanText(fields['name']);
  const note = cleanText(fields['note'] ?? '');
  if (!given || note === undefined) return { reason: 'malformed' };
  if (given.length > MAX_NAME_CHARACTERS || note.length > MAX_NOTE_CHARACTERS) return { reason: 'too-long' };
  const person = inThirdPerson(given, source.speaker);
  if ('reason' in person) return person;
  const { name } = person;
  const unusable = unusableName(name);
  if (unusable) return { reason: unusable };
  const aliases = checkAliases(fields['aliases'] ?? undefined, name, source.speaker);
  if (!aliases) return { reason: 'malformed' };
  // "She" is named in another message than the one that speaks of her.
  const others = [...sources.values(), ...contexts];
  const words = [name, ...aliases].join(' ');
  if (name !== USER_NAME && !others.some((other) => other().mentions(words)))
    return { reason: 'quote-not-found' };
  const soundNote = support?.isSourced(note) === false ? support.statement(messageId, name) : note;
  if (soundNote !== note) reject('unsupported-note');
  return {
    accepted: {
      name,
      messageId,
      ...(aliases.length === 0 ? {} : { aliases }),
      ...(soundNote === '' ? {} : { note: soundNote }),
    },
  };
}

function checkTimes(from: unknown, to: unknown): Pick<ProposedTriple, 'validFrom' | 'validTo'> | undefined {
  const isTime = (time: unknown): time is number | undefined =>
    time === undefined || (typeof time === 'number' && Math.abs(time) <= MAX_TIME);
  if (!isTime(from) || !isTime(to)) return undefined;
  if (from !== undefined && to !== undefined && to < from) return undefined;
  return { ...(from === undefined ? {} : { validFrom: from }), ...(to === undefined ? {} : { validTo: to }) };
}

function idsIn(given: unknown, known: ReadonlySet<string>): string[] {
  if (!Array.isArray(given)) return [];
  const ids: readonly unknown[] = given.slice(0, MAX_PROPOSALS);
  return [...new Set(ids.filter((id) => typeof id === 'string'))].filter((id) => known.has(id));
}

function tripleKey({ subject, predicate, object, messageId }: CheckedTriple): string {
  const { key, isNegated } = predicateForm(predicate);
  return JSON.stringify([messageId, nameKey(subject), key, isNegated, nameKey(object)]);
}

function mentionKey({ name, messageId, note }: ProposedMention): string {
  return JSON.stringify([messageId, nameKey(name), note]);
}

type Fields = Readonly<Record<string, unknown>>;

function recordOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Read when first asked for: most messages have no fact, and some are long. */
function lazySource(
  message: ExtractionInput['messages'][number],
): () => Source & { readonly speaker: Speaker } {
  let source: (Source & { readonly speaker: Speaker }) | undefined;
  return () => {
    source ??= { ...readSource(message), speaker: message.role === 'tool' ? 'other' : message.role };
    return source;
  };
}
