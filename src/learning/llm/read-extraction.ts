import { analyze, contentTerms } from '../../language/terms.ts';
import { isRecord } from '../../model/is-record.ts';
import {
  MAX_PROPOSALS,
  type Extraction,
  type ExtractionInput,
  type ProposedMention,
  type ProposedTriple,
  type SourceMessage,
} from '../extractor.ts';
import { inThirdPerson, USER_NAME } from '../first-person.ts';
import { parseTriples, type ParsedTriple } from '../parse-replies.ts';
import {
  fieldsOf,
  firstOf,
  listOf,
  NAME_FIELDS,
  replyItems,
  TRIPLE_FIELDS,
  type Fields,
} from './reply-items.ts';
import { cleanReply, isNone, replyBody } from './reply-text.ts';

/**
 * Returns the proposals in a model's reply. Messages and known facts are referenced by position: `m1`, `f1`. A
 * proposal without a message is assigned to the last user message that contains its words, or else to the last such
 * assistant message. A proposal that references a missing message, or whose words are in no message, is unreadable.
 * Accepts any text; the result can be empty.
 *
 * @param human name of the user as a speaker in the prompt
 */
export function readExtraction(reply: string, input: ExtractionInput, human?: string): Extraction {
  const body = replyBody(cleanReply(reply));
  if (isNone(body) && /[\p{L}\p{N}]|^\[\s*\]$|^\{\s*\}$/u.test(body))
    return { mentions: [], triples: [], unreadable: 0 };
  const items = replyItems(body);
  const reader = {
    input,
    human: human?.toLowerCase(),
    place: wordPlacer(input.messages),
    needsBoth: items.isProse,
  };
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
  /** What the prompt calls the user as a speaker, in lower case. A small model uses it as their name. */
  readonly human: string | undefined;
  readonly place: Placer;
  /** Whether a fact without a message is assigned only to one that contains both of its names. */
  readonly needsBoth: boolean;
}

/** Returns the message that contains the most of these names. */
type Placer = (names: readonly string[], needsAll: boolean) => SourceMessage | undefined;

function readEach<T>(
  items: readonly unknown[],
  readItem: (item: unknown) => readonly T[],
): { read: T[]; unreadable: number } {
  const read: T[] = [];
  let unreadable = 0;
  for (const item of items) {
    const found = read.length < MAX_PROPOSALS ? readItem(item) : [];
    if (found.length === 0) unreadable += 1;
    read.push(...found.slice(0, MAX_PROPOSALS - read.length));
  }
  return { read, unreadable };
}

function readFacts(item: unknown, reader: Reader): ProposedTriple[] {
  const fields = fieldsOf(item);
  // A list can have the message as a fourth part; a text can contain several facts.
  const parts = Array.isArray(item) ? item : TRIPLE_FIELDS.map((names) => firstOf(fields, names));
  const given: unknown = Array.isArray(item) ? item[3] : firstOf(fields, messageFields(fields));
  const triples = typeof item === 'string' ? parseTriples(item) : toTriples(parts);
  return triples.flatMap((triple) => {
    const message = messageOf(given, [triple.subject, triple.object], reader);
    if (!message) return [];
    const nameOf = (name: string): string => (name.toLowerCase() === reader.human ? USER_NAME : name);
    const named = { ...triple, subject: nameOf(triple.subject), object: nameOf(triple.object) };
    return [{ ...named, messageId: message.id, ...detailsOf(fields, reader.input) }];
  });
}

function readMention(item: unknown, reader: Reader): ProposedMention[] {
  const fields = fieldsOf(item);
  const name = textOf(typeof item === 'string' ? item : firstOf(fields, NAME_FIELDS));
  const message = name && messageOf(firstOf(fields, messageFields(fields)), [name], reader);
  if (!name || !message) return [];
  const note = textOf(firstOf(fields, 'note summary description new about'));
  const aliases = listOf(firstOf(fields, 'aliases alias aka othernames')).flatMap(
    (alias) => textOf(alias) ?? [],
  );
  return [
    {
      name,
      messageId: message.id,
      ...(aliases.length === 0 ? {} : { aliases }),
      ...(note === undefined ? {} : { note }),
    },
  ];
}

