import { openTagger, type Tagger, type TaggerOptions } from '../../language/tagging/tagger.ts';
import { yieldBetween } from '../../model/event-loop.ts';
import type {
  Extraction,
  ExtractionInput,
  Extractor,
  KnownFact,
  ProposedMention,
  ProposedTriple,
} from '../extractor.ts';
import { USER_NAME } from '../first-person.ts';
import { DialogueReader, type SentenceReading } from './reader.ts';
import type { StatedFact } from './rule-statements.ts';
import { extractiveSummary } from './rules-summary.ts';

/** The methods of `offlineExtractor`. */
export type OfflineRules = Omit<Extractor, 'id' | 'batchTurns'>;

export function offlineRules(options: TaggerOptions): OfflineRules {
  const tagger = openTagger(options);
  return {
    summarize: (input) => extractiveSummary(input, tagger),
    extract: (input) => extraction(input, tagger),
  };
}

async function extraction(
  { context, messages, entities, facts: known, signal }: ExtractionInput,
  tagger: Tagger,
): Promise<Extraction> {
  const reader = new DialogueReader(tagger, entities, known);
  const texts = [
    ...context.map(({ text }) => text),
    ...entities.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...known.flatMap(({ subject, object }) => [subject, object]),
  ].map(plain);
  const triples: ProposedTriple[] = [];
  const mentions: ProposedMention[] = [];
  for (const message of context) await readAll(reader, message, signal);
  for (const message of messages) {
    texts.push(plain(message.text));
    let last: ProposedTriple[] = [];
    for await (const reading of yieldBetween(reader.read(message, signal), signal)) {
      const said = { messageId: message.id, quote: reading.quote };
      const facts = reading.facts.filter(
        ({ subject, object }) => isFromTexts(subject, texts) && isFromTexts(object, texts),
      );
      if (reading.isTakenBack) for (const triple of last) triples.splice(triples.indexOf(triple), 1);
      const told = facts.map((fact) => ({ ...fact, ...said, ...endOf(fact, known) }));
      if (told.length > 0 || reading.isTakenBack) last = told;
      triples.push(...told);
      for (const { id, ...words } of reading.ended) {
        // A known fact stated with an end: it has held until now.
        triples.push({ ...words, ...said, validTo: message.createdAt, supersedes: [id] });
      }
      for (const { name, ...note } of notesIn({ ...reading, facts })) {
        if (isFromTexts(name, texts)) mentions.push({ name, messageId: message.id, ...note });
      }
    }
  }
  return { mentions, triples, unreadable: 0 };
}

/** "I quit my job at Acme" ends the known fact that says the same without an end. */
function endOf(fact: StatedFact, known: readonly KnownFact[]): Pick<ProposedTriple, 'supersedes'> {
  const words = ({ subject, predicate, object }: StatedFact): string =>
    `${subject} ${predicate} ${object}`.toLowerCase();
  const same = fact.validTo === undefined ? undefined : known.find((each) => words(each) === words(fact));
  return same ? { supersedes: [same.id] } : {};
}

/** Returns the entities in a sentence, with the sentence as a note if it states something about them. */
function notesIn(reading: SentenceReading): Iterable<Pick<ProposedMention, 'name' | 'note'>> {
  const { quote, names, meant, facts, isQuestion, isStated } = reading;
  const notes = new Map<string, Pick<ProposedMention, 'name' | 'note'>>();
  const tells = facts.length > 0 || (!isQuestion && isStated && quote.split(/\s+/u).length > 3);
  for (const { text: name } of names) notes.set(name.toLowerCase(), tells ? { name, note: quote } : { name });
  for (const name of tells ? meant : []) {
    const key = name.toLowerCase();
    const isToldOf = notes.has(key) || facts.some(({ subject }) => subject.toLowerCase() === key);
    if (!isToldOf) notes.set(key, { name, note: quote });
  }
  for (const fact of facts) {
    const { subject: name } = fact;
    const key = name.toLowerCase();
    // All that is said of the user would be one note that grows for years. Their facts and claims say the same.
    if (notes.has(key) || name === USER_NAME) continue;
    notes.set(key, { name, note: quote.toLowerCase().includes(key) ? quote : asSentence(fact) });
  }
  return notes.values();
}

/** Returns a sentence such as `The user’s sister lives in Paris.` */
function asSentence({ subject, predicate, object }: StatedFact): string {
  return `${subject.replace(/^user's /u, 'The user’s ')} ${predicate} ${object}.`;
}

async function readAll(
  reader: DialogueReader,
  message: Parameters<DialogueReader['read']>[0],
  signal: AbortSignal | undefined,
): Promise<SentenceReading[]> {
  const readings: SentenceReading[] = [];
  for await (const reading of yieldBetween(reader.read(message, signal), signal)) readings.push(reading);
  return readings;
}

/** Whether the texts contain every part of a name: rules combine words, and must not invent any. */
function isFromTexts(name: string, texts: readonly string[]): boolean {
  // "Her husband" becomes `Emma's husband`, which no text contains as a whole.
  const parts = plain(name.replace(/^user's /u, '')).split("'s ");
  return name === USER_NAME || parts.every((part) => texts.some((text) => text.includes(part)));
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
}
