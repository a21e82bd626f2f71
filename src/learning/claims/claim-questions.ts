import type { Triple } from '../../graph/triple.ts';
import { MnemoraError } from '../../model/error.ts';
import type { Steps } from '../../model/event-loop.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import { USER_NAME } from '../first-person.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { rejectFact } from '../user-edits.ts';
import { wordsKey } from './claim-parts.ts';
import { bySaying } from './end-claims.ts';
import { overlaps, SAYS } from './fact-words.ts';

/**
 * Returns the claims of which the user is asked whether they are their own word, newest first: equal ones once, and none
 * that the user says elsewhere. Where a fact was read from the words, the fact is the question.
 */
export function* openQuestions(rows: KnowledgeRows): Steps<ClaimRow[]> {
  if (rows.unclearClaims.size === 0) return [];
  const answered = new Set<string>();
  // A letter that is pasted again, perhaps changed, asks nothing that was decided.
  for (const { predicate, object } of rows.facts.values()) {
    yield;
    if (predicate === SAYS) answered.add(wordsKey(object));
  }
  for (const claim of rows.allClaims()) {
    yield;
    if (claim.isUnclear !== true && claim.origin === 'user') answered.add(wordsKey(claim.text));
  }
  const asked = new Map<string, ClaimRow>();
  for (const claim of [...rows.unclearClaims.values()].toSorted(bySaying)) {
    yield;
    const key = wordsKey(claim.text);
    if (!answered.has(key) && !isRead(rows, claim)) asked.set(key, claim);
  }
  return [...asked.values()].toSorted((a, b) => bySaying(b, a));
}

/** Whether a claim with this id awaits the user's word. */
export function isOpenQuestion(rows: KnowledgeRows, id: string): boolean {
  const claim = rows.claim(id);
  return claim?.isUnclear === true && !isRead(rows, claim);
}

function isRead(rows: KnowledgeRows, claim: ClaimRow): boolean {
  const facts = rows.view().from(claim.messageId);
  return facts.some(({ sources }) =>
    sources.some(
      (source) =>
        source.messageId === claim.messageId && source.isContext !== true && overlaps(claim, source),
    ),
  );
}

/** Returns the fact that the user says the words of a claim. */
export function factOfClaim({ id, messageId, text, saidAt }: ClaimRow): Triple {
  return {
    ...{ id, subject: USER_NAME, predicate: SAYS, object: text },
    ...{ validFrom: saidAt, recordedAt: saidAt },
    ...{ sources: [{ messageId, quote: text }], source: 'extracted' },
    attributes: { statedBy: 'document', isProposal: true },
  };
}

/**
 * Records that the user says the words of a claim. Returns the id of the fact.
 *
 * @throws MnemoraError `not-found`
 */
export function confirmClaim(draft: KnowledgeDraft, id: string): string {
  const { subject, predicate, object, sources, validFrom } = factOfClaim(requireClaim(draft, id));
  return draft.graph.addTriple({ subject, predicate, object, sources, validFrom, source: 'user' }).id;
}

/**
 * Records that the user does not accept a claim.
 *
 * @throws MnemoraError `not-found`
 */
export function rejectClaim(draft: KnowledgeDraft, id: string): void {
  const { id: _claim, ...fact } = factOfClaim(requireClaim(draft, id));
  rejectFact(draft, draft.graph.addTriple(fact).id);
}

function requireClaim(draft: KnowledgeDraft, id: string): ClaimRow {
  const claim = draft.claim(id);
  if (claim) return claim;
  throw new MnemoraError('not-found', `There is no claim with the id "${id}". Nothing was changed.`);
}
