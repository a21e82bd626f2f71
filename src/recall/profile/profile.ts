import { SHARES } from '../layout/budget-shares.ts';
import type { KnownAtQuery } from '../../graph/graph-query.ts';
import { sentenceOf } from '../../graph/triple.ts';
import type { Truth } from '../../learning/claims/truth.ts';
import { truthOf } from '../../learning/claims/truth-of.ts';
import type { KnowledgeRows } from '../../learning/knowledge-rows.ts';
import { CLAIM_WEIGHTS } from '../../learning/claims/claim-weights.ts';
import { runInSlices, type Steps } from '../../model/event-loop.ts';
import type { Speaker } from '../../model/speaker.ts';
import type { FactRow, ClaimRow } from '../../storage/schema.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { ContextNote } from '../layout/context-item.ts';
import { PROFILE_TITLE } from '../layout/context-layout.ts';
import { fence, quoteNotes } from '../layout/fence.ts';
import { MARK_DIGITS } from '../layout/fence-marks.ts';
import type { RecallParts } from '../recall-parts.ts';
import { chooseProfile } from './choose-profile.ts';

/** A line that every context contains. */
export interface ProfileLine {
  /** A sentence of the user, word for word, or a fact that the user has entered. */
  readonly text: string;
  /** Who said it: the user. */
  readonly speaker: Speaker;
  readonly tokens: number;
  /** Ids of the messages that say it. */
  readonly sources: readonly string[];
  /** Id of the fact, for `correct`, `pin` and `forget`. */
  readonly factId?: string;
  /** Time of the claim, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** Input from which a profile is chosen. */
export interface ProfileSources {
  /** Claims that hold: the newest and those with the best scores. */
  readonly claims: readonly ClaimRow[];
  /** Facts that the user entered, that hold and are not pinned. */
  readonly facts: readonly FactRow[];
}

const DAY = 86_400_000;
/** Maximum number of claims considered by age, and again by score. */
const CONSIDERED = 150;

/** As long as every mark. */
const ANY_MARK = '0'.repeat(MARK_DIGITS);

const sourcesByTruth = new WeakMap<Truth, ProfileSources>();
const notesBySources = new WeakMap<ProfileSources, { key: string; notes: ContextNote[] }>();

/** Returns the profile lines of the next context, in its order. */
export async function readProfile(parts: RecallParts, signal?: AbortSignal): Promise<ProfileLine[]> {
  const { maxTokens, clock } = parts.settings;
  const tokenizer = await parts.tokenizer.get();
  const sources = await parts.graph.look(
    (rows) => runInSlices(profileSources(rows, truthOf(rows, {}), {}), signal),
    signal,
  );
  const notes = profileNotes(sources, tokenizer, profileBudget(parts, maxTokens), clock());
  return notes.map(({ text, sources: messageIds, factId, createdAt }) => ({
    text,
    speaker: 'user',
    tokens: tokenizer.countText(text),
    sources: messageIds,
    ...(factId === undefined ? {} : { factId }),
    createdAt,
  }));
}

/** Returns the number of tokens of the profile in a request of `maxTokens`. */
export function profileBudget({ settings }: RecallParts, maxTokens: number): number {
  return Math.min(settings.profileTokens, maxTokens * SHARES.profile);
}

/** The rows must not change until it is done. The result is cached as long as what holds is. */
export function* profileSources(
  rows: KnowledgeRows,
  truth: Truth,
  when: KnownAtQuery,
): Steps<ProfileSources> {
  const { knownAt } = when;
  const cached = sourcesByTruth.get(truth);
  if (cached && knownAt === undefined) return cached;
  const sources = {
    claims: yield* likeliest(rows, truth),
    facts: [...rows.enteredFacts.values()].filter(
      ({ id, isPinned }) => isPinned !== true && truth.view.holds(id),
    ),
  };
  if (knownAt === undefined) sourcesByTruth.set(truth, sources);
  return sources;
}

/**
 * Returns the profile that fits a number of tokens together with its title and fence, in the order of the prompt. It is
 * chosen once a day.
 */
export function profileNotes(
  sources: ProfileSources,
  tokenizer: Tokenizer,
  maxTokens: number,
  now: number,
): ContextNote[] {
  if (maxTokens < 1) return [];
  const key = `${maxTokens} ${tokenizer.id} ${Math.floor(now / DAY)}`;
  const cached = notesBySources.get(sources);
  if (cached?.key === key) return cached.notes;
  // Whatever else is recalled, these lines may be all that the fence contains.
  const lineTokens = maxTokens - tokenizer.countText(fence(ANY_MARK, [quoteNotes(PROFILE_TITLE, [])]));
  const considered = sources.claims;
  const lines = chooseProfile(
    {
      facts: sources.facts.map((fact) => ({ id: fact.id, text: sentenceOf(fact) })),
      claims: considered.map((row) => ({ ...row, createdAt: row.saidAt })),
    },
    {
      countTokens: (text) => tokenizer.countText(text),
      now,
      maxTokens: lineTokens,
      minScore: CLAIM_WEIGHTS.confident,
    },
  );
  const facts = new Map(sources.facts.map((fact) => [fact.id, fact]));
  const claims = new Map(considered.map((row) => [row.id, row]));
  const notes = lines.map(({ id, text }, place): ContextNote => {
    const ranked = { text, score: lines.length - place, why: {} };
    const fact = facts.get(id);
    if (fact) return { ...ranked, sources: fact.messageIds, factId: id, createdAt: fact.recordedAt };
    const { messageId = '', saidAt = 0 } = claims.get(id) ?? {};
    return { ...ranked, sources: [messageId], claims: [{ id, text }], createdAt: saidAt };
  });
  notesBySources.set(sources, { key, notes });
  return notes;
}

/** Returns the claims that hold: the newest, and those with the best scores. */
function* likeliest({ claimLists }: KnowledgeRows, truth: Truth): Steps<ClaimRow[]> {
  const newest = yield* firstHolding(claimLists.newest(), truth, CONSIDERED);
  const best = yield* firstHolding(claimLists.best(), truth, CONSIDERED);
  return [...new Map([...newest, ...best].map((claim) => [claim.id, claim])).values()];
}

function* firstHolding(claims: Iterable<ClaimRow>, truth: Truth, count: number): Steps<ClaimRow[]> {
  const holding: ClaimRow[] = [];
  for (const claim of claims) {
    yield;
    const told = truth.told(claim);
    if (told && told.endedBy === undefined) holding.push(told);
    if (holding.length === count) break;
  }
  return holding;
}
