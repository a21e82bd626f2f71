import { describe, expect, it } from 'vitest';
import { llmExtractor } from '../../../src/extract.ts';
import { type Memory, type CreateMemoryOptions, type LLM } from '../../../src/index.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

/** One line of what a model is shown. */
interface Line {
  readonly id?: string;
  readonly text?: string;
  readonly name?: string;
  readonly notes?: readonly string[];
}

interface Model {
  readonly llm: LLM;
  /** How often it was asked for one note of several. */
  consolidations: number;
  /** What it answers then. */
  consolidate: (lines: readonly Line[]) => string;
  /** What it notes of Ada in a message. */
  note: (text: string) => string;
}

function updates(lines: readonly Line[], textOf: (line: Line) => string): string {
  return JSON.stringify({ updates: lines.map((line) => ({ name: line.name, summary: textOf(line) })) });
}

/** Notes of Ada what each message says, and makes one note of several. */
function modelOf(): Model {
  const model: Model = {
    consolidations: 0,
    note: (text) => text,
    consolidate: (lines) => updates(lines, ({ notes = [] }) => [...new Set(notes)].toSorted().join(' ')),
    llm: async ({ messages }) => {
      const prompt = messages.map((message) => String(message.content)).join('\n');
      const data = prompt.slice(prompt.lastIndexOf('<data>\n') + 7, prompt.lastIndexOf('\n</data>'));
      const isLines = data.startsWith('{');
      const lines = isLines ? data.split('\n').map((line) => JSON.parse(line) as Line) : [];
      if (prompt.includes('"facts"')) {
        const told = lines.filter(({ id = '', text = '' }) => id.startsWith('m') && text.startsWith('Ada'));
        const entities = told.map(({ id, text = '' }) => ({
          name: 'Ada',
          note: model.note(text),
          message: id,
        }));
        return { text: JSON.stringify({ entities, facts: [] }) };
      }
      if (!lines.some(({ notes }) => notes)) return { text: 'They spoke of Ada.' };
      model.consolidations += 1;
      return { text: model.consolidate(lines) };
    },
  };
  return model;
}

/** Its batches are of ten turns, so that notes are consolidated after 20. */
function memoryWith(model: Model, options: CreateMemoryOptions = {}): Promise<Memory> {
  let now = 1_700_000_000_000;
  return memoryOf({
    learning: { extractor: { ...llmExtractor(model.llm), batchTurns: 10 }, delayMs: 0 },
    clock: () => (now += 60_000),
    ...options,
  });
}

const TOLD = [
  'Ada grows roses.',
  'Ada plays chess.',
  'Ada visited Lisbon.',
  'Ada owns a bakery.',
  'Ada speaks Danish.',
];
const ALL = TOLD.toSorted().join(' ');

/** Turns of several sessions, of which each fourth tells something. Returns the ids of the turns. */
async function tell(memory: Memory, from: number, count: number): Promise<string[]> {
  const turnIds = [];
  for (let turn = from; turn < from + count; turn++) {
    const session = memory.session(`session ${Math.floor(turn / 10)}`);
    const user = turn % 4 === 0 ? (TOLD[(turn / 4) % TOLD.length] ?? '') : `What else, ${turn}?`;
    turnIds.push((await session.remember({ user, assistant: 'I see.' })).turnId);
    if (turn % 3 === 0) await memory.work.settled();
  }
  await memory.work.settled();
  return turnIds;
}

async function noteOnAda(memory: Memory): Promise<string | undefined> {
  return (await memory.facts.entities()).find(({ name }) => name === 'Ada')?.summary;
}

