import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sseData } from '../../../src/llm/lines.ts';

async function parse(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  const events: string[] = [];
  async function* pieces(): AsyncGenerator<string> {
    for (const [index, end] of ends.entries()) yield text.slice(ends[index - 1] ?? 0, end);
  }
  for await (const event of sseData(pieces())) events.push(event);
  return events;
}

it('LLM-1: any line ending is accepted, and comments and other fields are skipped', async () => {
  expect(await parse(': hi\nevent: x\ndata: a\nid: 1\n\ndata:b\r\n\r\ndata: c\r\r')).toEqual(['a', 'b', 'c']);
});

it('LLM-1: data lines are joined by newlines, and an event without data is skipped', async () => {
  expect(await parse('data: a\ndata\ndata:  b\n\n\n\nevent: x\n\n')).toEqual(['a\n\n b']);
});

it('LLM-1: an unterminated last event is read', async () => {
  expect(await parse('data: a\n\ndata: b')).toEqual(['a', 'b']);
});

it('LLM-1: events are the same wherever the text is split, even inside a character or a CRLF', async () => {
  const line = fc.oneof(
    fc.constantFrom('data: ünï — 😀 text', 'data:', 'data: {"a":1}', ': comment', '', 'event: x', 'data'),
    fc.string().map((text) => `data: ${text}`),
  );
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, ending)), fc.array(fc.nat()), async (lines, cuts) => {
      const text = lines.flat().join('');
      expect(await parse(text, cuts)).toEqual(await parse(text));
    }),
  );
});

it('LLM-1: an event is read as soon as it is complete, also if it arrives in a thousand pieces', async () => {
  const pieces = [...`data: ${'x'.repeat(1000)}\r\n\r`];
  async function* endless(): AsyncGenerator<string> {
    yield* pieces;
    await new Promise(() => undefined);
  }
  const { value } = await sseData(endless()).next();
  expect(value).toBe('x'.repeat(1000));
});
