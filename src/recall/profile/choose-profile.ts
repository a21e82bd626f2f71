import { isScheduled, usefulUntil } from '../../language/lasting-use.ts';
import { isCompared, isOpinion, opensQuotation } from '../../language/acts/opinions.ts';
import { isAboutPicture, isReply } from '../../language/acts/replies.ts';
import { fold } from '../../language/fold.ts';
import { isPersonal } from '../../language/question-features.ts';
import { analyze } from '../../language/terms.ts';
import { innerNames } from '../../learning/claims/claim-index.ts';
import { endedThings, thingStems } from '../../learning/claims/ended-things.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { STOP_WORDS } from '../../language/words/stop-words.ts';

/** A claim of the user that the profile may contain. */
export interface ProfileClaim {
  readonly id: string;
  readonly text: string;
  /** How likely it is worth keeping, from 0 to 1. */
  readonly score: number;
  /** Topic of the claim; a newer claim on the same topic replaces it. */
  readonly topic: string;
  /** Kinds of the claim; part of the profile is reserved for constraints. */
  readonly kinds: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Id of the later claim that ended this one, which is then left out. */
  readonly endedBy?: string;
  /** Whether the claim says that something has ended or changed. */
  readonly isEnding?: boolean;
}

/** A current fact as a sentence, or something pinned. */
export interface ProfileSentence {
  readonly id: string;
  readonly text: string;
}

export interface ProfileSources {
  /** Pinned sentences, which always come first and keep their order. */
  readonly pins?: readonly ProfileSentence[];
  /** Facts that hold now, the most important first. */
  readonly facts?: readonly ProfileSentence[];
  readonly claims: readonly ProfileClaim[];
}

export interface ProfileOptions {
  readonly countTokens: (text: string) => number;
  /** Time of the request, in milliseconds since 1970: a plan is left out when its day has passed. */
  readonly now: number;
  /** Maximum number of tokens of the profile. @default 120 */
  readonly maxTokens?: number;
  /** Minimum score of a claim. Wishes about the style of answers are kept whatever their score. @default 0 */
  readonly minScore?: number;
  /** Token budget of the context; the profile uses at most a quarter of it. @default no limit */
  readonly contextTokens?: number;
}

export interface ProfileLine extends ProfileSentence {
  readonly tokens: number;
}

/** Kinds that matter for questions that do not mention them: answer style, health, diet, and limits of the user. */
const CONSTRAINT_KINDS: ReadonlySet<string> = new Set(['answering-style', 'health', 'diet', 'limit']);

/** Kinds whose claims are listed although they name weekdays or hours: "no coffee after 3 pm". */
const TIMELESS_KINDS: ReadonlySet<string> = new Set(['answering-style', 'diet']);

const MAX_TOKENS = 120;
const CONTEXT_SHARE = 1 / 4;
/** Share of the profile that is reserved for constraints, if there are enough. */
const CONSTRAINT_SHARE = 0.4;
/** Topics with a single value at a time: only the latest claim counts. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['name', 'home', 'work', 'partner', 'diet']);
/** Added to the log-odds of the newest claim; older ones get proportionally less. */
const RECENCY_WEIGHT = 1.5;
/** Subtracted from the log-odds of a claim for a newer one on its topic. */
const NEWER_ON_TOPIC = 0.7;
/** A claim is redundant if a newer one contains at least this share of its words. */
const SAME_SHARE = 0.5;

/**
 * Returns the lines that a model gets with every question: pins, then constraints up to their share, then the claims
 * with the best scores, newer before older. Ended claims, older claims on the same topic and duplicates are left
 * out, as is any line that does not fit as a whole. The same input gives the same lines: pins, facts, then claims by
 * time.
 */
