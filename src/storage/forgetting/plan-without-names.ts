import type { TripleSource } from '../../graph/triple.ts';
import { factWithoutMessages, messageIdsOf, withoutRewrite } from '../facts-and-entities.ts';
import { erasedSession, retitled, titleSource } from '../transcript/append-plan.ts';
import { startingWith } from '../key-range.ts';
import { planForgetting } from './knowledge-erasure.ts';
import type { Plan } from '../plan.ts';
import { getEach, slicesOf } from '../rows.ts';
import type {
  EntityMention,
  EntityRow,
  FactRow,
  MessageRecord,
  SessionKey,
  SessionRecord,
} from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import { holdsText } from './holds-text.ts';
import { isReadFrom } from './forgotten-words.ts';
import { saidOfFact } from './said-of-fact.ts';
import { planWithoutClaims } from '../stores/knowledge.ts';
import { openingMessage, planWithoutSummaries } from '../stores/sessions.ts';

/** Tests for names that were forgotten. Texts that the user entered have an empty message id. */
export interface ForgottenNames {
  /** Returns whether a text that was made from a message contains one of the names. */
  inTextOf(messageId: string, text: string): boolean;
  /** Returns whether a text that was made from messages of a session contains one of the names. */
  inTextOfSession(session: SessionKey, text: string): boolean;
  /**
   * Returns whether messages of a session contain a name. Results that are being derived from them must then not be
   * stored.
   */
  isInMessagesOf(session: SessionKey): boolean;
  /** Returns whether the item with this key was itself forgotten in a message. */
  isForgotten(messageId: string, key: string): boolean;
  /** Returns whether the words that were forgotten in a message contain this text. @default never */
  isSaidIn?(messageId: string, text: string): boolean;
}

/** Ids of facts and claims, and keys of entities. */
export interface DerivedRows {
  readonly facts: readonly string[];
  readonly entities: readonly string[];
  readonly claims: readonly string[];
}

/**
 * Plans the removal of forgotten names from everything derived in a scope: facts and claims with a name are
 * removed, notes and quotes are deleted, summaries are rebuilt, and sessions get another title. Reads the rows as they
 * are when it is called.
 *
 * @param among the facts, entities and claims that can contain a name. @default all
 */
export async function planWithoutNames(
  transaction: Transaction,
  scope: string,
  names: ForgottenNames,
  among?: DerivedRows,
): Promise<Plan[]> {
  const [triples, entityRows, claims] = [
    transaction.objectStore('triples'),
    transaction.objectStore('entities'),
    transaction.objectStore('claims'),
  ];
  const [facts, entities, stated, summaries, sessions] = await Promise.all([
    among ? getEach(triples, among.facts) : triples.index('scope').getAll(scope),
    among
      ? getEach(
          entityRows,
          among.entities.map((key): [string, string] => [scope, key]),
        )
      : entityRows.getAll(startingWith(scope)),
    among ? getEach(claims, among.claims) : claims.index('scope').getAll(scope),
    transaction.objectStore('summaries').getAll(startingWith(scope)),
    transaction.objectStore('sessions').getAll(startingWith(scope)),
  ]);
  const leftover = {
    fact: onceEach((fact: FactRow) => factWithoutNames(fact, names)),
    entity: onceEach((entity: EntityRow) => entityWithoutNames(entity, names)),
  };
  const plans = await planForgetting(
    transaction,
    await losing(transaction, facts, leftover.fact),
    await losing(transaction, entities, leftover.entity),
    leftover,
  );
  const named = stated.filter(
    ({ id, messageId, text }) => names.inTextOf(messageId, text) || names.isForgotten(messageId, id),
  );
  plans.push(
    await planWithoutClaims(transaction, named),
    planWithoutSummaries(
      summaries.filter(({ sessionId, text }) => names.inTextOfSession([scope, sessionId], text)),
    ),
  );
  for (const session of sessions) plans.push(await planSession(transaction, session, names));
  return plans;
}

/** Rows searched for a name at once, which takes a few milliseconds. */
const ROWS_AT_ONCE = 25;

/** Returns the rows that lose something. Between slices there is a request, the only wait that keeps a transaction. */
async function losing<Row>(
  transaction: Transaction,
  rows: readonly Row[],
  leave: (row: Row) => Row | undefined,
): Promise<Row[]> {
  const changed: Row[] = [];
  for (const some of slicesOf(rows, ROWS_AT_ONCE)) {
    changed.push(...some.filter((row) => leave(row) !== row));
    if (some.length === ROWS_AT_ONCE) await transaction.objectStore('meta').get('generation');
  }
  return changed;
}

