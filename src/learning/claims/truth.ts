import type { KnownAtQuery } from '../../graph/graph-query.ts';
import type { FactView } from '../../graph/fact-view.ts';
import type { Triple, TripleSource } from '../../graph/triple.ts';
import { hasWords } from '../../language/shared-words.ts';
import type { Steps } from '../../model/event-loop.ts';
import type { FactRow, ClaimRow } from '../../storage/schema.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { unconfirmedSpeaker } from '../speaker.ts';
import { sayingsOf, wordsKey } from './claim-parts.ts';
import { byWeight, endBy, isDecided, leftOf, rejection, withoutEnded, type ClaimEnd } from './claim-ends.ts';
import { laterEnds } from './end-claims.ts';
import { claimsQuoted, isOver, isRejected, isSaidAgain, saysSame, wordsOf } from './fact-words.ts';
import { distinctQuotes, outdatedQuote, type OutdatedQuote, type OverWords } from './outdated-quotes.ts';

/** Stands in place of the claim that ended another one. */
const BY_USER = 'user';

/**
 * What holds, decided in one place: a claim ends with the facts that were read from it, and a fact holds if and only if
 * one of the claims that support it does. Each answer is computed when it is first asked for, from the claims and facts that
 * it depends on, so that a question costs what it asks and not what is stored.
 */
export class Truth {
  readonly version: number;
  readonly #rows: KnowledgeRows;
  /** The facts that hold, by what is said of them. */
  readonly view: FactView;
  readonly #knownAt: number;
  /** How the parts of each claim ended. */
  readonly #ends = new Map<string, readonly ClaimEnd[]>();
  /** Those of them that claims ended, and not facts. */
  readonly #ruled = new Map<string, readonly ClaimEnd[]>();
  /** How what says each fact ended. */
  readonly #endOfFacts = new Map<string, ClaimEnd | undefined>();
  readonly #told = new Map<string, readonly ClaimRow[]>();
  readonly #outdated = new Map<string, readonly OutdatedQuote[]>();
  /** Whether a claim, or a part of one, that holds has these words. */
  readonly #held = new Map<string, boolean>();

  /** The rows must not change while it is used. */
  constructor(rows: KnowledgeRows, when: KnownAtQuery) {
    this.version = rows.version;
    this.#rows = rows;
    this.view = rows.graph.view(when, this.saidUntil);
    this.#knownAt = when.knownAt ?? Infinity;
  }

  /** Computes how all claims and facts ended, step by step, for callers that then read all of them. */
  *readAll(): Steps<void> {
    for (const fact of this.#rows.facts.values()) {
      this.endOfFact(fact);
      this.view.holds(fact.id);
      yield;
    }
    for (const claim of this.#rows.allClaims()) {
      this.endsOf(claim);
      yield;
    }
  }

  /** Returns how a claim, or the first of its parts that are over, ended. Undefined if all of it holds. */
  endOf(claimId: string): ClaimEnd | undefined {
    const claim = this.#rows.claim(claimId);
    const ends = claim ? this.endsOf(claim) : [];
    const whole = ends.find(({ text }) => text === undefined);
    if (!claim || whole || ends.length < 2 || leftOf(claim, ends) !== '') return whole ?? ends[0];
    // Its parts are over one by one.
    const { text: _part, ...last } = ends.reduce((one, other) => (other.at > one.at ? other : one));
    return last;
  }

  /** Whether a fact holds, in itself and in what was said. */
  holds({ id }: Pick<Triple, 'id'>): boolean {
    return this.view.holds(id) && this.endOfFact({ id }) === undefined;
  }

  /** Returns the time until which the user or somebody else says a fact. */
  readonly saidUntil = (id: string): number => this.endOfFact({ id })?.at ?? Infinity;

