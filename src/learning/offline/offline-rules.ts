import { loadTagger, type Tagger } from '../pos-tagger.ts';
import type {
  DialogueInput,
  Extraction,
  ExtractionInput,
  Extractor,
  ProposedMention,
  ProposedTriple,
  SourceMessage,
} from '../extractor.ts';
import { yieldBetween } from '../yield-between.ts';
import { dialogueParts } from './offline-sentences.ts';
import type { StatedFact } from './offline-statements.ts';
import { DialogueReader, type SentenceReading } from './offline-reader.ts';
import { USER_NAME } from '../first-person.ts';
import { extractiveSummary, isSaid } from './offline-summary.ts';

/** Notes of at least this length get no further sentence. */
const MAX_NOTE = 300;
/** Maximum length of an entity summary, in UTF-16 code units; the oldest sentences are dropped. */
const MAX_ENTITY_SUMMARY = 2000;

/** The methods of `offlineExtractor` after its rules have been loaded. */
export type OfflineRules = Omit<Extractor, 'id' | 'batchTurns'>;

/** @throws MnemoraError `model-unavailable` */
export async function loadRules(): Promise<OfflineRules> {
  const tagger = await loadTagger();
  return {
    summarize: (input) => extractiveSummary(input, tagger),
    findEntities: async (input) => namesOf(await readInput(input, tagger)),
    updateEntity: async (input) => {
      const readings = await readInput(input, tagger, [input.entity]);
      return updatedSummary(input, readings, input.signal);
    },
    updateEntities: async (input) => {
      const names = input.entities.map(({ name }) => name);
      const readings = await readInput(input, tagger, names);
      const updates = new Map<string, string>();
      for (const { name, summary } of input.entities) {
        const update = await updatedSummary({ entity: name, summary }, readings, input.signal);
        if (update !== undefined) updates.set(name, update);
      }
      return updates;
    },
    extractTriples: async (input) => {
      const readings = await readInput(input, tagger);
      return readings.flatMap(({ facts }) =>
        facts.map(({ subject, predicate, object }) => ({ subject, predicate, object })),
      );
    },
    extract: (input) => extraction(input, tagger),
  };
}

async function extraction(input: ExtractionInput, tagger: Tagger): Promise<Extraction> {
  const reader = new DialogueReader(tagger, input.entities, input.facts);
  const known = [
    ...input.context.map(({ text }) => text),
    ...input.entities.flatMap(({ name, aliases }) => [name, ...aliases]),
  ];
  const names = new KnownText([...known, ...input.facts.flatMap(({ subject, object }) => [subject, object])]);
  const triples: ProposedTriple[] = [];
  const mentions: ProposedMention[] = [];
  for (const message of input.context) await readAll(reader, message, input.signal);
  for (const message of input.messages) {
    names.add(message.text);
    let last: ProposedTriple[] = [];
    for await (const reading of yieldBetween(reader.read(message), input.signal)) {
      const { quote, ended, isTakenBack } = reading;
      const facts = reading.facts.filter((fact) => names.has(fact.subject) && names.has(fact.object));
      if (isTakenBack) for (const triple of last) triples.splice(triples.indexOf(triple), 1);
      const told = facts.map((fact) => ({ ...fact, messageId: message.id, quote }));
      if (told.length > 0 || isTakenBack) last = told;
      triples.push(...told);
      for (const { id, ...words } of ended) {
        // A known fact stated with an end: it has held until now.
        const end = { validTo: message.createdAt, supersedes: [id] };
        triples.push({ ...words, messageId: message.id, quote, ...end });
      }
      mentions.push(...mentionsIn({ ...reading, facts }, message).filter(({ name }) => names.has(name)));
    }
  }
  return { mentions, triples, unreadable: 0 };
}

