import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sseParser } from '../../src/llm/sse.ts';

function parse(bytes: Uint8Array, cuts: readonly number[] = []): string[] {
  const parser = sseParser();
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  const events: string[] = [];
  for (const end of ends) {
    events.push(...parser.push(bytes.slice(start, end)));
    start = end;
  }
  return [...events, ...parser.end()];
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

it('LLM-1: any line ending is accepted, and comments and other fields are skipped', () => {
  expect(parse(encode(': hi\nevent: x\ndata: a\nid: 1\n\ndata:b\r\n\r\ndata: c\r\r'))).toEqual([
    'a',
    'b',
    'c',
  ]);
});

it('LLM-1: data lines are joined by newlines, and an event without data is skipped', () => {
  expect(parse(encode('data: a\ndata\ndata:  b\n\n\n\nevent: x\n\n'))).toEqual(['a\n\n b']);
});

it('LLM-1: a byte order mark is skipped and an unterminated last event is read', () => {
  expect(parse(encode('\uFEFFdata: a\n\ndata: b'))).toEqual(['a', 'b']);
});

it('LLM-1: events are the same wherever the bytes are split, even inside a character or a CRLF', () => {
  const line = fc.oneof(
    fc.constantFrom('data: ünï — 😀 text', 'data:', 'data: {"a":1}', ': comment', '', 'event: x', 'data'),
    fc.string().map((text) => `data: ${text}`),
  );
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(fc.tuple(line, ending)), fc.array(fc.nat()), (lines, cuts) => {
      const bytes = encode(lines.flat().join(''));
      expect(parse(bytes, cuts)).toEqual(parse(bytes));
    }),
  );
});

it('LLM-1: a line that arrives in a thousand pieces is read once it is complete', () => {
  const bytes = encode(`data: ${'x'.repeat(1000)}\n\n`);
  const parser = sseParser();
  const events = Array.from(bytes, (byte) => parser.push(Uint8Array.of(byte))).flat();
  expect(events).toEqual(['x'.repeat(1000)]);
});
