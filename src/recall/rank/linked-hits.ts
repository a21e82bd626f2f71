import { namesIn } from '../../language/people.ts';
import { analyze } from '../../language/terms.ts';
import { TITLES } from '../../language/words/abbreviations.ts';
import type { ClaimLists } from '../../learning/claims/claim-lists.ts';
import type { FusedHit } from '../../search/fuse.ts';
import { compareHits } from '../../search/search-hit.ts';
import type { ScopeIndex } from '../index/scope-index.ts';

/** Number of best messages whose names are followed. */
const LINKING_MESSAGES = 2;
/** A name in more messages than this says little about what is asked. */
const MOST_MESSAGES = 24;
/** Number of turns that are raised for each name. */
const RAISED = 3;
/** Score of a raised message as a share of the score of the message that links to it. */
const SHARE = 0.75;

/** Courtesy titles, whose full stop ends no sentence. */
const TITLE = new RegExp(String.raw`\b(?:${TITLES.join('|')})\.? `, 'giu');

interface Linked {
  /** What the user has stated in a message. */
  readonly claims: Pick<ClaimLists, 'in'>;
  readonly messages: Pick<ScopeIndex, 'get' | 'messagesWith'>;
}

/**
 * Raises messages about somebody or something that the best messages name and the question does not: after "My landlord is
 * called Gerhard", the question "Is my landlord quick with repairs?" needs "Gerhard fixed the heating within a day". Of the
 * turns with a name, those that search ranks best are raised, then the newest. Changes nothing where nobody is named.
 *
 * @param hits best first
 */
export function withLinkedHits(
  hits: readonly FusedHit[],
  { claims, messages }: Linked,
  askedTerms: ReadonlySet<string>,
): readonly FusedHit[] {
  const isAsked = (text: string): boolean => analyze(text).some((term) => askedTerms.has(term));
  const found = new Map(hits.map((hit) => [hit.id, hit]));
  const scoreOf = (id: string): number => found.get(id)?.score ?? 0;
  const raised = new Map<string, FusedHit>();
  for (const linking of hits.slice(0, LINKING_MESSAGES)) {
    // Who somebody was says nothing about who they are now.
    const holding = claims.in(linking.id).filter(({ endedBy }) => endedBy === undefined);
    const texts = holding.map(({ text }) => text);
    if (!texts.some(isAsked)) continue;
    const turns = new Set([messages.get(linking.id)?.turnId]);
    const names = new Set(
      texts.flatMap((text) => [...namesIn(text.replaceAll(TITLE, ''))]).filter((name) => !isAsked(name)),
    );
    for (const name of names) {
      const others = messages
        .messagesWith(name, MOST_MESSAGES)
        .toSorted((a, b) => scoreOf(b.id) - scoreOf(a.id));
      const most = turns.size + RAISED;
      for (const { id, turnId } of others) {
        if (turns.has(turnId) || turns.size === most) continue;
        turns.add(turnId);
        const score = SHARE * linking.score;
        const known: FusedHit = raised.get(id) ?? found.get(id) ?? { id, score: 0, parts: {} };
        if (score <= known.score) continue;
        const graph = (known.parts['graph'] ?? 0) + score - known.score;
        raised.set(id, { id, score, parts: { ...known.parts, graph } });
      }
    }
  }
  if (raised.size === 0) return hits;
  return [...hits.filter(({ id }) => !raised.has(id)), ...raised.values()].toSorted(compareHits);
}
