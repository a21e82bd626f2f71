import type { KnownAtQuery } from '../../graph/graph-query.ts';
import type { FactView } from '../../graph/fact-view.ts';
import type { Triple, TripleSource } from '../../graph/triple.ts';
import { hasWords } from '../../language/shared-words.ts';
import { groupedBy } from '../../storage/rows.ts';
import type { FactRow, ClaimRow } from '../../storage/schema.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { unconfirmedSpeaker } from '../speaker.ts';
import { sayingsOf, wordsKey } from './claim-parts.ts';
import { byWeight, endBy, isDecided, leftOf, rejection, withoutEnded, type ClaimEnd } from './claim-ends.ts';
import { laterEnds } from './end-claims.ts';
import { isOver, isSaidAgain, overlaps, saysSame, wordsOf } from './fact-words.ts';
import { distinctQuotes, outdatedQuote, type OutdatedQuote, type OverWords } from './outdated-quotes.ts';

/** A claim with its words that are over. */
export interface EndedClaim {
  readonly claim: ClaimRow;
  readonly over: readonly string[];
}

/** Stands in place of the claim that ended another one. */
const BY_USER = 'user';

/**
 * What holds, decided in one place: a claim ends with the facts that were read from it, and a fact holds if and only if
 * one of the claims that support it does.
 */
export class Truth {
  readonly version: number;
  readonly #rows: KnowledgeRows;
  /** The facts that hold, by what is said of them. */
  readonly view: FactView;
  readonly #claimsByMessage: ReadonlyMap<string, readonly ClaimRow[]>;
  /** How the parts of each claim ended. */
  readonly #ends = new Map<string, readonly ClaimEnd[]>();
  /** Those of them that claims ended, and not facts. */
  readonly #ruled = new Map<string, readonly ClaimEnd[]>();
  readonly #knownAt: number;
  /** The words of the claims that hold, and of their parts. */
  readonly #heldWords = new Set<string>();
  /** Words that are over and were not said again, with their message and place. */
  readonly #overWords: OverWords[] = [];
  readonly #reading: Iterator<void>;
  /** How what says each fact ended, as far as it was asked. Undefined until it is known what claims ended. */
  #endOfFacts: Map<string, ClaimEnd | undefined> | undefined;
  readonly #told: ClaimRow[] = [];
  #over: readonly EndedClaim[] | undefined;
  #enders: ReadonlySet<string | undefined> | undefined;
  #outdated: ReadonlyMap<string, readonly OutdatedQuote[]> | undefined;

  /** Computes nothing yet: see {@link readSome}. */
  constructor(rows: KnowledgeRows, when: KnownAtQuery) {
    this.version = rows.version;
    this.#rows = rows;
    this.view = rows.graph.view(when, this.saidUntil);
    this.#claimsByMessage = groupedBy([...rows.allClaims()], ({ messageId }) => messageId);
    this.#knownAt = when.knownAt ?? Infinity;
    this.#reading = this.#read();
  }

  /** Computes a step of what holds. Returns whether there is more; before that, only `factsOf` may be called. */
  readSome(): boolean {
    return this.#reading.next().done !== true;
  }