describe('notes on entities', () => {
  it('LRN-19: a new note that contains most of the older ones replaces them, also in a backup, until its turn is forgotten', async () => {
    const model = modelOf();
    const memory = await memoryWith(model);
    await memory.remember({ user: 'Ada grows roses.', assistant: 'I see.' });
    await memory.remember({ user: 'Ada plays chess.', assistant: 'I see.' });
    await memory.work.settled();
    expect(await noteOnAda(memory)).toBe('Ada grows roses. Ada plays chess.');
    model.note = (text) => `Grows roses, plays chess. ${text}`;
    const { turnId } = await memory.remember({ user: 'Ada visited Lisbon.', assistant: 'I see.' });
    await memory.work.settled();
    expect(await noteOnAda(memory)).toBe('Grows roses, plays chess. Ada visited Lisbon.');
    const other = await memoryOf();
    await other.backup.import(await memory.backup.export());
    expect(await noteOnAda(other)).toBe(await noteOnAda(memory));
    await memory.forget({ turnId });
    expect(await noteOnAda(memory)).toBe('Ada grows roses. Ada plays chess.');
  });

  it('LRN-25: notes consolidated on two devices are both kept, and importing again changes nothing', async () => {
    const model = modelOf();
    const memory = await memoryWith(model);
    await memory.remember({ user: 'Ada grows roses.', assistant: 'I see.' });
    await memory.work.settled();
    const other = await memoryWith(model);
    await other.backup.import(await memory.backup.export());
    model.note = (text) => `Grows roses. ${text}`;
    await memory.remember({ user: 'Ada visited Lisbon.', assistant: 'I see.' });
    await other.remember({ user: 'Ada owns a bakery.', assistant: 'I see.' });
    await Promise.all([memory.work.settled(), other.work.settled()]);
    const [mine, theirs] = [await memory.backup.export(), await other.backup.export()];
    await memory.backup.import(theirs);
    await other.backup.import(mine);
    const all = ['Ada grows roses.', 'Grows roses. Ada visited Lisbon.', 'Grows roses. Ada owns a bakery.'];
    for (const text of all) expect(await noteOnAda(memory)).toContain(text);
    expect((await noteOnAda(memory))?.length).toBe(all.join(' ').length);
    expect((await noteOnAda(other))?.length).toBe(all.join(' ').length);
    const merged = await noteOnAda(memory);
    for (const backup of [theirs, mine, await other.backup.export()])
      expect((await memory.backup.import(backup)).entities).toBe(0);
    expect(await noteOnAda(memory)).toBe(merged);
  });

  it('LRN-20: notes of several sessions are consolidated in the background, with at most one call per 20 turns', async () => {
    const model = modelOf();
    const memory = await memoryWith(model);
    await tell(memory, 0, 19);
    expect(model.consolidations).toBe(0);
    expect(await noteOnAda(memory)).toBe(TOLD.join(' '));
    await tell(memory, 19, 1);
    expect(model.consolidations).toBe(1);
    expect(await noteOnAda(memory)).toBe(ALL);
    await tell(memory, 20, 19);
    expect(model.consolidations).toBe(1);
    await tell(memory, 39, 21);
    expect(model.consolidations).toBe(3);
  });

  it('LRN-21: a consolidated note is removed with any of its turns, and the other notes come back', async () => {
    const memory = await memoryWith(modelOf());
    const turnIds = await tell(memory, 0, 20);
    expect(await noteOnAda(memory)).toBe(ALL);
    await memory.forget({ turnId: turnIds[8] ?? '' });
    expect(await noteOnAda(memory)).toBe(TOLD.filter((note) => !note.includes('Lisbon')).join(' '));
    expect(JSON.stringify(await memory.facts.entities())).not.toContain('Lisbon');
  });

  it('LRN-22: a note that adds a name or number, or drops most of what was known, is rejected with a warning', async () => {
    const model = modelOf();
    const warnings: string[] = [];
    const memory = await memoryWith(model, {
      onWarning: ({ code }) => code === 'summary-refused' || warnings.push(code),
    });
    model.consolidate = (lines) => updates(lines, ({ notes = [] }) => `${notes.join(' ')} So does Karl.`);
    await tell(memory, 0, 20);
    model.consolidate = (lines) => updates(lines, ({ notes = [] }) => `${notes.join(' ')} 12 of them.`);

    await tell(memory, 20, 20);
    model.consolidate = () => 'I am sorry, I cannot.';
    await tell(memory, 40, 20);
    expect(model.consolidations).toBe(3);
    expect(await noteOnAda(memory)).toContain('Ada plays chess. Ada visited Lisbon.');
    expect(warnings).toEqual(Array.from({ length: 3 }, () => 'extraction-rejected'));
  });

  it('LRN-23: after a failure the notes stay as they are, and the model is called again after 20 more turns', async () => {
    const model = modelOf();
    const warnings: string[] = [];
    const memory = await memoryWith(model, {
      onWarning: ({ code }) => code === 'summary-refused' || warnings.push(code),
    });
    model.consolidate = () => '';
    await tell(memory, 0, 25);
    model.consolidate = () => {
      throw new Error('Out of order.');
    };
    await tell(memory, 25, 20);
    expect(model.consolidations).toBe(2);
    expect(warnings).toEqual(['learning-failed', 'learning-failed']);
    expect(await noteOnAda(memory)).toContain(TOLD.join(' '));
    expect(await memory.work.list()).toEqual([]);
  });

  it('LRN-24: rebuild asks as often for notes that the model does not merge', async () => {
    const model = modelOf();
    const memory = await memoryWith(model, { onWarning: () => undefined });
    model.consolidate = () => 'I am sorry, I cannot.';
    await tell(memory, 0, 40);
    const before = model.consolidations;
    expect(before).toBeGreaterThan(1);
    await memory.backup.rebuild();
    expect(model.consolidations).toBe(2 * before);
  });

  it('LRN-24: rebuild makes the same notes with the same number of calls', async () => {
    const model = modelOf();
    const memory = await memoryWith(model);
    await tell(memory, 0, 47);
    const before = await memory.facts.entities();
    expect(model.consolidations).toBe(2);
    await memory.backup.rebuild();
    expect(await memory.facts.entities()).toEqual(before);
    expect(model.consolidations).toBe(4);
  });
});
