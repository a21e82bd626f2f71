import { readFile } from 'node:fs/promises';
import { lengthenChats } from './context/lengthened-chats.ts';
import { readChats, readEveryday, type NaturalChat } from './context/natural-chats.ts';

/** Number of everyday requests that are added to a chat. */
export const REQUESTS_PER_CHAT = 60;

export interface Corpus {
  name: 'plain' | 'lengthened';
  chats: NaturalChat[];
}

export interface CorpusFiles {
  /** Path of the chats. */
  file: string;
  /** Path of the everyday requests. */
  everyday: string | undefined;
  /** Interval of the sample: every N-th chat is used; 1 for all. */
  sample: number;
}

/** Returns the chats and, if there are everyday requests, the chats lengthened by them. */
export async function readCorpora({ file, everyday, sample }: CorpusFiles): Promise<Corpus[]> {
  const isSampled = (_chat: NaturalChat, position: number): boolean => position % sample === 0;
  const all = readChats(await readFile(file, 'utf8'));
  const plain: Corpus = { name: 'plain', chats: all.filter(isSampled) };
  if (everyday === undefined) return [plain];
  const requests = readEveryday(await readFile(everyday, 'utf8'));
  // All chats are lengthened before sampling, so that a chat does not depend on the sample.
  const chats = lengthenChats(all, requests, REQUESTS_PER_CHAT).filter(isSampled);
  return [plain, { name: 'lengthened', chats }];
}

/** Parses a whole number. @throws Error with the name of the option if it is invalid */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} takes a whole number of at least 1, not "${text}".`);
  return value;
}