/** Returns the function with its results kept, because all notes and quotes of a row are searched for it. */
function onceEach<Row extends object, Left>(leave: (row: Row) => Left): (row: Row) => Left {
  const left = new Map<Row, Left>();
  return (row) => {
    if (!left.has(row)) left.set(row, leave(row));
    return left.get(row) as Left;
  };
}

/**
 * Returns the fact without sources and quotes that contain a forgotten name; undefined if nothing remains. Returns
 * the same object if nothing changes.
 */
export function factWithoutNames(fact: FactRow, names: ForgottenNames): FactRow | undefined {
  const { subjectKey, object, objectKey, messageIds, sources } = fact;
  const isNamedBy = (messageId: string): boolean =>
    holdsText(saidOfFact(fact), (text) => names.inTextOf(messageId, text));
  if (messageIds.length === 0) {
    const isForgotten = [subjectKey, objectKey].some((key) => names.isForgotten('', key)) || isNamedBy('');
    return isForgotten ? undefined : fact;
  }
  const read = new Set(
    sources.filter((source) => isReadFrom(source, object, names)).map(({ messageId }) => messageId),
  );
  const gone = new Set(messageIds.filter((id) => read.has(id) || isNamedBy(id)));
  if (gone.size === messageIds.length) return undefined;
  const left = gone.size > 0 ? factWithoutMessages(fact, gone) : fact;
  if (!left?.sources.some((source) => isQuoteNamed(source, names))) return left;
  return { ...left, sources: left.sources.map((source) => withoutQuote(source, names)) };
}

function isQuoteNamed({ messageId, quote }: TripleSource, names: ForgottenNames): boolean {
  return quote !== undefined && names.inTextOf(messageId, quote);
}

function withoutQuote(source: TripleSource, names: ForgottenNames): TripleSource {
  if (!isQuoteNamed(source, names)) return source;
  const { quote: _quote, ...rest } = source;
  return rest;
}

/**
 * Returns the entity without names, notes and attributes that contain a forgotten name, or the same object if nothing
 * changes.
 */
export function entityWithoutNames(entity: EntityRow, names: ForgottenNames): EntityRow {
  const isNamed = (ids: readonly string[], text: string): boolean =>
    (ids.length > 0 ? ids : ['']).some((id) => names.inTextOf(id, text));
  const isByHand = entity.isStandalone || entity.mentions.some(({ messageIds }) => messageIds.length === 0);
  const isForgotten = isByHand && (names.isForgotten('', entity.key) || names.inTextOf('', entity.name));
  const mentions = entity.mentions.flatMap((mention): EntityMention[] => {
    const { messageIds, note, aliases } = mention;
    if (messageIds.length > 0 ? isNamed(messageIds, entity.name) : isForgotten) return [];
    const kept = aliases.filter((alias) => !isNamed(messageIds, alias));
    const isNoteNamed = isNamed(messageIds, note);
    if (!isNoteNamed && kept.length === aliases.length) return [mention];
    if (isNoteNamed && messageIds.length + kept.length === 0) return [];
    if (isNoteNamed && messageIds.some((id) => names.isSaidIn?.(id, entity.name))) return [];
    // Without its note, a rewriting mention no longer replaces earlier ones.
    return [
      isNoteNamed ? { ...withoutRewrite(mention), note: '', aliases: kept } : { ...mention, aliases: kept },
    ];
  });
  const attributes = Object.entries(entity.attributes);
  const keptAttributes = attributes.filter((pair) => !holdsText(pair, (text) => names.inTextOf('', text)));
  const isSame =
    mentions.length === entity.mentions.length &&
    mentions.every((mention, at) => mention === entity.mentions[at]) &&
    keptAttributes.length === attributes.length &&
    !(isForgotten && entity.isStandalone);
  if (isSame) return entity;
  return {
    ...entity,
    isStandalone: entity.isStandalone && !isForgotten,
    attributes: Object.fromEntries(keptAttributes),
    mentions,
    messageIds: messageIdsOf(mentions),
  };
}

/**
 * Plans a new title if the old one contains the name. Counts as an erasure, so that a summary in progress is not
 * stored.
 */
async function planSession(
  transaction: Transaction,
  session: SessionRecord,
  names: ForgottenNames,
): Promise<Plan> {
  const { scope, id, titleFrom: source = '', title } = session;
  const quoted =
    source === '' ? undefined : await transaction.objectStore('messages').index('id').get(source);
  const beginning = quoted ? titleSource(quoted) : '';
  const isTitleNamed = [title, beginning].some((text) => names.inTextOf(source, text));
  if (!isTitleNamed && !names.isInMessagesOf([scope, id])) return {};
  const isNamed = (message: MessageRecord): boolean => names.inTextOf(message.id, titleSource(message));
  const left = isTitleNamed
    ? retitled(session, await openingMessage(transaction, [scope, id], isNamed))
    : session;
  return { puts: { sessions: [erasedSession(left)] } };
}
