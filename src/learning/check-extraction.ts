import { nameKey } from '../graph/entity-name.ts';
import { predicateForm } from '../graph/predicate.ts';
import { hasMarkup } from '../language/quotable-text.ts';
import { secretFinder } from '../language/secrets.ts';
import { contentTerms } from '../language/terms.ts';
import { isRecord } from '../model/is-record.ts';
import type { Speaker } from '../model/speaker.ts';
import {
  MAX_PROPOSALS,
  type ExtractionInput,
  type ProposedMention,
  type ProposedTriple,
  type SourceMessage,
} from './extractor.ts';
import type { Support, UnsupportedReason } from './fact-support.ts';
import {
  checkAliases,
  cleanText,
  inThirdPerson,
  MAX_NAME_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  tripleInThirdPerson,
  unusableName,
  USER_NAME,
  type FirstPerson,
} from './first-person.ts';
import { readSource, type Source } from './speaker.ts';

/**
 * Why a proposal was rejected. `quote-not-found`: the message does not appear to state it. `unsupported-note`: the
 * note contains a name or number from no message; the mention is kept, with a sentence of the message as its note.
 * `markup`: a field has an address, a mark or a role token, or the predicate more than six words. `sentence`: a subject, or the name of an entity, is a sentence or a clause. `secret`: it contains what looks like a password, a key or the number of a card; see `redactSecrets`.
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
  | UnsupportedReason
  | 'unsupported-note'
  | 'secret'
  | 'markup'
  | 'sentence'
  | 'invalid-dates';

/** A fact that its message appears to state, with its speaker. */
export interface CheckedTriple extends ProposedTriple {
  /** `model` if the words that the model cites do not say it. */
  readonly statedBy: Speaker;
  /** Whether it says something of the user in words that are not theirs. It is at most a question. */
  readonly isForeign?: true;
}

/** The part of an extraction that may be stored. */
export interface CheckedExtraction {
  readonly mentions: readonly ProposedMention[];
  readonly triples: readonly CheckedTriple[];
  /** Number of rejected proposals by reason, including unreadable parts of a reply. Duplicates are not counted. */
  readonly rejected: readonly { readonly reason: RejectionReason; readonly count: number }[];
}

/**
 * Checks each proposal of an extractor against the messages that it was given. Names are converted to the third
 * person, quotes to the exact words of the message, and the speaker of a fact is determined. Never throws, whatever
 * values the extractor returned.
 *
 * @param support checks a model's proposals against the words that it cites
 */
export function checkExtraction(
  extraction: unknown,
  input: ExtractionInput,
  support?: Support,
): CheckedExtraction {
  const tally = new Map<RejectionReason, number>();
  const reject: Reject = (reason, count = 1) => {
    if (count > 0) tally.set(reason, (tally.get(reason) ?? 0) + count);
  };
  const checks: Checks = {
    sources: new Map(input.messages.map((message) => [message.id, lazySource(message)])),
    factIds: new Set(input.facts.map((fact) => fact.id)),
    contexts: input.context.map(lazySource),
    support,
    isSecret: secretFinder([...input.context, ...input.messages].map(({ text }) => text)),
    reject,
  };
  if (!isRecord(extraction)) reject('malformed');
  const { mentions = [], triples = [], unreadable } = isRecord(extraction) ? extraction : {};
  if (typeof unreadable === 'number' && unreadable > 0) reject('unreadable', Math.min(unreadable, 1e9));
  return {
    triples: checkEach(
      triples,
      (item) => checkTriple(item, checks),
      (triple) => `${triple.statedBy === 'model'} ${(support?.keyOf ?? tripleKey)(triple)}`,
      reject,
    ).toSorted((a, b) => Number(a.statedBy === 'model') - Number(b.statedBy === 'model')),
    mentions: checkEach(mentions, (item) => checkMention(item, checks), mentionKey, reject),
    rejected: Array.from(tally, ([reason, count]) => ({ reason, count })),
  };
}

const MAX_QUOTE_CHARACTERS = 1000;
/** Longer predicates of a model are instructions rather than relations. */
const MAX_PREDICATE_WORDS = 6;
/** Longer names of a model are clauses that a weak one has copied. */
const MAX_NAME_WORDS = 6;
/** The maximum time value of a `Date`. */
const MAX_TIME = 8.64e15;