/** Returns the entities in a sentence, with the sentence as a note if it states something about them. */
function mentionsIn(reading: SentenceReading, message: SourceMessage): ProposedMention[] {
  const { quote, facts, isQuestion, isStated } = reading;
  const notes = new Map<string, ProposedMention>();
  const tells = facts.length > 0 || (!isQuestion && isStated && quote.split(/\s+/u).length > 3);
  for (const { text } of reading.names) {
    notes.set(text.toLowerCase(), { name: text, messageId: message.id, ...(tells ? { note: quote } : {}) });
  }
  for (const name of tells ? reading.meant : []) {
    const key = name.toLowerCase();
    const isToldOf = notes.has(key) || facts.some(({ subject }) => subject.toLowerCase() === key);
    if (!isToldOf) notes.set(key, { name, messageId: message.id, note: quote });
  }
  for (const fact of facts) {
    const { subject } = fact;
    const key = subject.toLowerCase();
    if (notes.has(key) && subject !== USER_NAME) continue;
    const note = subject !== USER_NAME && quote.toLowerCase().includes(key) ? quote : asSentence(fact);
    const before = notes.get(key)?.note;
    notes.set(key, {
      name: subject,
      messageId: message.id,
      note: before === undefined || before.length > MAX_NOTE ? (before ?? note) : `${before} ${note}`,
    });
  }
  return [...notes.values()];
}

/** Returns a sentence such as `The user lives in Paris.` */
function asSentence({ subject, predicate, object }: StatedFact): string {
  const name = subject === USER_NAME ? 'The user' : subject.replace(/^user's /u, 'The user’s ');
  return `${name} ${predicate} ${object}.`;
}

async function readInput(
  input: DialogueInput,
  tagger: Tagger,
  known: readonly string[] = [],
): Promise<SentenceReading[]> {
  const reader = new DialogueReader(
    tagger,
    known.map((name) => ({ name, aliases: [] })),
    [],
  );
  const readParts = async (text: string): Promise<SentenceReading[]> => {
    const readings: SentenceReading[] = [];
    for (const part of dialogueParts(text)) {
      readings.push(...(await readAll(reader, { ...part, createdAt: 0 }, input.signal)));
    }
    return readings;
  };
  await readParts(input.history);
  return readParts(input.input);
}

async function readAll(
  reader: DialogueReader,
  message: Parameters<DialogueReader['read']>[0],
  signal: AbortSignal | undefined,
): Promise<SentenceReading[]> {
  const readings: SentenceReading[] = [];
  for await (const reading of yieldBetween(reader.read(message), signal)) readings.push(reading);
  return readings;
}

function namesOf(readings: readonly SentenceReading[]): string[] {
  const names = new Map<string, string>();
  for (const { names: found, facts } of readings) {
    const subjects = facts
      .map(({ subject }) => subject)
      .filter((name) => name !== USER_NAME && !name.includes("'s "));
    for (const name of [...found.map(({ text }) => text), ...subjects]) {
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
    }
  }
  return [...names.values()];
}

/** Returns the summary with the new sentences about an entity, or undefined if there are none. */
async function updatedSummary(
  { entity, summary }: { readonly entity: string; readonly summary: string },
  readings: readonly SentenceReading[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let text = summary.trim();
  for await (const reading of yieldBetween(readings, signal)) {
    for (const { name, note } of mentionsIn(reading, NOWHERE)) {
      if (note === undefined || !isSameName(name, entity) || isSaid(text, note)) continue;
      text = text === '' ? note : `${text} ${note}`;
    }
  }
  if (text === summary.trim()) return undefined;
  while (text.length > MAX_ENTITY_SUMMARY && /[.!?]\s/u.test(text)) text = text.replace(/^.*?[.!?]\s+/su, '');
  return text;
}

const NOWHERE: SourceMessage = { id: '', role: 'user', text: '', createdAt: 0 };

function isSameName(name: string, entity: string): boolean {
  const [a, b] = [name.toLowerCase(), entity.toLowerCase()];
  const isSelf = /^(?:user|the user|i|me|myself)$/u;
  return a === b || (isSelf.test(a) && isSelf.test(b)) || a.endsWith(` ${b}`) || a.startsWith(`${b} `);
}

/** Texts that must contain every name of a fact: rules combine words, and must not invent any. */
class KnownText {
  readonly #texts: string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(plain);
  }

  add(text: string): void {
    this.#texts.push(plain(text));
  }

  has(name: string): boolean {
    if (name === USER_NAME) return true;
    // "Her husband" becomes `Emma's husband`, which no text contains as a whole.
    const parts = plain(name.replace(/^user's /u, '')).split("'s ");
    return parts.every((part) => this.#texts.some((text) => text.includes(part)));
  }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
}
