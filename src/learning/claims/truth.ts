import type { KnownAtQuery } from '../../graph/graph-query.ts';
import type { FactView } from '../../graph/fact-view.ts';
import type { GraphRecords, Triple, TripleSource } from '../../graph/triple.ts';
import { fold } from '../../language/fold.ts';
import { hasWords } from '../../language/shared-words.ts';
import { groupedBy } from '../../storage/rows.ts';
import type { FactRow, ClaimRow } from '../../storage/schema.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { partsOf, withoutWords } from './claim-parts.ts';
import { endedWords } from './endings.ts';

/** How a claim, or a part of it, ended. */
export interface ClaimEnd {
  /** Id of the claim that ended it; absent if the user did so directly. */
  readonly by?: string;
  /** Id of the message that ended it; absent if the user did so directly. */
  readonly byMessageId?: string;
  /** Time since which it no longer holds, in milliseconds since 1970. */
  readonly at: number;
  /** The words that are over, if not all of them. */
  readonly text?: string;
  /** True if it never held, as the user has said by a correction. */
  readonly isRetracted?: true;
  /** True if the user does not accept it. */
  readonly isRejected?: true;
}

/** Words of a message that are no longer true. */
export interface OutdatedQuote {
  readonly quote: string;
  /** Time since which they are no longer true, in milliseconds since 1970. */
  readonly since: number;
  /** Id of the message that ended them. Absent if the user corrected the fact. */
  readonly byMessageId?: string;
  /** True if the user does not accept what they say. */
  readonly isRejected?: true;
}

/** Stands in place of the claim that ended another one. */
const BY_USER = 'user';

const known = new WeakMap<KnowledgeRows, Truth>();

/** Returns what holds, as known at a time. Call it before anything is awaited, because the rows keep changing. */
export function truthOf(rows: KnowledgeRows, when: KnownAtQuery = {}): Truth {
  if (when.knownAt !== undefined) return new Truth(rows, when);
  const cached = known.get(rows);
  if (cached?.version === rows.version) return cached;
  const truth = new Truth(rows, when);
  known.set(rows, truth);
  return truth;
}

/**
 * What holds, decided in one place: a claim ends with the facts that were read from it, and a fact holds if and only if
 * one of the claims that support it does.
 */
export class Truth {
  readonly version: number;
  readonly #rows: KnowledgeRows;
  readonly #view: FactView;
  readonly #claimsByMessage: ReadonlyMap<string, readonly ClaimRow[]>;
  readonly #ends = new Map<string, ClaimEnd>();
  readonly #knownAt: number;
  #told: readonly ClaimRow[] | undefined;
  #enders: ReadonlySet<string | undefined> | undefined;
  #outdated: ReadonlyMap<string, OutdatedQuote> | undefined;

  constructor(rows: KnowledgeRows, when: KnownAtQuery) {
    this.version = rows.version;
    this.#rows = rows;
    this.#view = rows.view(when);
    this.#claimsByMessage = groupedBy([...rows.allClaims()], ({ messageId }) => messageId);
    this.#knownAt = when.knownAt ?? Infinity;
    this.#endByClaims();
    this.#endByFacts();
  }

  /** Returns how a claim, or a part of it, ended. Undefined if all of it holds. */
  endOf(claimId: string): ClaimEnd | undefined {
    return this.#ends.get(claimId);
  }