export function chooseProfile(sources: ProfileSources, options: ProfileOptions): ProfileLine[] {
  const { countTokens, now, maxTokens = MAX_TOKENS, contextTokens = Infinity, minScore = 0 } = options;
  const limit = Math.floor(Math.min(maxTokens, contextTokens * CONTEXT_SHARE));
  const chosen: { line: ProfileLine; words: ReadonlySet<string>; place: number }[] = [];
  let used = 0;
  /** Adds a line if it fits and is not a duplicate. */
  const take = ({ id, text }: ProfileSentence, place: number, upTo = limit): void => {
    const room = Math.min(upTo, limit) - used;
    if (room < 2 || chosen.some(({ line }) => line.id === id || line.text === text)) return;
    const tokens = countTokens(text) + 1;
    const words = contentWords(text);
    if (tokens > room || chosen.some((each) => saysAll(each.words, words))) return;
    used += tokens;
    chosen.push({ line: { id, text, tokens }, words, place });
  };
  for (const pin of sources.pins ?? []) take(pin, -2);
  const ranked = rank(newestWords(sources.claims, now).filter((claim) => isUseful(claim, minScore)));
  const constraintLimit = used + (limit - used) * CONSTRAINT_SHARE;
  const [first, ...others] = wishesFirst(ranked.filter(isConstraint));
  // In a small profile, one constraint may be longer than the share of all.
  if (first) take(first, first.createdAt);
  for (const claim of others) take(claim, claim.createdAt, constraintLimit);
  for (const claim of ranked) take(claim, claim.createdAt);
  for (const fact of sources.facts ?? []) take(fact, -1);
  return chosen.toSorted((one, other) => one.place - other.place).map(({ line }) => line);
}

/**
 * Returns the claims that still hold, oldest first, without those that a newer one on the topic repeats or that may
 * have changed since: a line that is sent with every question has to be true. A newer home or job does not remove an
 * allergy that was stated in one sentence with the old one.
 */
function newestWords(claims: readonly ProfileClaim[], now: number): ProfileClaim[] {
  const kept: { claim: ProfileClaim; words: ReadonlySet<string> }[] = [];
  const newestFirst = claims.toSorted(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  );
  for (const claim of newestFirst) {
    if (claim.endedBy !== undefined) continue;
    if (
      isOfItsTime(claim, now) ||
      isOfUnnamed(claim) ||
      (!isConstraint(claim) && (UNNAMED_THING.test(claim.text) || mayHavePassed(claim, newestFirst)))
    )
      continue;
    const words = contentWords(claim.text);
    const isOld = kept.some(
      (newer) =>
        newer.claim.topic === claim.topic &&
        newer.claim.createdAt > claim.createdAt &&
        ((ONE_AT_A_TIME.has(claim.topic) && (!isConstraint(claim) || isConstraint(newer.claim))) ||
          sharedPart(words, newer.words) >= SAME_SHARE),
    );
    if (!isOld) kept.push({ claim, words });
  }
  return kept.map(({ claim }) => claim).toReversed();
}

/** Whether the claim helps with questions that do not mention it. */
function isUseful(claim: ProfileClaim, minScore: number): boolean {
  if (claim.kinds.includes('answering-style')) return true;
  return claim.score >= minScore && tellingKinds(claim).length > 0 && !isNoStatement(claim);
}

/**
 * Whether a claim only replies to somebody, is a note in brackets or the end of one, ends where a quotation begins, is not so
 * ("as if I were …"), is about a picture, is what somebody else thinks or the user only supposes.
 */
function isNoStatement(claim: ProfileClaim): boolean {
  const { text } = claim;
  const isAside = isReply(text) || /^\[[^\]]*\]$|^[^([]*\p{L}{2}[)\]]/u.test(text);
  if (isAside || opensQuotation(text) || isCompared(text)) return true;
  const isOfHealth = claim.kinds.includes('health');
  return (!isOfHealth && isAboutPicture(text)) || (!isConstraint(claim) && isOpinion(text));
}

/** Whether a claim is about somebody whom only the text around it names: a line is read alone. */
function isOfUnnamed({ text }: ProfileClaim): boolean {
  return (
    UNNAMED.test(text) && !(isPersonal(text) && innerNames(text).some((name) => !hasWord(fold(name), 'date')))
  );
}

