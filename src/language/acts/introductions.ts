import { fold } from '../fold.ts';
import type { Span } from '../text-spans.ts';

/**
 * Returns what follows the words by which somebody else at the same keyboard begins: "this is Femi now", "Femi here".
 *
 * @param userName the user may say so of themselves
 */
export function introduced(text: string, userName: string | undefined): Span[] {
  const match = OTHER_HERE.exec(text);
  const name = match?.groups?.['name'] ?? match?.groups?.['name2'] ?? '';
  if (!match || userName === undefined || fold(name) === fold(userName)) return [];
  return [{ start: match.index, end: text.length }];
}

const OTHER_HERE =
  /(?<![\p{L}\p{N}])(?:(?:this|it)(?:'s| is) (?<name>\p{Lu}\p{L}+)(?:,? (?:now|here|again|typing|speaking))|(?<name2>\p{Lu}\p{L}+) (?:here|speaking|typing) (?:now|again)?)(?=[\s.,!:])/u;
