import type { StreamParser } from './wire-format.ts';

/**
 * Returns a parser of server-sent events that keeps `data` fields only: chat endpoints repeat an event's name in its data
 * and do not support resuming.
 */
export function sseParser(): StreamParser {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCarriageReturn = false;
  let dataLines: string[] = [];

  function readText(text: string): string[] {
    // If a CRLF was split between two pieces, its LF does not end another line.
    const fresh = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterCarriageReturn = text.endsWith('\r');
    const lines = fresh.split(/\r\n|\r|\n/);
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    return lines.flatMap(readLine);
  }

  function readLine(line: string): string[] {
    if (line === '') return flush();
    if (line === 'data') dataLines.push('');
    else if (line.startsWith('data:')) dataLines.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    return [];
  }

  function flush(): string[] {
    if (dataLines.length === 0) return [];
    const data = dataLines.join('\n');
    dataLines = [];
    return [data];
  }

  return {
    push: (bytes) => readText(decoder.decode(bytes, { stream: true })),
    end: () => [...readText(decoder.decode()), ...readLine(rest), ...flush()],
  };
}