interface CheckSource extends Source {
  readonly id: string;
  readonly speaker: FirstPerson;
}

interface Checks {
  readonly sources: ReadonlyMap<unknown, () => CheckSource>;
  readonly factIds: ReadonlySet<string>;
  readonly contexts: readonly (() => Source)[];
  /** Undefined if a quote does not have to contain the words of its fact. */
  readonly support: Support | undefined;
  /** Whether a text contains a secret, by its shape or because a message calls it one. */
  readonly isSecret: (text: string) => boolean;
  readonly reject: Reject;
}

type Fields = Readonly<Record<string, unknown>>;
type Reject = (reason: RejectionReason, count?: number) => void;
type Checked<T> = { readonly accepted: T } | { readonly reason: RejectionReason };

function checkEach<T>(
  given: unknown,
  check: (item: Fields) => Checked<T>,
  keyOf: (item: T) => string,
  reject: Reject,
): T[] {
  if (!Array.isArray(given)) reject('malformed');
  const all: readonly unknown[] = Array.isArray(given) ? given : [];
  const items = all.slice(0, MAX_PROPOSALS);
  reject('over-limit', all.length - items.length);
  const accepted = new Map<string, T>();
  for (const item of items) {
    const outcome: Checked<T> = isRecord(item) ? check(item) : { reason: 'malformed' };
    if ('reason' in outcome) {
      reject(outcome.reason);
      continue;
    }
    const key = keyOf(outcome.accepted);
    if (!accepted.has(key)) accepted.set(key, outcome.accepted);
  }
  return [...accepted.values()];
}

function checkTriple(
  fields: Fields,
  { sources, factIds, support, isSecret, reject }: Checks,
): Checked<CheckedTriple> {
  const source = sources.get(fields['messageId'])?.();
  if (!source) return { reason: 'unknown-message' };
  const parts = [fields['subject'], fields['predicate'], fields['object']].map(cleanText);
  const [subject, predicate, object] = parts;
  const givenQuote = fields['quote'] ?? undefined;
  if (!subject || !predicate || !object) return { reason: 'malformed' };
  if (parts.some((part = '') => part.length > MAX_NAME_CHARACTERS)) return { reason: 'too-long' };
  if (support && (parts.some((part = '') => hasMarkup(part)) || wordsIn(predicate) > MAX_PREDICATE_WORDS))
    return { reason: 'markup' };
  if (support && isSentence(subject)) return { reason: 'sentence' };
  if (isSecret(parts.join(' '))) return { reason: 'secret' };
  if (givenQuote !== undefined && typeof givenQuote !== 'string') return { reason: 'malformed' };
  const quote = givenQuote === undefined ? undefined : source.findQuote(givenQuote);
  // Without a quote, the message must contain the words themselves.
  const isSaid = givenQuote === undefined ? source.mentions(`${subject} ${object}`) : quote !== undefined;
  if (!isSaid) return { reason: 'quote-not-found' };
  const statedBy = source.statedBy(object, quote);
  // What a model reads in the result of a tool is checked as its proposal.
  const isElsewhere =
    statedBy === 'document' || statedBy === 'import' || (statedBy === 'tool' && support === undefined);
  const speaker = isElsewhere ? 'other' : source.speaker;
  const words = { subject, predicate, object };
  const said = tripleInThirdPerson(words, speaker);
  // The "I" of a pasted text may be the user: that is worth a question if it contradicts what they have decided.
  const isForeignUser = isElsewhere && 'reason' in said && said.reason === 'unknown-speaker';
  const person = isForeignUser ? tripleInThirdPerson(words, 'user') : said;
  if ('reason' in person) return person;
  const { triple } = person;
  const names = [triple.subject, triple.object];
  const unusable = names.map(unusableName).find((reason) => reason !== undefined);
  if (unusable) return { reason: unusable };
  if (nameKey(triple.subject) === nameKey(triple.object)) return { reason: 'malformed' };
  // "User" in a pasted text is not the user of this chat.
  const isForeign = isElsewhere && names.includes(USER_NAME);
  if (isForeign) reject('unknown-speaker');
  const times = checkTimes(fields['validFrom'] ?? undefined, fields['validTo'] ?? undefined);
  if (!times) return { reason: 'invalid-dates' };
  const lack = support?.whyUnsupported(triple, source.id, { quote, speaker, validTo: times.validTo });
  if (lack) reject(lack);
  const isOfAnother = lack === 'other-subject' || lack === 'not-stated' || lack === 'unknown-subject';
  const mayEnd =
    (statedBy === 'user' && !isOfAnother) || isForeign || (lack === undefined && statedBy === 'assistant');
  const named = mayEnd ? idsIn(fields['supersedes'], factIds) : [];
  const supersedes = named.filter((id) => support?.mayEnd(id, source.id, quote, lack ?? triple) ?? true);
  return {
    accepted: {
      ...((lack === undefined && support?.inKnownWording(triple)) || triple),
      messageId: source.id,
      ...(quote === undefined || isSecret(quote)
        ? {}
        : { quote: quote.slice(0, MAX_QUOTE_CHARACTERS).toWellFormed() }),
      ...times,
      ...(supersedes.length === 0 ? {} : { supersedes }),
      statedBy: lack === undefined || isForeign ? statedBy : 'model',
      ...(isForeign ? { isForeign } : {}),
    },
  };
}