  /** Whether a claim has ended another one. */
  hasEnded(claimId: string): boolean {
    return (this.#enders ??= new Set(Array.from(this.#ends.values(), ({ by }) => by))).has(claimId);
  }

  /** Whether a fact holds, in itself and in what was said. */
  holds({ id }: Pick<Triple, 'id'>): boolean {
    return this.#view.holds(id) && this.endOfFact({ id }) === undefined;
  }

  /** Returns how what says a fact ended: the end of its last claim. Undefined while one of them holds. */
  endOfFact({ id }: Pick<Triple, 'id'>): ClaimEnd | undefined {
    const fact = this.#rows.facts.get(id);
    if (!fact || fact.source === 'user' || fact.isPinned === true || this.#isSaid(fact)) return undefined;
    const claims = this.#ownSources(id).flatMap((source) => this.#claimsOf(fact, source));
    return claims.flatMap((claim) => this.#ends.get(claim.id) ?? []).toSorted((a, b) => b.at - a.at)[0];
  }

  /**
   * Returns the claims as they are told: with `endedBy` if they are over or were taken back, and otherwise with the words
   * that hold.
   */
  told(): readonly ClaimRow[] {
    return (this.#told ??= [...this.#rows.claims.values()].flatMap((claim) => {
      const end = this.#ends.get(claim.id);
      if (claim.saidAt > this.#knownAt) return [];
      const { endedBy: _by, ...held } = claim;
      if (!end) return claim.endedBy === undefined ? claim : held;
      const left = end.text === undefined ? '' : withoutWords(claim.text, end.text);
      return left === '' ? { ...claim, endedBy: end.by ?? BY_USER } : { ...held, text: left };
    }));
  }

  /** Returns the graph as records, in which the facts are over that nobody says any more. */
  records(): GraphRecords {
    const { entities, triples } = this.#rows.graph.toRecords();
    const ended = triples.map((record) => {
      const end = record.retraction ? undefined : this.endOfFact(record);
      if (!end) return record;
      const validTo = Math.max(end.at, record.validFrom);
      return { ...record, retraction: { recordedAt: Math.max(end.at, record.recordedAt), validTo } };
    });
    return { entities, triples: ended };
  }

  /** Returns the facts that were read from a claim. */
  factsOf(claim: ClaimRow): FactRow[] {
    const isFrom = (fact: FactRow): boolean =>
      this.#ownSources(fact.id).some((source) =>
        this.#claimsOf(fact, source).some(({ id }) => id === claim.id),
      );
    return this.#view
      .from(claim.messageId)
      .flatMap(({ id }) => this.#rows.facts.get(id) ?? [])
      .filter(isFrom);
  }

  /** Returns the words that are no longer true or that the user does not accept, by message. */
  outdatedQuotes(): ReadonlyMap<string, OutdatedQuote> {
    return (this.#outdated ??= this.#quotes());
  }

  #quotes(): ReadonlyMap<string, OutdatedQuote> {
    const quotes = new Map<string, OutdatedQuote>();
    for (const [id, { at, text, byMessageId, ...end }] of this.#ends) {
      const claim = this.#rows.claim(id);
      if (!claim) continue;
      const quote = text ?? claim.text;
      quotes.set(claim.messageId, {
        quote,
        since: at,
        ...(byMessageId === undefined ? {} : { byMessageId }),
        ...(end.isRejected ? { isRejected: true } : {}),
      });
    }
    const put = (fact: FactRow, since: number, rest: { readonly isRejected?: true } = {}): void => {
      for (const { messageId, quote } of this.#ownSources(fact.id)) {
        if (quote === undefined || (quotes.has(messageId) && rest.isRejected !== true)) continue;
        quotes.set(messageId, { quote: wordsOf({ text: quote }, fact) ?? quote, since, ...rest });
      }
    };
    for (const by of this.#rows.enteredFacts) {
      if (!this.#view.triple(by.id)) continue;
      for (const id of by.supersedes) {
        const fact = this.#rows.facts.get(id);
        if (fact && !isSaidAgain(fact, by)) put(fact, by.recordedAt);
      }
    }
    for (const fact of this.#rejected()) put(fact, fact.retraction?.recordedAt ?? 0, { isRejected: true });
    return quotes;
  }

  #endByClaims(): void {
    for (const { id, endedBy, endedText } of this.#rows.endedClaims.values()) {
      const by = this.#rows.claim(endedBy ?? '');
      if (!by || by.saidAt > this.#knownAt) continue;
      const part = endedText === undefined ? {} : { text: endedText };
      this.#ends.set(id, { by: by.id, byMessageId: by.messageId, at: by.saidAt, ...part });
    }
  }

  /** Ends the claims of the facts that no longer hold, or that the user does not accept. */
  #endByFacts(): void {
    for (const fact of this.#rejected())
      this.#endClaimsOf(fact, { at: fact.retraction?.recordedAt ?? 0, isRejected: true });
    for (const fact of this.#rows.facts.values()) {
      const by = this.#endOf(fact);
      if (by) this.#endClaimsOf(fact, this.#endBy(fact, by));
    }
  }

  /** Returns the fact that ended one. A fact that was said again was not ended by that, only by what ended it later. */
  #endOf(fact: FactRow): FactRow | undefined {
    let by: FactRow | undefined = fact;
    const passed = new Set<FactRow>();
    do {
      passed.add(by);
      const shown = this.#view.holds(by.id) ? undefined : this.#view.triple(by.id);
      by = this.#rows.facts.get(shown?.supersededBy ?? '');
    } while (by && isSaidAgain(fact, by) && !passed.has(by));
    return by && !isSaidAgain(fact, by) ? by : undefined;
  }

  #rejected(): FactRow[] {
    return this.#rows.rejectedFacts.filter(
      ({ retraction }) => (retraction?.recordedAt ?? Infinity) <= this.#knownAt,
    );
  }

  #endClaimsOf(fact: FactRow, end: ClaimEnd): void {
    // What the user decides need not be said in the words of the fact.
    const isDecided = end.by === undefined && end.byMessageId === undefined;
    for (const source of this.#ownSources(fact.id)) {
      for (const claim of this.#claimsOf(fact, source)) {
        if (this.#ends.has(claim.id)) continue;
        const words = wordsOf(claim, fact) ?? (isDecided ? claim.text : undefined);
        if (words === undefined) continue;
        const over = this.#withoutOthers(claim, fact, words);
        this.#ends.set(claim.id, over === claim.text ? end : { ...end, text: over });
      }
    }
  }

  /** Returns the words of a fact alone, if others that hold are in the same words: of "a nurse at Globex" only "nurse". */
  #withoutOthers(claim: ClaimRow, fact: FactRow, words: string): string {
    const isShared = this.factsOf(claim).some(
      (other) => other.id !== fact.id && this.#view.holds(other.id) && hasWords(words, other.object),
    );
    const at = isShared ? words.toLowerCase().indexOf(fact.object.toLowerCase()) : -1;
    return at < 0 ? words : words.slice(at, at + fact.object.length);
  }

