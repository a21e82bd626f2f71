import { linesOf } from './lines.ts';

/**
 * Yields the data of server-sent events. Only their `data` fields are read: chat endpoints repeat an event's name in
 * its data and do not support resuming.
 */
export async function* sseData(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let dataLines: string[] = [];
  for await (const line of linesOf(texts)) {
    if (line === 'data') dataLines.push('');
    else if (line.startsWith('data:')) dataLines.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    else if (line === '' && dataLines.length > 0) {
      yield dataLines.join('\n');
      dataLines = [];
    }
  }
  if (dataLines.length > 0) yield dataLines.join('\n');
}
