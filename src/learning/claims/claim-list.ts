import { isProposal } from '../../graph/triple.ts';
import type { Steps } from '../../model/event-loop.ts';
import type { Speaker } from '../../model/speaker.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import { USER_NAME } from '../first-person.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { nameTyped } from '../user-edits.ts';
import { bySaying } from './end-claims.ts';
import type { ClaimEnd } from './claim-ends.ts';
import { isConfirmation } from './fact-words.ts';
import type { Truth } from './truth.ts';

/** A clause of a message that is worth keeping, and whether it holds. Times are in milliseconds since 1970. */
export interface Claim {
  readonly id: string;
  readonly messageId: string;
  /** Place of the clause in the text of the message, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The clause, word for word. */
  readonly text: string;
  /** Who said it. */
  readonly speaker: Speaker;
  readonly saidAt: number;
  /**
   * `holds`: nothing says otherwise. `ended`: it held until something changed. `retracted`: it never held, as the user
   * has said. `rejected`: the user does not accept it. `unconfirmed`: it is not the user's own talk.
   */
  readonly status: 'holds' | 'ended' | 'retracted' | 'rejected' | 'unconfirmed';
  /** Id of the claim that ended it; absent if the user did so directly. */
  readonly endedBy?: string;
  readonly endedAt?: number;
  /** The words of the clause that are over, if not all of them. */
  readonly endedText?: string;
  /** Ids of the facts that were read from it. */
  readonly factIds: readonly string[];
}

interface ClaimSelection {
  readonly about?: string;
  readonly includeHistory?: boolean;
  readonly includeUnconfirmed?: boolean;
}

/** Returns the claims of a scope in the order in which they were said. The rows must not change until it is done. */
export function* claimsOf(
  rows: KnowledgeRows,
  truth: Truth,
  { about, includeHistory, includeUnconfirmed }: ClaimSelection,
): Steps<Claim[]> {
  const isAbout = about === undefined ? () => true : namingOf(rows, nameTyped(about));
  const enders = new Set<string | undefined>();
  for (const row of rows.allClaims()) {
    yield;
    for (const { by } of truth.endsOf(row)) enders.add(by);
  }
  const claims: Claim[] = [];
  for (const row of [...rows.allClaims()].toSorted(bySaying)) {
    yield;
    const isSaid = row.origin === 'user';
    const isListed = isSaid ? !row.isWeak || enders.has(row.id) : row.isUnclear || includeUnconfirmed;
    if (!isListed) continue;
    const facts = truth.factsOf(row);
    const isOwn = isSaid || facts.some(isConfirmation);
    if (!isOwn && includeUnconfirmed !== true) continue;
    const end = truth.endOf(row.id);
    const isWhole = end !== undefined && end.text === undefined;
    if ((isWhole && includeHistory !== true) || !isAbout(row)) continue;
    claims.push({
      id: row.id,
      messageId: row.messageId,
      start: row.start,
      end: row.end,
      text: row.text.slice(row.start - row.end),
      speaker: isOwn ? 'user' : row.origin,
      saidAt: row.saidAt,
      status: end || isOwn ? statusOf(end) : 'unconfirmed',
      ...(end?.by === undefined ? {} : { endedBy: end.by }),
      ...(end === undefined ? {} : { endedAt: end.at }),
      ...(end?.text === undefined ? {} : { endedText: end.text }),
      factIds: facts.flatMap((fact) => (isProposal(fact) ? [] : fact.id)),
    });
  }
  return claims;
}

function statusOf(end: ClaimEnd | undefined): Claim['status'] {
  if (!end) return 'holds';
  if (end.isRejected) return 'rejected';
  return end.isRetracted ? 'retracted' : 'ended';
}

/** Returns whether a claim names an entity, or is about the user if that is the entity. */
function namingOf(rows: KnowledgeRows, name: string): (row: ClaimRow) => boolean {
  if (name === USER_NAME) return ({ origin }) => origin === 'user';
  const key = rows.graph.nodeKey(name);
  return ({ text }) => rows.entitiesIn(text).includes(key);
}
