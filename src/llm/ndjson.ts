import type { StreamParser } from './wire-format.ts';

/** Returns a parser of newline-delimited JSON: one value per line, blank lines are skipped. */
export function ndjsonParser(): StreamParser {
  const decoder = new TextDecoder();
  let rest = '';

  function readText(text: string): string[] {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    return lines.filter(isFilled);
  }

  return {
    push: (bytes) => readText(decoder.decode(bytes, { stream: true })),
    end: () => [...readText(decoder.decode()), rest].filter(isFilled),
  };
}

function isFilled(line: string): boolean {
  return line.trim() !== '';
}
