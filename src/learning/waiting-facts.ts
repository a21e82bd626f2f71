import { sentenceOf, type Triple, type TripleWords } from '../graph/triple.ts';
import { foldName } from '../language/fold.ts';
import type { Steps } from '../model/event-loop.ts';
import { groupedBy } from '../storage/rows.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { unconfirmedSpeaker } from './speaker.ts';

/**
 * Returns the facts and proposals that hold and that the user has not stated, except those that a stated fact says in
 * the same words. Of all facts, only these and those about the same subjects are read.
 */
export function* waitingFacts(rows: KnowledgeRows): Steps<Triple[]> {
  const view = rows.view();
  const waiting: Triple[] = [];
  for (const { id } of rows.unconfirmedFacts) {
    yield;
    const fact = view.current(id);
    if (fact) waiting.push(fact);
  }
  const left: Triple[] = [];
  for (const [subject, facts] of groupedBy(waiting, (fact) => fact.subject)) {
    const stated = new Set<string>();
    for (const fact of view.latest(subject)) {
      yield;
      if (unconfirmedSpeaker(fact) === undefined) stated.add(said(fact));
    }
    left.push(...facts.filter((fact) => !stated.has(said(fact))));
  }
  return left;
}

function said(fact: TripleWords): string {
  return foldName(sentenceOf(fact));
}
