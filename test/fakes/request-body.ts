import type { IncomingMessage } from 'node:http';

/** Reads what a request sends. Returns undefined if the connection ends before the body does. */
export async function requestBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
