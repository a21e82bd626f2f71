import { sentenceOf, type Triple } from '../graph/triple.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import { aliasesOf, summaryOf } from '../storage/facts-and-entities.ts';
import { isPlanned } from './apply-extraction.ts';
import type { TurnsToRead } from './claims/learn-claims.ts';
import type { ExtractionInput, Extractor, KnownFact } from './extractor.ts';
import { take } from './facts-about.ts';
import { USER_NAME } from './first-person.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { sharedSentences } from './near-copies.ts';
import { readPart, sourceMessages } from './source-text.ts';

/** Earlier texts by the id of the turn whose replies may repeat them. */
export type Recalled = ReadonlyMap<string, readonly string[]>;

/** What decides what an extractor is shown of turns. */
export interface ShownBy extends Omit<TurnsToRead, 'turns'> {
  readonly extractor: Extractor;
  /** What replies may repeat is not shown. */
  readonly recalled: Recalled;
  readonly signal?: AbortSignal;
}

/** Maximum number of known entities and of known facts in a prompt. */
const MAX_KNOWN = 60;

/**
 * Returns what an extractor is shown of turns, with what is known of whom they name. Must stay synchronous, because the rows
 * can change.
 *
 * @param telling ids of messages with claims
 */
export function toExtractionInput(
  { recalled, context: before, apart, userName, extractor, signal }: ShownBy,
  turns: readonly (readonly StoredMessage[])[],
  rows: KnowledgeRows,
  telling: ReadonlySet<string>,
): ExtractionInput {
  let isApart = false;
  const messages = turns.flatMap((turn) => {
    const keys = rows.entitiesIn(turn.map((message) => readPart(messageText(message))).join('\n'));
    const known = recalled.get(turn[0]?.turnId ?? '') ?? [];
    const read = sourceMessages(turn, known, (answers) => repeatedFacts(rows, keys, answers), userName);
    isApart ||= apart?.has(turn[0]?.turnId ?? '') === true;
    const [first, ...rest] = read;
    if (!first || !isApart) return read;
    isApart = false;
    return [{ ...first, isApart: true as const }, ...rest];
  });
  const context = before.flatMap((turn) => sourceMessages(turn, [], undefined, userName));
  const text = [...context, ...messages].map((message) => message.text).join('\n');
  // "We broke up" and "quit ballet" are about the user. Requests are not: their facts would only cost tokens.
  const isOfUser = messages.some(
    ({ id, role, text: said }) =>
      role === 'user' && (!extractor.isModel || telling.has(id) || /\b(?:we|our|us)\b/iu.test(said)),
  );
  const keys = [...new Set([...rows.entitiesIn(text), ...(isOfUser ? [USER_NAME] : [])])];
  return {
    messages,
    context,
    entities: keys.slice(0, MAX_KNOWN).flatMap((key) => {
      const row = rows.entities.get(key);
      if (!row) return [];
      return [
        {
          name: row.name,
          aliases: aliasesOf(row),
          // Rules do not read it, and after years of chats it is long.
          get summary() {
            return summaryOf(row);
          },
        },
      ];
    }),
    facts: knownFacts(
      rows,
      keys,
      messages.map(({ createdAt }) => createdAt),
      extractor.isModel === true,
    ),
    ...(signal ? { signal } : {}),
  };
}

/** Returns the facts about these entities that hold and that a text may repeat, as sentences. */
function repeatedFacts(rows: KnowledgeRows, keys: readonly string[], text: string): string[] {
  const view = rows.view();
  const nodes = new Set(keys);
  return sharedSentences(text, (terms) => rows.sentenceIndex.sharing(terms)).flatMap((id) => {
    const isMeant = view.endsOf(id).some((node) => nodes.has(node)) && view.holds(id);
    const fact = isMeant ? rows.facts.get(id) : undefined;
    return fact ? [sentenceOf(fact)] : [];
  });
}

/**
 * Returns the facts about these entities that hold or held when this was said, in the order they were added. Of too many,
 * the newest are kept. What was entered or said later can be there already, and is not known: turns are learned from
 * again, and those of other sessions in any order if the clock was put back. A model is shown what it has proposed, too.
 */
function knownFacts(
  rows: KnowledgeRows,
  keys: readonly string[],
  times: readonly number[],
  isModel: boolean,
): KnownFact[] {
  if (times.length === 0) return [];
  const saidAt = Math.max(...times);
  const views = [rows.view(), rows.view({ validAt: saidAt })];
  const seqOf = ({ id }: Triple): number => rows.facts.get(id)?.seq ?? 0;
  const known = new Map<string, KnownFact>();
  for (const key of keys) {
    if (known.size >= MAX_KNOWN) break;
    const facts = views.flatMap((view) => take(view.latest(key), MAX_KNOWN));
    const told = facts.filter((fact) => fact.validFrom <= saidAt || isPlanned(rows, fact, saidAt));
    for (const { id, subject, predicate, object } of told.toSorted((a, b) => seqOf(a) - seqOf(b)))
      known.set(id, { id, subject, predicate, object });
    if (isModel)
      for (const fact of take(proposedBefore(rows, key, saidAt), MAX_KNOWN)) known.set(fact.id, fact);
  }
  return [...known.values()].slice(0, MAX_KNOWN);
}

/** Yields what a model has read from what the user said up to a time, and nobody has decided on. */
function* proposedBefore(rows: KnowledgeRows, key: string, time: number): Generator<KnownFact> {
  for (const { id, subject, predicate, object, validFrom, attributes } of rows.view().proposed(key))
    if (attributes['statedBy'] === 'model' && validFrom <= time)
      yield { id, subject, predicate, object, isUnconfirmed: true };
}