const UNNAMED =
  /^(?:(?:and|but|so|then|well|also|oh|und|aber|et|mais|y|pero|e|mas|ma)\W+)*(?:he|she|they|his|her|their|er|ihr|sein\p{L}*|elle|lui|lei|(?:is|has|does)(?:n['’]?t)?|(?:like|love|hate|want|need|eat|drink|work|live)s)(?![\p{L}\p{N}])/iu;

/** "It's my birthday in May" is about what it names. */
const UNNAMED_THING =
  /^(?:(?:and|but|so|then|well|also|oh)\W+)*it(?!['’\p{L}]*(?: is| was| will be)? (?:my|our|me|us)(?!\p{L}))(?:['’]\p{L}+)?(?!\p{L})/iu;

/** Whether a claim is of use at certain times only: for the moment, until a day that has passed, or on some weekdays. */
function isOfItsTime({ text, kinds, createdAt }: ProfileClaim, now: number): boolean {
  if (usefulUntil(text, createdAt) < Math.max(now, createdAt + 1)) return true;
  return !kinds.some((kind) => TIMELESS_KINDS.has(kind)) && isScheduled(text);
}

/** Whether the claim may be outdated: another person's story, or a possible later change. */
function mayHavePassed(claim: ProfileClaim, all: readonly ProfileClaim[]): boolean {
  if (!isPersonal(claim.text)) return true;
  return all.some(
    (later) => later.isEnding === true && later.createdAt > claim.createdAt && mayConcern(later, claim),
  );
}

/**
 * Whether an ending may be about an older claim: of its kind or, if it is of none, on its topic or about its things. One that
 * does not say what of the user's is over, such as "I'm at the front desk now", may be about whatever changes in a life.
 */
function mayConcern(later: ProfileClaim, claim: ProfileClaim): boolean {
  const kinds = tellingKinds(later);
  if (kinds.length > 0) return kinds.some((kind) => claim.kinds.includes(kind));
  if (later.topic !== '' && later.topic === claim.topic) return true;
  const isOpen = isPersonal(later.text) && !endedThings(later.text).some(({ how }) => how !== 'returns');
  if (isOpen) return !claim.kinds.some((kind) => KEPT_KINDS.has(kind));
  const things = thingsIn(claim);
  return [...thingsIn(later)].some((stem) => things.has(stem));
}

/** Kinds of claims that a change in a life leaves as they are. */
const KEPT_KINDS: ReadonlySet<string> = new Set(['name', 'family', 'pet']);

// Each ending is compared with each claim.
const thingsByClaim = new WeakMap<ProfileClaim, ReadonlySet<string>>();

function thingsIn(claim: ProfileClaim): ReadonlySet<string> {
  const things = thingsByClaim.get(claim) ?? thingStems(claim.text, true);
  thingsByClaim.set(claim, things);
  return things;
}

function tellingKinds({ kinds }: ProfileClaim): string[] {
  return kinds.filter((kind) => kind !== 'other' && kind !== 'plan');
}

/** Orders by score and recency, best first. */
function rank(oldestFirst: readonly ProfileClaim[]): ProfileClaim[] {
  const last = Math.max(1, oldestFirst.length - 1);
  const newest = new Map(oldestFirst.map(({ topic, createdAt }) => [topic, createdAt]));
  const valueOf = ({ score, topic, createdAt }: ProfileClaim, position: number): number => {
    const isOlder = topic !== '' && (newest.get(topic) ?? 0) > createdAt;
    return logOdds(score) + (RECENCY_WEIGHT * position) / last - (isOlder ? NEWER_ON_TOPIC : 0);
  };
  return oldestFirst
    .map((claim, position) => ({ claim, value: valueOf(claim, position) }))
    .toSorted((one, other) => other.value - one.value)
    .map(({ claim }) => claim);
}

/** Orders constraints: how the user wants to be answered concerns every question. */
function wishesFirst(constraints: readonly ProfileClaim[]): ProfileClaim[] {
  const isWish = ({ kinds }: ProfileClaim): boolean => kinds.includes('answering-style');
  return [...constraints.filter(isWish), ...constraints.filter((claim) => !isWish(claim))];
}

/** Returns the log-odds of a score, which is clamped because 0 and 1 have infinite log-odds. */
function logOdds(score: number): number {
  const bounded = Math.min(0.999, Math.max(0.001, score));
  return Math.log(bounded / (1 - bounded));
}

function isConstraint({ kinds }: ProfileClaim): boolean {
  return kinds.some((kind) => CONSTRAINT_KINDS.has(kind));
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set(analyze(text).filter((term) => !STOP_WORDS.has(term)));
}

function sharedPart(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...words].filter((word) => others.has(word)).length;
  return words.size === 0 ? 0 : shared / words.size;
}

function saysAll(known: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  return words.size > 0 && sharedPart(words, known) === 1;
}