function toTriples(parts: readonly unknown[]): ParsedTriple[] {
  const [subject, predicate, object] = parts.slice(0, 3).map(textOf);
  return subject && predicate && object ? [{ subject, predicate, object }] : [];
}

function detailsOf(fields: Fields, input: ExtractionInput): Partial<ProposedTriple> {
  const quote = textOf(firstOf(fields, 'quote evidence span text sourcetext'));
  const since = parsePeriod(firstOf(fields, 'since validfrom start begin'));
  const until = parsePeriod(firstOf(fields, 'until validto end'));
  const replaces = listOf(firstOf(fields, 'replaces supersedes invalidates')).slice(0, MAX_PROPOSALS);
  const supersedes = replaces.flatMap(
    (id) => input.facts[positionOf(id, /^\W*(?:f|fact)?\W*(\d{1,4})\W*$/iu)]?.id ?? [],
  );
  return {
    ...(quote === undefined ? {} : { quote }),
    ...(since === undefined ? {} : { validFrom: since.from }),
    ...(until === undefined ? {} : { validTo: until.to }),
    ...(supersedes.length === 0 ? {} : { supersedes: [...new Set(supersedes)] }),
  };
}

/** `source` references a message unless it is the subject of an edge. */
function messageFields(fields: Fields): string {
  const names = 'message messageid messagenumber msg messages sourcemessage m';
  return fields.has('target') ? names : `${names} source`;
}

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
  let words: ReadonlyMap<SourceMessage, ReadonlySet<string>> | undefined;
  return (names, needsAll) => {
    words ??= new Map(messages.map((message) => [message, new Set(analyze(message.text))]));
    for (const role of ['user', 'assistant'] as const) {
      const tests = names.map((name) => nameTest(name, role));
      const scored = [...words].flatMap(([message, said]) => {
        const score = tests.filter((isIn) => isIn(said)).length;
        const isEnough = score > 0 && (!needsAll || score === names.length);
        return message.role === role && isEnough ? [{ message, score }] : [];
      });
      const best = Math.max(...scored.map(({ score }) => score));
      if (scored.length > 0) return scored.findLast(({ score }) => score === best)?.message;
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
  const text = name.slice(0, 500);
  const meaningful = contentTerms(text);
  const terms = meaningful.length > 0 ? meaningful : analyze(text);
  return (words) => terms.length > 0 && terms.every((term) => words.has(term));
}

/** Returns a text with single spaces, or a number as text; undefined for other values. */
function textOf(value: unknown): string | undefined {
  const inner = isRecord(value) ? firstOf(fieldsOf(value), NAME_FIELDS) : value;
  if (typeof inner === 'number' || typeof inner === 'boolean') return String(inner);
  if (typeof inner !== 'string') return undefined;
  return inner.toWellFormed().trim().replaceAll(/\s+/gu, ' ') || undefined;
}

/** A period of time in milliseconds since 1970; `to` is exclusive. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the period of an ISO date: a year, month, day or instant, in UTC unless it has another zone. Returns
 * undefined for everything else, including dates that do not exist, because a guess would look as reliable as a date.
 *
 * @example parsePeriod('2024-05') // all of May 2024
 */
export function parsePeriod(value: unknown): Period | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const match = ISO_DATE.exec(text.trim());
  if (!match) return undefined;
  const [, yearText = '', monthText, dayText, time] = match;
  const year = Number(yearText);
  if (monthText === undefined) return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
  const month = Number(monthText) - 1;
  if (month < 0 || month > 11) return undefined;
  if (dayText === undefined) return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
  const day = Number(dayText);
  const from = Date.UTC(year, month, day);
  if (new Date(from).getUTCDate() !== day) return undefined;
  if (time === undefined) return { from, to: Date.UTC(year, month, day + 1) };
  const instant = Date.parse(
    `${yearText}-${monthText}-${dayText}T${/[Z+-]/iu.test(time) ? time : `${time}Z`}`,
  );
  return Number.isNaN(instant) ? undefined : { from: instant, to: instant };
}

const ISO_DATE =
  /^([1-9]\d{3})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?))?)?)?$/iu;
