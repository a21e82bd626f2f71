const LETTER_WITH_MARKS = /([\p{Script=Latin}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const SOFT_HYPHEN_OR_ARABIC_STRETCHER = /[\u00ad\u0640]/g;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * Returns a text as its words are compared: without differences of case, width and ligatures (NFKC), without marks on
 * Latin, Arabic and Hebrew letters, and with straight apostrophes. `ß` becomes `ss`.
 */
export function fold(text: string): string {
  const lowered = text.normalize('NFKC').toLowerCase();
  if (isAscii(lowered)) return lowered;
  return lowered
    .replaceAll('’', "'")
    .replace(SOFT_HYPHEN_OR_ARABIC_STRETCHER, '')
    .normalize('NFD')
    .replace(LETTER_WITH_MARKS, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

/** Returns a text in lower case and without marks on Latin letters, in which every character keeps its position. */
export function foldInPlace(text: string): string {
  return text.replaceAll(/[\p{L}’]/gu, (letter) => {
    if (letter === '’') return "'";
    const lower = letter.toLowerCase();
    const plain = /\p{Script=Latin}/u.test(lower) ? (lower.normalize('NFD')[0] ?? lower) : lower;
    return plain.length === letter.length ? plain : letter;
  });
}

/** Names for which lower case is all the folding needed; this covers nearly all names. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** Returns a name or label as it is compared: without differences of case, width and spaces. Marks on letters count. */
export function foldName(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  return name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
