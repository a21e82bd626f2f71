import { findNames } from '../../graph/name-index.ts';
import type { FactGraph } from '../../graph/fact-graph.ts';
import { knownName } from './detected-names.ts';

/**
 * Returns a line for each known entity with its current facts: `On Sam: Sam is a friend. Sam lives in Paris.` The entities
 * are given by name, or by a text that mentions them.
 */
export function factLines(graph: FactGraph, about: readonly string[] | string): string[] {
  const known = graph.entities();
  const names =
    typeof about === 'string'
      ? findNames(about, known)
      : about.map((name) => graph.entity(name)?.name ?? knownName(name, known));
  return [...new Set(names)].flatMap((name) => {
    const facts = name === undefined ? [] : graph.entityFacts(name).map((fact) => fact.replace(/\.$/u, ''));
    return facts.length === 0 ? [] : [`On ${name}: ${facts.join('. ')}.`];
  });
}
