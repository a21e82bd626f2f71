import { analyze } from '../../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../../search/stop-words.ts';
import { cleanReply } from './clean-reply.ts';
import type {
  Extraction,
  ExtractionInput,
  ProposedMention,
  ProposedTriple,
  SourceMessage,
} from '../extractor.ts';
import { inThirdPerson, USER_NAME } from '../first-person.ts';
import { parsePeriod } from '../parse-period.ts';
import { parseTriples, type ParsedTriple } from '../parse-triples.ts';
import {
  fieldsOf,
  firstOf,
  isRecord,
  NAME_FIELDS,
  OBJECT_FIELDS,
  PREDICATE_FIELDS,
  replyItems,
  SUBJECT_FIELDS,
  type Fields,
} from './reply-items.ts';
import { isNone, replyBody } from './reply-text.ts';

/** Maximum number of proposals of each kind; further ones count as unreadable. */
export const MAX_PROPOSALS = 200;

/**
 * Returns the proposals in a model's reply. Messages and known facts are referenced by position: `m1`, `f1`. A
 * proposal without a message is assigned to the last user message that contains its words, or else to the last such
 * assistant message. A proposal that references a missing message, or whose words are in no message, is unreadable.
 * Accepts any text; the result can be empty.
 */
export function readExtraction(reply: string, input: ExtractionInput): Extraction {
  const cleaned = cleanReply(reply);
  const body = replyBody(cleaned);
  if (isNone(body) && /[\p{L}\p{N}]|^\[\s*\]$|^\{\s*\}$/u.test(body))
    return { mentions: [], triples: [], unreadable: 0 };
  const items = replyItems(body);
  const place = wordPlacer(input.messages);
  const reader = { input, place, needsBoth: items.isProse };
  const triples = readEach(items.facts, (item) => readFacts(item, reader));
  const mentions = readEach(items.entities, (item) => readMention(item, reader));
  return {
    mentions: mentions.read,
    triples: triples.read,
    unreadable: items.unreadable + triples.unreadable + mentions.unreadable,
  };
}

interface Reader {
  readonly input: ExtractionInput;
  readonly place: Placer;
  /** Whether a fact without a message is assigned only to one that contains both of its names. */
  readonly needsBoth: boolean;
}

/** Returns the message that contains the most of these names. */
type Placer = (names: readonly string[], needsAll: boolean) => SourceMessage | undefined;

function readEach<T>(
  items: readonly unknown[],
  read: (item: unknown) => readonly T[],
): { read: T[]; unreadable: number } {
  const all: T[] = [];
  let unreadable = 0;
  for (const [index, item] of items.entries()) {
    if (all.length >= MAX_PROPOSALS) {
      unreadable += items.length - index;
      break;
    }
    const found = read(item);
    if (found.length === 0) unreadable += 1;
    all.push(...found.slice(0, MAX_PROPOSALS - all.length));
  }
  return { read: all, unreadable };
}

function readFacts(item: unknown, reader: Reader): ProposedTriple[] {
  const fields = fieldsOf(item);
  // A list can have the message as a fourth part; a text can contain several facts.
  const triples =
    typeof item === 'string' ? parseTriples(item) : [Array.isArray(item) ? listed(item) : wordsOf(fields)];
  const given = Array.isArray(item) ? item[3] : firstOf(fields, messageFields(fields));
  return triples.flatMap((triple) => {
    const message = triple && messageOf(given, [triple.subject, triple.object], reader);
    return triple && message
      ? [{ ...triple, messageId: message.id, ...detailsOf(fields, reader.input) }]
      : [];
  });
}

function readMention(item: unknown, reader: Reader): ProposedMention[] {
  const fields = fieldsOf(item);
  const name = textOf(typeof item === 'string' ? item : firstOf(fields, NAME_FIELDS));
  const message = name && messageOf(firstOf(fields, messageFields(fields)), [name], reader);
  if (!name || !message) return [];
  const note = textOf(firstOf(fields, ['note', 'summary', 'description', 'new', 'about']));
  const aliases = firstOf(fields, ['aliases', 'alias', 'aka', 'othernames']);
  const names = (Array.isArray(aliases) ? aliases : [aliases])
    .map(textOf)
    .filter((alias) => alias !== undefined);
  return [
    {
      name,
      messageId: message.id,
      ...(names.length === 0 ? {} : { aliases: names }),
      ...(note === undefined ? {} : { note }),
    },
  ];
}

function listed(item: readonly unknown[]): ParsedTriple | undefined {
  return toTriple(item[0], item[1], item[2]);
}

