import { describe, expect, it } from 'vitest';
import { KnowledgeGraph } from '../../../src/graph/knowledge-graph.ts';
import { FACT_UPDATES, HELD_OUT_FACT_UPDATES, type FactStory } from '../../fixtures/fact-updates.ts';

const DAY = 86_400_000;
const START = 1_000 * DAY;

/** Numbers of the facts of a story that hold no more a year after it; what was said again counts by its first telling. */
function endedOf({ facts }: FactStory): number[] {
  let now = START;
  const graph = new KnowledgeGraph({ clock: () => now });
  const ids = facts.map(({ says: [subject, predicate, object], supersedes = [], fromDay, toDay }, index) => {
    now += DAY;
    return graph.addTriple({
      subject,
      predicate,
      object,
      id: `${index}`,
      supersedes,
      ...(fromDay === undefined ? {} : { validFrom: START + fromDay * DAY }),
      ...(toDay === undefined ? {} : { validTo: START + toDay * DAY }),
    }).id;
  });
  now = START + 365 * DAY;
  const current = new Set(graph.triples().map(({ id }) => id));
  return ids.flatMap((id, index) => (current.has(id) ? [] : [index]));
}

function judge(stories: readonly FactStory[]): { wrong: string[]; missed: string[]; right: number } {
  const wrong: string[] = [];
  const missed: string[] = [];
  for (const story of stories) {
    const ended = endedOf(story);
    if (ended.some((index) => !story.ended.includes(index))) wrong.push(story.name);
    else if (story.ended.some((index) => !ended.includes(index))) missed.push(story.name);
  }
  return { wrong, missed, right: stories.length - wrong.length - missed.length };
}

describe('what a new fact ends', () => {
  it.each(FACT_UPDATES.map((story) => [story.name, story] as const))(
    'GRPH-51: in the story "%s" exactly the expected facts end',
    (_name, story) => {
      expect(endedOf(story)).toEqual(story.ended);
    },
  );

  it('GRPH-52: 40 stories end nothing that still holds, and at least 36 end what does not', () => {
    expect(FACT_UPDATES).toHaveLength(40);
    const { wrong, right } = judge(FACT_UPDATES);
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(36);
  });

  it('GRPH-53: 20 held-out stories end nothing that still holds, and at least 18 end what does not', () => {
    expect(HELD_OUT_FACT_UPDATES).toHaveLength(20);
    const { wrong, right } = judge(HELD_OUT_FACT_UPDATES);
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(18);
  });
});