function checkMention(
  fields: Fields,
  { sources, contexts, support, isSecret, reject }: Checks,
): Checked<ProposedMention> {
  const source = sources.get(fields['messageId'])?.();
  if (!source) return { reason: 'unknown-message' };
  const givenName = cleanText(fields['name']);
  const note = cleanText(fields['note'] ?? '');
  if (!givenName || note === undefined) return { reason: 'malformed' };
  if (givenName.length > MAX_NAME_CHARACTERS || note.length > MAX_NOTE_CHARACTERS)
    return { reason: 'too-long' };
  if (support && hasMarkup(givenName)) return { reason: 'markup' };
  if (support && isSentence(givenName)) return { reason: 'sentence' };
  if (isSecret(givenName)) return { reason: 'secret' };
  const person = inThirdPerson(givenName, source.speaker);
  if ('reason' in person) return person;
  const { name } = person;
  const unusable = unusableName(name);
  if (unusable) return { reason: unusable };
  const given = checkAliases(fields['aliases'] ?? undefined, name, source.speaker);
  if (!given) return { reason: 'malformed' };
  // Another name that a model only asserts would merge two persons.
  const isPart = (alias: string): boolean =>
    contentTerms(alias).some((term) => contentTerms(name).includes(term));
  const aliases = support ? given.filter((alias) => source.mentions(alias) || isPart(alias)) : given;
  if (support && aliases.some(hasMarkup)) return { reason: 'markup' };
  if (aliases.some(isSecret)) return { reason: 'secret' };
  // The name of "she" can be in a different message from the one about her.
  const words = [name, ...aliases].join(' ');
  const others = [...sources.values(), ...contexts];
  if (name !== USER_NAME && !others.some((other) => other().mentions(words)))
    return { reason: 'quote-not-found' };
  const soundNote = support?.isSourced(note) === false ? support.statement(source.id, name) : note;
  if (soundNote !== note) reject('unsupported-note');
  const isNoteSecret = isSecret(soundNote);
  if (isNoteSecret) reject('secret');
  return {
    accepted: {
      name,
      messageId: source.id,
      ...(aliases.length === 0 ? {} : { aliases }),
      ...(soundNote === '' || isNoteSecret ? {} : { note: soundNote }),
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

/** Whether a name is a sentence or a clause. Titles are longer than other names, and most of their words are capitalized. */
function isSentence(name: string): boolean {
  const words = name.split(' ');
  if (/\p{Ll}{4}[.。]\s/u.test(name)) return true;
  if (words.length > 2 && /\s\p{Ll}+[.。]$/u.test(name)) return true;
  const small = words.filter((word) => /^\p{Ll}/u.test(word));
  return words.length > MAX_NAME_WORDS && small.length > words.length / 2;
}

function wordsIn(text: string): number {
  return text.split(' ').length;
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

/** Analyzed on first use: most messages have no fact, and some are long. */
function lazySource(message: SourceMessage): () => CheckSource {
  const { id, role } = message;
  let source: CheckSource | undefined;
  return () => (source ??= { ...readSource(message), id, speaker: role === 'tool' ? 'other' : role });
}