  *#read(): Generator<void, void> {
    for (const claim of this.#rows.endedClaims.values()) {
      this.#endByClaims(claim);
      yield;
    }
    for (const [id, ends] of this.#ruled) this.#ends.set(id, ends);
    this.#endOfFacts = new Map();
    for (const fact of this.#rejected()) this.#endClaimsOf(fact, rejection(fact));
    const found: { readonly fact: FactRow; readonly end: ClaimEnd }[] = [];
    for (const fact of this.#rows.facts.values()) {
      const by = this.#endOf(fact);
      if (by) found.push({ fact, end: this.#endBy(fact, by) });
      yield;
    }
    // If several facts of a claim are over, the user's decision comes first, in whatever order they are stored.
    found.sort((a, b) => byWeight(a.end, b.end) || (a.fact.object < b.fact.object ? -1 : 1));
    for (const { fact, end } of found) {
      this.#endClaimsOf(fact, end);
      yield;
    }
    for (const claim of this.#rows.claims.values()) {
      const isHeld = !this.#ends.has(claim.id) && claim.saidAt <= this.#knownAt;
      for (const key of isHeld ? sayingsOf(claim) : []) this.#heldWords.add(key);
      const told = this.#toldOf(claim);
      if (told) this.#told.push(told);
      yield;
    }
    for (const [id, ends] of this.#ends) {
      this.#overWords.push(...this.#overWordsOf(id, ends));
      yield;
    }
  }

  /** Returns how a claim, or the first of its parts that are over, ended. Undefined if all of it holds. */
  endOf(claimId: string): ClaimEnd | undefined {
    const claim = this.#rows.claim(claimId);
    const ends = claim ? this.#endsOf(claim) : [];
    const whole = ends.find(({ text }) => text === undefined);
    if (!claim || whole || ends.length < 2 || leftOf(claim, ends) !== '') return whole ?? ends[0];
    // Its parts are over one by one.
    const { text: _part, ...last } = ends.reduce((one, other) => (other.at > one.at ? other : one));
    return last;
  }

  /** Whether a claim has ended another one. */
  hasEnded(claimId: string): boolean {
    return (this.#enders ??= new Set(
      [...this.#ends.values()].flatMap((ends) => ends.map(({ by }) => by)),
    )).has(claimId);
  }

  /** Whether a fact holds, in itself and in what was said. */
  holds({ id }: Pick<Triple, 'id'>): boolean {
    return this.view.holds(id) && this.endOfFact({ id }) === undefined;
  }

  /** Returns the time until which the user or somebody else says a fact. */
  readonly saidUntil = (id: string): number => this.endOfFact({ id })?.at ?? Infinity;

  /** Returns how what says a fact ended: the end of its last claim. Undefined while one of them holds. */
  endOfFact({ id }: Pick<Triple, 'id'>): ClaimEnd | undefined {
    if (this.#endOfFacts?.has(id)) return this.#endOfFacts.get(id);
    const end = this.#endOfSayings(id);
    this.#endOfFacts?.set(id, end);
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

  /**
   * Returns the claims as they are told: with `endedBy` if they are over or were taken back, and otherwise with the words
   * that hold.
   */
  told(): readonly ClaimRow[] {
    return this.#told;
  }

  #toldOf(claim: ClaimRow): ClaimRow | undefined {
    const ends = this.#ends.get(claim.id);
    if (claim.saidAt > this.#knownAt) return undefined;
    const { endedBy: _by, ...held } = claim;
    if (!ends) return claim.endedBy === undefined ? claim : held;
    const left = withoutEnded(claim, ends);
    return left === '' ? { ...claim, endedBy: ends[0]?.by ?? BY_USER } : { ...held, text: left };
  }

  /** Returns the claims that are over in part or as a whole, with the words that are. */
  ended(): readonly EndedClaim[] {
    return (this.#over ??= Array.from(this.#ends).flatMap(([id, ends]) => {
      const claim = this.#rows.claim(id);
      return claim ? { claim, over: ends.map(({ text = claim.text }) => text) } : [];
    }));
  }

  /** Returns the facts that were read from a claim. */
  factsOf(claim: ClaimRow): FactRow[] {
    const isFrom = (fact: FactRow): boolean =>
      this.#ownSources(fact.id).some((source) =>
        this.#claimsOf(fact, source).some(({ id }) => id === claim.id),
      );
    return this.view
      .from(claim.messageId)
      .flatMap(({ id }) => this.#rows.facts.get(id) ?? [])
      .filter(isFrom);
  }

  /**
   * Returns the words that are no longer true or that the user does not accept, by message: each of them once, claims in
   * the order of the text. What the user has said again since then is not among them.
   */
  outdatedQuotes(): ReadonlyMap<string, readonly OutdatedQuote[]> {
    return (this.#outdated ??= this.#quotes());
  }

  #quotes(): ReadonlyMap<string, readonly OutdatedQuote[]> {
    const quotes = new Map<string, OutdatedQuote[]>();
    const add = (messageId: string, end: ClaimEnd, quote: string): void => {
      quotes.set(messageId, [...(quotes.get(messageId) ?? []), outdatedQuote(end, quote)]);
    };
    for (const { messageId, end, quote } of this.#overWords.toSorted((a, b) => a.start - b.start))
      add(messageId, end, quote);
    const addFact = (fact: FactRow, end: ClaimEnd): void => {
      for (const source of this.#ownSources(fact.id)) {
        if (source.quote === undefined || this.#claimsOf(fact, source).length > 0) continue;
        add(source.messageId, end, wordsOf({ text: source.quote }, fact, source) ?? source.quote);
      }
    };
    for (const by of this.#rows.enteredFacts) {
      if (!this.view.triple(by.id)) continue;
      for (const id of by.supersedes) {
        const fact = this.#rows.facts.get(id);
        if (fact && !isSaidAgain(fact, by)) addFact(fact, { at: by.recordedAt });
      }
    }
    for (const fact of this.#rejected()) addFact(fact, rejection(fact));
    return new Map(Array.from(quotes, ([messageId, all]) => [messageId, distinctQuotes(all)]));
  }

  #overWordsOf(id: string, ends: readonly ClaimEnd[]): OverWords[] {
    const claim = this.#rows.claim(id);
    if (!claim) return [];
    const { messageId, text } = claim;
    return ends
      .filter((end) => !this.#isSaidAgain(claim, end))
      .map((end) => {
        const quote = end.text ?? text;
        return { messageId, end, quote, start: claim.end - text.length + text.indexOf(quote) };
      });
  }

  /**
   * Whether the user also says an ended part of a claim where it holds: in the same words, or all that it says of facts,
   * or as an entry. It is ended there as well, unless it was said again or only one of the sayings was taken back.
   */
  #isSaidAgain(claim: ClaimRow, end: ClaimEnd): boolean {
    if (end.isRejected) return false;
    if (this.#heldWords.has(wordsKey(end.text ?? claim.text))) return true;
    const by = this.#rows.claim(end.by ?? '');
    const over = this.factsOf(claim).filter((fact) => isOver(fact, claim, end, by));
    return over.length > 0 && over.every((fact) => this.isHeldElsewhere(fact));
  }

  /** Whether the user also says a fact elsewhere, where it holds. */
  isHeldElsewhere({ id }: Pick<Triple, 'id'>): boolean {
    const fact = this.#rows.facts.get(id);
    return (fact ? this.#rows.store.sameAs(fact) : []).some((other) => {
      if (!fact || !this.view.holds(other.id) || !saysSame(fact, other)) return false;
      if (unconfirmedSpeaker(other) !== undefined) return false;
      if (other.source === 'user' || other.isPinned === true) return true;
      return this.#claimsFor(other).some(
        (claim) => !this.#endsOf(claim).some((end) => isOver(other, claim, end, undefined)),
      );
    });
  }

  /** The end of a claim that is stored is the first; what ended other parts of it later follows from the claims. */
  #endByClaims(claim: ClaimRow): void {
    const by = this.#rows.claim(claim.endedBy ?? '');
    if (!by || by.saidAt > this.#knownAt) return;
    const ends = [endBy(by, claim.endedText)];
    const enders = claim.endedText === undefined ? [] : this.#rows.endIndex.endersOf(claim);
    for (const later of laterEnds(claim, enders)) {
      const isKnown = ends.some(({ text = '' }) => text.includes(later.words));
      if (!isKnown && later.by.saidAt <= this.#knownAt) ends.push(endBy(later.by, later.words));
    }
    this.#ruled.set(claim.id, ends);
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
  #rejected(): FactRow[] {
    return this.#rows.rejectedFacts.filter(
      ({ retraction, attributes }) =>
        (retraction?.recordedAt ?? Infinity) <= this.#knownAt && attributes['statedBy'] !== 'model',
    );
  }

  #endClaimsOf(fact: FactRow, end: ClaimEnd): void {
    for (const source of this.#ownSources(fact.id)) {
      for (const claim of this.#claimsOf(fact, source)) {
        const ends = this.#endsOf(claim);
        const isOfClaim = isDecided(end) && ends.length === 0 && !this.#isCorrection(fact);
        const words = wordsOf(claim, fact, source) ?? (isOfClaim ? claim.text : undefined);
        if (words === undefined) continue;
        const over = this.#withoutOthers(claim, fact, words);
        const isKnown = (other: ClaimEnd): boolean =>
          (other.text ?? claim.text).includes(over) && (other.isRejected === true || end.isRejected !== true);
        if (ends.some(isKnown)) continue;
        this.#ends.set(claim.id, [...ends, over === claim.text ? end : { ...end, text: over }]);
      }
    }
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
    return this.#ruled.get(claim.id)?.find((end) => isOver(fact, claim, end, this.#rows.claim(end.by ?? '')));
  }

  #endsOf({ id }: ClaimRow): readonly ClaimEnd[] {
    return this.#ends.get(id) ?? [];
  }

  /** Returns the claims that a fact was read from: of a long quote, those with its words. */
  #claimsOf(fact: FactRow, source: TripleSource): readonly ClaimRow[] {
    const claims = this.#claimsByMessage.get(source.messageId) ?? [];
    const quoted = claims.filter((claim) => overlaps(claim, source));
    const saying = quoted.filter(({ text }) => hasWords(text, fact.object));
    return saying.length > 0 ? saying : quoted;
  }

  #claimsFor(fact: FactRow): ClaimRow[] {
    return this.#ownSources(fact.id).flatMap((source) => this.#claimsOf(fact, source));
  }

  #ownSources(factId: string): TripleSource[] {
    return (this.#rows.facts.get(factId)?.sources ?? []).filter(({ isContext }) => isContext !== true);
  }
}