  #endBy(fact: FactRow, by: FactRow): ClaimEnd {
    const isCorrection = by.source === 'user' && by.supersedes.includes(fact.id);
    // "That is over" is a correction of the time alone.
    if (isCorrection && saysSame(fact, by)) return { at: by.validTo ?? by.recordedAt };
    if (isCorrection) return { at: by.recordedAt, isRetracted: true };
    if (by.source === 'user') return { at: by.validFrom };
    const [source] = this.#ownSources(by.id);
    const [claim] = source ? this.#claimsOf(by, source) : [];
    return {
      at: by.validFrom,
      ...(source ? { byMessageId: source.messageId } : {}),
      ...(claim ? { by: claim.id } : {}),
    };
  }

  /** Whether the user or somebody else still says a fact. A source without a claim cannot end. */
  #isSaid(fact: FactRow): boolean {
    const sources = this.#ownSources(fact.id);
    return (
      sources.length === 0 ||
      sources.some((source) => {
        const claims = this.#claimsOf(fact, source);
        return claims.length === 0 || claims.some((claim) => this.#isSaidBy(claim, fact));
      })
    );
  }

  /** What ended one fact of a claim does not end the others. */
  #isSaidBy(claim: ClaimRow, fact: FactRow): boolean {
    const end = claim.endedBy === undefined ? undefined : this.#ends.get(claim.id);
    return !isOver(fact, claim, end, this.#rows.claim(end?.by ?? ''));
  }

  /** Returns the claims that a fact was read from: of a long quote, those with its words. */
  #claimsOf(fact: FactRow, source: TripleSource): readonly ClaimRow[] {
    const claims = this.#claimsByMessage.get(source.messageId) ?? [];
    const quoted = claims.filter((claim) => overlaps(claim, source));
    const saying = quoted.filter(({ text }) => hasWords(text, fact.object));
    return saying.length > 0 ? saying : quoted;
  }

  #ownSources(factId: string): TripleSource[] {
    return (this.#rows.facts.get(factId)?.sources ?? []).filter(({ isContext }) => isContext !== true);
  }
}

/** Whether the user does not accept a fact. */
export function isRejected({ attributes }: Pick<FactRow, 'attributes'>): boolean {
  return attributes['isRejected'] === true;
}

/** Whether a fact in place of another one says that it holds. */
function isSaidAgain(fact: FactRow, by: FactRow): boolean {
  return by.validTo === undefined && saysSame(fact, by);
}

/** Whether two facts say the same, perhaps of different times. */
export function saysSame(one: FactRow, other: FactRow): boolean {
  return (
    one.subjectKey === other.subjectKey &&
    one.objectKey === other.objectKey &&
    fold(one.predicate) === fold(other.predicate)
  );
}

/**
 * Whether the words of a claim that are over say what a fact says. Whom the user has as a friend does not change with
 * what is said of the friend.
 */
function isOver(
  fact: FactRow,
  claim: ClaimRow,
  end: ClaimEnd | undefined,
  by: ClaimRow | undefined,
): boolean {
  if (end === undefined || !hasWords(end.text ?? claim.text, fact.object)) return false;
  const [, role = ''] = HAS_ROLE.exec(fact.predicate) ?? [];
  if (by === undefined || !ROLES.some((wordClass) => hasWord(role, wordClass))) return true;
  return endedWords(by, { text: `${fact.object} is my ${role}` }) !== undefined;
}

const HAS_ROLE = /^has (.+)$/u;
const ROLES = ['kin', 'others', 'pet'] as const;

/** Returns the part of a claim that says a fact, or undefined if it does not have its words. */
function wordsOf({ text }: Pick<ClaimRow, 'text'>, { object }: FactRow): string | undefined {
  const part = partsOf(text).find((each) => hasWords(each.text, object))?.text;
  return part ?? (hasWords(text, object) ? text : undefined);
}

function overlaps({ text }: ClaimRow, { quote }: TripleSource): boolean {
  if (quote === undefined) return true;
  const [one, other] = [fold(text), fold(quote)];
  return one.includes(other) || other.includes(one);
}
