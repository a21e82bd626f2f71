import { unreadable } from './reply-json.ts';

/** Maximum characters of one line of a stream: it is parsed at once, which blocks the page. */
const MAX_LINE_CHARACTERS = 8_000_000;

/**
 * Yields the lines of a text that arrives in pieces of any size, without their LF, CRLF or CR, in time linear in the
 * length of the text. The text after the last line break is a line too.
 *
 * @throws MnemoraError `llm-reply` if a line is too long
 */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  // Joined only at the end of the line: looking at what has arrived with each piece would take quadratic time.
  let pieces: string[] = [];
  let length = 0;
  let afterCarriageReturn = false;
  for await (const text of texts) {
    // If a CRLF was split between two pieces, its LF does not end another line.
    const fresh = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterCarriageReturn = text.endsWith('\r');
    const [first = '', ...lines] = fresh.split(/\r\n|\r|\n/);
    pieces.push(first);
    length += first.length;
    for (const line of lines) {
      yield pieces.join('');
      pieces = [line];
      length = line.length;
    }
    if (length > MAX_LINE_CHARACTERS)
      throw unreadable(`has a line of more than ${MAX_LINE_CHARACTERS} characters`);
  }
  yield pieces.join('');
}

/** Yields the lines of a text that are not blank, such as the values of newline-delimited JSON. */
export async function* filledLines(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of linesOf(texts)) if (line.trim() !== '') yield line;
}

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
