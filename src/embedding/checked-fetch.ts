import { sha256OfBytes } from '../model/sha256.ts';

export interface CheckedFetchOptions {
  /** The browser's `fetch`. */
  readonly fetch: typeof fetch;
  /** SHA-256 of the files to check, in hexadecimal, by URL without query. Other URLs are fetched unchecked. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Called for each piece of a checked file that arrives. */
  readonly onBytes: () => void;
  /** Called for a file with different content, with a sentence that says what to do. */
  readonly onRefusal: (reason: string) => void;
}

/**
 * Returns a `fetch` that checks files against hashes. Reading a file with different content fails at its end, so no
 * reader ever receives a complete wrong file.
 */
export function checkedFetch({ fetch, hashes, onBytes, onRefusal }: CheckedFetchOptions): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { origin, pathname } = new URL(new Request(input).url);
    const url = origin + pathname;
    const hash = hashes.get(url);
    if (hash === undefined || !response.ok || !response.body) return response;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const check = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, reader) {
        onBytes();
        pieces.push(piece.slice()); // the reader may transfer its piece
        reader.enqueue(piece);
      },
      async flush() {
        const content = new Uint8Array(await new Blob(pieces).arrayBuffer());
        if ((await sha256OfBytes(content)) === hash) return;
        const reason = `${url} is not the file that this version was built with; copy the assets again with "npx mnemora assets"`;
        onRefusal(reason);
        throw new Error(reason);
      },
    });
    return new Response(response.body.pipeThrough(check), response);
  };
}
