import streamBytes from './stream-bytes.wat';

const PAGE_BYTES = 65_536;

/** Returns a function that reads a number of bytes of memory once: a lower bound for every search over them. */
export function byteStream(byteCount: number): () => number {
  const whole = Math.ceil(byteCount / 64) * 64;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(whole / PAGE_BYTES) });
  new Uint8Array(memory.buffer).fill(1); // pages that were never written are all one page
  const bytes = Uint8Array.from(atob(streamBytes), (character) => character.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { bytes: { memory } });
  const { stream } = exports as { stream: (at: number, end: number) => number };
  return () => stream(0, whole);
}