  /** Returns how what says a fact ended: the end of its last claim. Undefined while one of them holds. */
  endOfFact({ id }: Pick<Triple, 'id'>): ClaimEnd | undefined {
    if (this.#endOfFacts.has(id)) return this.#endOfFacts.get(id);
    const end = this.#endOfSayings(id);
    this.#endOfFacts.set(id, end);
    return end;
  }

  #endOfSayings(id: string): ClaimEnd | undefined {
    const fact = this.#rows.facts.get(id);
    if (!fact || fact.source === 'user' || fact.isPinned === true || this.#isSaidByClaims(fact))
      return undefined;
    return this.#claimsFor(fact)
      .flatMap((claim) => this.#endOfFactIn(claim, fact) ?? [])
      .toSorted((a, b) => b.at - a.at)[0];
  }

  /** Returns how the parts of a claim ended; none if all of it holds. */
  endsOf(claim: ClaimRow): readonly ClaimEnd[] {
    const known = this.#ends.get(claim.id);
    if (known) return known;
    const ends = this.#readEnds(claim);
    this.#ends.set(claim.id, ends);
    return ends;
  }

  /** Returns the words of a claim that are over. */
  overIn(claim: ClaimRow): string[] {
    return this.endsOf(claim).map(({ text = claim.text }) => text);
  }

  /**
   * Returns the claims of a message as they are told: with `endedBy` if they are over or were taken back, and otherwise with
   * the words that hold.
   */
  toldIn(messageId: string): readonly ClaimRow[] {
    const known = this.#told.get(messageId);
    if (known) return known;
    const claims = this.#rows.claimLists.in(messageId).filter(({ isWeak }) => isWeak !== true);
    const told = claims.flatMap((claim) => this.told(claim) ?? []);
    this.#told.set(messageId, told);
    return told;
  }

  /** Returns a claim as it is told: see {@link toldIn}. Undefined if it was not known at the time. */
  told(claim: ClaimRow): ClaimRow | undefined {
    if (claim.saidAt > this.#knownAt) return undefined;
    const ends = this.endsOf(claim);
    const { endedBy: _by, ...held } = claim;
    if (ends.length === 0) return claim.endedBy === undefined ? claim : held;
    const left = withoutEnded(claim, ends);
    return left === '' ? { ...claim, endedBy: ends[0]?.by ?? BY_USER } : { ...held, text: left };
  }

  /** Returns the facts that were read from a claim. */
  factsOf(claim: ClaimRow): FactRow[] {
    const isFrom = (fact: FactRow): boolean =>
      this.#ownSources(fact.id).some((source) =>
        this.#claimsOf(fact, source).some(({ id }) => id === claim.id),
      );
    return this.#factsFrom(claim.messageId).filter(
      (fact) => fact.recordedAt <= this.#knownAt && isFrom(fact),
    );
  }

  /**
   * Returns the words of a message that are no longer true or that the user does not accept: each of them once, claims in
   * the order of the text. What the user has said again since then is not among them.
   */
  outdatedIn(messageId: string): readonly OutdatedQuote[] {
    const known = this.#outdated.get(messageId);
    if (known) return known;
    const over = this.#rows.claimLists
      .in(messageId)
      .flatMap((claim) => this.#overWordsOf(claim))
      .toSorted((a, b) => a.start - b.start)
      .map(({ end, quote }) => outdatedQuote(end, quote));
    const quotes = distinctQuotes([...over, ...this.#quotesOfFacts(messageId)]);
    this.#outdated.set(messageId, quotes);
    return quotes;
  }

  /** Returns the words in no claim of a message that say facts which the user has corrected or does not accept. */
  #quotesOfFacts(messageId: string): OutdatedQuote[] {
    const quotesOf = (fact: FactRow, end: ClaimEnd): OutdatedQuote[] =>
      this.#ownSources(fact.id).flatMap((source) => {
        const { quote } = source;
        if (source.messageId !== messageId || quote === undefined) return [];
        if (this.#claimsOf(fact, source).length > 0) return [];
        return outdatedQuote(end, wordsOf({ text: quote }, fact, source) ?? quote);
      });
    const facts = this.#factsFrom(messageId);
    const corrected = facts.flatMap((fact) =>
      this.#rows.store.facts
        .superseders(fact.id)
        .filter((by) => by.source === 'user' && this.view.triple(by.id) && !isSaidAgain(fact, by))
        .flatMap((by) => quotesOf(fact, { at: by.recordedAt })),
    );
    const rejected = facts.filter((fact) => this.#isRejected(fact));
    return [...corrected, ...rejected.flatMap((fact) => quotesOf(fact, rejection(fact)))];
  }

  #overWordsOf(claim: ClaimRow): OverWords[] {
    const { text } = claim;
    return this.endsOf(claim)
      .filter((end) => !this.#isSaidAgain(claim, end))
      .map((end) => {
        const quote = end.text ?? text;
        return { end, quote, start: claim.end - text.length + text.indexOf(quote) };
      });
  }

  /**
   * Whether the user also says an ended part of a claim where it holds: in the same words, or all that it says of facts,
   * or as an entry. It is ended there as well, unless it was said again or only one of the sayings was taken back.
   */
  #isSaidAgain(claim: ClaimRow, end: ClaimEnd): boolean {
    if (end.isRejected) return false;
    if (this.#isHeldInWords(end.text ?? claim.text)) return true;
    const by = this.#rows.claim(end.by ?? '');
    const over = this.factsOf(claim).filter((fact) => isOver(fact, claim, end, by));
    return over.length > 0 && over.every((fact) => this.isHeldElsewhere(fact));
  }

  /** Whether a claim, or a part of one, that holds has these words. */
  #isHeldInWords(words: string): boolean {
    const isHeld = this.#held.get(words) ?? this.#findHeld(words);
    this.#held.set(words, isHeld);
    return isHeld;
  }

  #findHeld(words: string): boolean {
    const key = wordsKey(words);
    for (const claim of this.#rows.claimIndex.saying(words)) {
      const isSaid = claim.saidAt <= this.#knownAt && sayingsOf(claim).includes(key);
      if (isSaid && this.endsOf(claim).length === 0) return true;
    }
    return false;
  }

  /** Whether the user also says a fact elsewhere, where it holds. */
  isHeldElsewhere({ id }: Pick<Triple, 'id'>): boolean {
    const fact = this.#rows.facts.get(id);
    return (fact ? this.#rows.store.sameAs(fact) : []).some((other) => {
      if (!fact || !this.view.holds(other.id) || !saysSame(fact, other)) return false;
      if (unconfirmedSpeaker(other) !== undefined) return false;
      if (other.source === 'user' || other.isPinned === true) return true;
      return this.#claimsFor(other).some(
        (claim) => !this.endsOf(claim).some((end) => isOver(other, claim, end, undefined)),
      );
    });
  }

  /** First what other claims have ended, then what the user does not accept, then what other facts have ended. */
  #readEnds(claim: ClaimRow): readonly ClaimEnd[] {
    const facts = this.#factsFrom(claim.messageId);
    const rejected = facts
      .filter((fact) => this.#isRejected(fact))
      .map((fact) => ({ fact, end: rejection(fact) }));
    const over = facts.flatMap((fact) => {
      const by = this.#endOf(fact);
      return by ? { fact, end: this.#endBy(fact, by) } : [];
    });
    // If several facts of a claim are over, the user's decision comes first, in whatever order they are stored.
    over.sort((a, b) => byWeight(a.end, b.end) || (a.fact.object < b.fact.object ? -1 : 1));
    return [...rejected, ...over].reduce(
      (ends, { fact, end }) => this.#endByFact(claim, ends, fact, end),
      this.#ruledOf(claim),
    );
  }

  /** The end of a claim that is stored is the first; what ended other parts of it later follows from the claims. */
  #ruledOf(claim: ClaimRow): readonly ClaimEnd[] {
    const known = this.#ruled.get(claim.id);
    if (known) return known;
    const ends: ClaimEnd[] = [];
    const by = this.#rows.claim(claim.endedBy ?? '');
    if (by && by.saidAt <= this.#knownAt) {
      ends.push(endBy(by, claim.endedText));
      const enders = claim.endedText === undefined ? [] : this.#rows.endIndex.endersOf(claim);
      for (const later of laterEnds(claim, enders)) {
        const isKnown = ends.some(({ text = '' }) => text.includes(later.words));
        if (!isKnown && later.by.saidAt <= this.#knownAt) ends.push(endBy(later.by, later.words));
      }
    }
    this.#ruled.set(claim.id, ends);
    return ends;
  }

  /** Returns the fact that ended one, also if it was said again in between. */
  #endOf(fact: FactRow): FactRow | undefined {
    const by = this.#supersederOf(this.#lastOf(fact));
    return by && !isSaidAgain(fact, by) ? by : undefined;
  }

  /** Returns the last fact in a row of facts that say the same: saying it again does not end it. */
  #lastOf(fact: FactRow): FactRow {
    const passed = new Set([fact]);
    let last = fact;
    for (;;) {
      const by = this.#supersederOf(last);
      if (!by || !isSaidAgain(fact, by) || passed.has(by)) return last;
      passed.add(by);
      last = by;
    }
  }

  #supersederOf({ id }: FactRow): FactRow | undefined {
    const shown = this.view.holds(id) ? undefined : this.view.triple(id);
    return this.#rows.facts.get(shown?.supersededBy ?? '');
  }

  /** A model's reading that the user rejects says nothing against their own words. */
  #isRejected(fact: FactRow): boolean {
    const rejectedAt = fact.retraction?.recordedAt ?? Infinity;
    return isRejected(fact) && rejectedAt <= this.#knownAt && fact.attributes['statedBy'] !== 'model';
  }

  /** Returns the ends of a claim with those of a fact that was read from it. */
  #endByFact(
    claim: ClaimRow,
    before: readonly ClaimEnd[],
    fact: FactRow,
    end: ClaimEnd,
  ): readonly ClaimEnd[] {
    let ends = before;
    for (const source of this.#ownSources(fact.id)) {
      if (!this.#claimsOf(fact, source).some(({ id }) => id === claim.id)) continue;
      const isOfClaim = isDecided(end) && ends.length === 0 && !this.#isCorrection(fact);
      const words = wordsOf(claim, fact, source) ?? (isOfClaim ? claim.text : undefined);
      if (words === undefined) continue;
      const over = this.#withoutOthers(claim, fact, words);
      const isKnown = (other: ClaimEnd): boolean =>
        (other.text ?? claim.text).includes(over) && (other.isRejected === true || end.isRejected !== true);
      if (!ends.some(isKnown)) ends = [...ends, over === claim.text ? end : { ...end, text: over }];
    }
    return ends;
  }

  /** Whether the user has put a fact in the place of what the claim says: to correct it again ends no other words. */
  #isCorrection(fact: FactRow): boolean {
    const replaced = fact.supersedes.flatMap((id) => this.#rows.facts.get(id) ?? []);
    return fact.source === 'user' && replaced.some((old) => !saysSame(old, fact));
  }

  /** Returns the words of a fact alone, if others that hold are in the same words: of "a nurse at Globex" only "nurse". */
  #withoutOthers(claim: ClaimRow, fact: FactRow, words: string): string {
    const isShared = this.factsOf(claim).some(
      (other) =>
        other.id !== fact.id && this.view.holds(this.#lastOf(other).id) && hasWords(words, other.object),
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

  /** A source without a claim cannot end. */
  #isSaidByClaims(fact: FactRow): boolean {
    const sources = this.#ownSources(fact.id);
    return (
      sources.length === 0 ||
      sources.some((source) => {
        const claims = this.#claimsOf(fact, source);
        // What ended one fact of a claim does not end the others.
        return claims.length === 0 || claims.some((claim) => this.#endOfFactIn(claim, fact) === undefined);
      })
    );
  }

  #endOfFactIn(claim: ClaimRow, fact: FactRow): ClaimEnd | undefined {
    return this.#ruledOf(claim).find((end) => isOver(fact, claim, end, this.#rows.claim(end.by ?? '')));
  }

  #claimsOf(fact: FactRow, source: TripleSource): readonly ClaimRow[] {
    return claimsQuoted(this.#rows.claimLists.in(source.messageId), fact, source);
  }

  /** Returns the facts with a message among their sources, in the order they were added. */
  #factsFrom(messageId: string): FactRow[] {
    return this.#rows.store.facts.fromMessage(messageId).toSorted((a, b) => a.seq - b.seq);
  }

  #claimsFor(fact: FactRow): ClaimRow[] {
    return this.#ownSources(fact.id).flatMap((source) => this.#claimsOf(fact, source));
  }

  #ownSources(factId: string): TripleSource[] {
    return (this.#rows.facts.get(factId)?.sources ?? []).filter(({ isContext }) => isContext !== true);
  }
}
