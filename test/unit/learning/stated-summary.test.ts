import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statedLines, statedSummary } from '../../../src/learning/summary/stated-summary.ts';
import type { StoredMessage } from '../../../src/model/message.ts';

const DAY = Date.UTC(2026, 2, 2, 18);
const countTokens = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
const summary = statedSummary(countTokens);

function turn(user: string, at = DAY, assistant = 'I see.'): StoredMessage[] {
  const place = { sessionId: 's', turnId: user, turn: 0, state: 'complete', createdAt: at } as const;
  return [
    { ...place, id: `${user}/0`, seq: 0, role: 'user', content: user },
    { ...place, id: `${user}/1`, seq: 1, role: 'assistant', content: assistant },
  ];
}

describe('a summary by rules', () => {
  it('STMT-15: each statement is a bullet with its day, and the summary is empty without statements', async () => {
    const newLines = await statedLines([
      turn('I am allergic to nuts.', DAY, 'I live in Lisbon.'),
      turn('What is the capital of Peru?'),
    ]);
    expect(newLines).toBe('- 2026-03-02: I am allergic to nuts.');
    expect(await summary.summarize({ summary: '', newLines })).toBe(newLines);
    expect(await statedLines([turn('What is the capital of Peru?')])).toBe('');
    expect(await summary.summarize({ summary: '', newLines: '' })).toBe('');
  });

  it("STMT-15: each statement is listed once, without what has ended, and other people's lines are kept", async () => {
    const first = await statedLines([turn('My girlfriend Mara and I live in Lisbon.')]);
    const later = await statedLines([
      turn('Mara and I broke up, she is no longer my girlfriend.', DAY + 86_400_000),
    ]);
    const both = await summary.summarize({ summary: `They met in May.\n${first}`, newLines: later });
    expect(both).toBe(`They met in May.\n${later}`);
    expect(await summary.summarize({ summary: both, newLines: later })).toBe(both);
  });

  it('STMT-15: where room is short the most important is kept, and never more than fits', async () => {
    const newLines = await statedLines([
      turn('I took the bus.'),
      turn('I am allergic to nuts and I have diabetes.', DAY + 1),
    ]);
    const text = await summary.summarize({ summary: '', newLines, maxTokens: 11 });
    expect(text).toBe('- 2026-03-02: I am allergic to nuts and I have diabetes.');
    const texts = fc.array(
      fc.constantFrom('I live in Porto.', 'My dog is Bo.', 'I quit my job.', 'I am vegan now.'),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.nat({ max: 40 }), async (said, maxTokens) => {
        const lines = await statedLines(said.map((each, at) => turn(each, DAY + at * 86_400_000)));
        const made = await summary.summarize({ summary: '', newLines: lines, maxTokens });
        expect(countTokens(made)).toBeLessThanOrEqual(maxTokens);
        for (const line of made.split('\n').filter(Boolean)) expect(lines.split('\n')).toContain(line);
      }),
    );
  });
});