function wordsOf(fields: Fields): ParsedTriple | undefined {
  const [subject, predicate, object] = [SUBJECT_FIELDS, PREDICATE_FIELDS, OBJECT_FIELDS].map((names) =>
    firstOf(fields, names),
  );
  return toTriple(subject, predicate, object);
}

function toTriple(...parts: readonly unknown[]): ParsedTriple | undefined {
  const [subject, predicate, object] = parts.map(textOf);
  if (subject === undefined || predicate === undefined || object === undefined) return undefined;
  return { subject, predicate, object };
}

function detailsOf(fields: Fields, input: ExtractionInput): Partial<ProposedTriple> {
  const quote = textOf(firstOf(fields, ['quote', 'evidence', 'span', 'text', 'sourcetext']));
  const since = parsePeriod(firstOf(fields, ['since', 'validfrom', 'start', 'begin']));
  const until = parsePeriod(firstOf(fields, ['until', 'validto', 'end']));
  const replaces = firstOf(fields, ['replaces', 'supersedes', 'invalidates']);
  const supersedes = (Array.isArray(replaces) ? replaces.slice(0, MAX_PROPOSALS) : [replaces]).flatMap(
    (id: unknown) => {
      const fact = input.facts[positionOf(id, /^\W*(?:f|fact)?\W*(\d{1,4})\W*$/iu)];
      return fact ? [fact.id] : [];
    },
  );
  return {
    ...(quote === undefined ? {} : { quote }),
    ...(since === undefined ? {} : { validFrom: since.from }),
    ...(until === undefined ? {} : { validTo: until.to }),
    ...(supersedes.length === 0 ? {} : { supersedes: [...new Set(supersedes)] }),
  };
}

/** `source` references a message unless it is the subject of an edge. */
function messageFields(fields: Fields): readonly string[] {
  return fields.has('target') ? MESSAGE_FIELDS : [...MESSAGE_FIELDS, 'source'];
}

const MESSAGE_FIELDS = ['message', 'messageid', 'messagenumber', 'msg', 'messages', 'sourcemessage', 'm'];

function messageOf(given: unknown, names: readonly string[], reader: Reader): SourceMessage | undefined {
  const value: unknown = Array.isArray(given) ? given[0] : given;
  if (value === undefined || value === null || value === '') return reader.place(names, reader.needsBoth);
  const { messages } = reader.input;
  return (
    messages[positionOf(value, /^\W*(?:m|msg|message)?\W*(\d{1,4})\W*$/iu)] ??
    messages.find((message) => message.id === value)
  );
}

/** Converts a 1-based reference into a 0-based position; -1 if it is not a reference. */
function positionOf(value: unknown, form: RegExp): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value - 1 : -1;
  if (typeof value !== 'string' || value.length > 40) return -1;
  return Number(form.exec(value)?.[1] ?? 0) - 1;
}

function wordPlacer(messages: readonly SourceMessage[]): Placer {
  let words: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return (names, needsAll) => {
    words ??= new Map(messages.map((message) => [message.id, new Set(analyze(message.text))]));
    for (const role of ['user', 'assistant'] as const) {
      const tests = names.map((name) => nameTest(name, role));
      const scored = messages
        .filter((message) => message.role === role)
        .map((message) => {
          const has = tests.filter((isIn) => isIn(words?.get(message.id) ?? new Set()));
          return { message, score: needsAll && has.length < names.length ? 0 : has.length };
        });
      const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
      if (best > 0) return scored.findLast(({ score }) => score === best)?.message;
    }
    return undefined;
  };
}

/**
 * Returns a test for whether a text contains a name. For `user`, the words "I" and "my" count where the user speaks.
 */
function nameTest(name: string, role: 'user' | 'assistant'): (words: ReadonlySet<string>) => boolean {
  const person = inThirdPerson(name, role);
  if ('reason' in person) return () => false;
  if (person.name === USER_NAME) {
    const marks = role === 'user' ? ['i', 'me', 'my', 'we', 'our'] : ['you', 'your'];
    return (words) => marks.some((mark) => words.has(mark));
  }
  const all = analyze(name.slice(0, 500));
  const meaningful = all.filter((term) => !ENGLISH_STOP_WORDS.has(term));
  const terms = meaningful.length > 0 ? meaningful : all;
  return (words) => terms.length > 0 && terms.every((term) => words.has(term));
}

/** Returns a text with single spaces, or a number as text; undefined for other values. */
function textOf(value: unknown): string | undefined {
  const inner = isRecord(value) ? firstOf(fieldsOf(value), NAME_FIELDS) : value;
  if (typeof inner === 'number' || typeof inner === 'boolean') return String(inner);
  if (typeof inner !== 'string') return undefined;
  return inner.toWellFormed().trim().replaceAll(/\s+/gu, ' ') || undefined;
}
