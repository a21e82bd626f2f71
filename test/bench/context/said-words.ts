import { tiktokenTokenizer } from '../../../src/tokens/tiktoken.ts';
import { normalize } from './listed-facts.ts';
import type { NaturalChat } from './natural-chats.ts';

const tokenizer = await tiktokenTokenizer();
const texts = new WeakMap<NaturalChat, string>();

/** Returns the tokens of a context as it is sent. */
export function sentTokens(text: string): number {
  return tokenizer.countText(text);
}

/** Returns the tokens of the pieces of a context that stand in a message of the chat word for word. */
export function saidTokens(text: string, chat: NaturalChat): number {
  const said =
    texts.get(chat) ??
    normalize(chat.messages.map(({ content }) => content).join('\n')).replaceAll(/\s+/gu, ' ');
  texts.set(chat, said);
  const isSaid = (piece: string): boolean => said.includes(normalize(piece).replaceAll(/\s+/gu, ' ').trim());
  return piecesOf(text)
    .flatMap((piece) => (isSaid(piece) ? piece : piece.split(SENTENCE_END).filter(isSaid)))
    .reduce((sum, piece) => sum + tokenizer.countText(piece), 0);
}

/** Claims of a message stand on one line although the message has other sentences between them. */
const SENTENCE_END = /(?<=[.!?…]["'”’)]*)\s+/u;

/** Lines without their marks, in the pieces between which something was left out. */
function piecesOf(text: string): string[] {
  return text
    .split(/\n|…|; /u)
    .map((line) => line.replace(/^> (?:- \d{4}-\d\d-\d\d: )?/u, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}
