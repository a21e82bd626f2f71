import type { Memory } from '../../../../src/index.ts';
import { anyCall } from './scripted-model.ts';

/** What a memory knows, as text that is equal for equal memories. */
export interface MemoryState {
  /** Session, number, turn id, role, content and state of each message. */
  readonly turns: readonly (readonly unknown[])[];
  readonly facts: readonly string[];
  readonly entities: readonly string[];
  /** Session, text and the number of the last message that it covers. */
  readonly summaries: readonly (readonly unknown[])[];
  readonly jobs: readonly unknown[];
  readonly problems: readonly unknown[];
}

/** Returns all that a memory knows, except ids, recording times and what tells one call of the scripted model from another. */
export async function readState(memory: Memory, sessionIds: readonly string[]): Promise<MemoryState> {
  const names = new Map<string, string>();
  const turns: unknown[][] = [];
  for (const id of sessionIds) {
    for (const message of await memory.history({ sessionId: id })) {
      names.set(message.id, `${message.turnId} ${message.role}`);
      turns.push([id, message.seq, message.turnId, message.role, message.content, message.state]);
    }
  }
  const nameOf = (id: string): string => names.get(id) ?? 'a message that is not there';
  const facts = await memory.facts.list({ includeHistory: true, includeUnconfirmed: true });
  const statements = new Map(
    facts.map(({ id, subject, predicate, object }) => [id, `${subject} ${predicate} ${anyCall(object)}`]),
  );
  const current = new Set((await memory.facts.list({ includeUnconfirmed: true })).map((fact) => fact.id));
  // What else a model was shown with a message depends on the turns that it was shown at once, which a kill changes.
  return {
    turns,
    facts: facts
      .map((fact) =>
        [
          statements.get(fact.id),
          fact.validFrom,
          fact.validTo ?? 'open',
          current.has(fact.id) ? 'holds' : 'held',
          fact.source,
          JSON.stringify(fact.attributes),
          fact.sources
            .filter(({ isContext }) => !isContext || fact.attributes['statedBy'] !== 'model')
            .map((each) => `${nameOf(each.messageId)} "${each.quote ?? ''}"`)
            .join(', '),
        ].join(' | '),
      )
      .toSorted(),
    entities: (await memory.facts.entities())
      .map(({ name, aliases, summary, sources }) =>
        [
          anyCall(name),
          [...aliases].toSorted().join(),
          anyCall(summary),
          sources.map(nameOf).toSorted().join(),
        ].join(' | '),
      )
      .toSorted(),
    summaries: await Promise.all(
      sessionIds.map(async (id) => {
        const summary = await memory.summary({ sessionId: id });
        return [id, summary?.text, summary?.coversSeq];
      }),
    ),
    jobs: await memory.work.list(),
    problems: (await memory.backup.verify()).problems,
  };
}
