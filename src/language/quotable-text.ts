/**
 * Returns the lines of a text such that a model reads what the user sees, and nothing in it can be taken for the
 * structure of a request: characters that are not displayed are removed, and whatever looks like a tag, a role token or
 * a mark is broken up by a space. Only the form of the text is considered, because each model has its own tokens and
 * tags. Ordinary text is unchanged.
 */
export function quotableLines(text: string): string[] {
  return text.split(LINE_BREAK).map(quotableLine);
}

/** Returns a text as a single line; see {@link quotableLines}. */
export function quotableAsLine(text: string): string {
  return quotableLine(text.replaceAll(WHITE_SPACE, ' '));
}

/** Returns a text without characters that are not displayed. */
export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '');
}

/**
 * Whether a short text, such as a name, has what names do not have: an address, markup, a role token, or "system:" and
 * the like.
 */
export function hasMarkup(text: string): boolean {
  const plain = text.normalize('NFKC');
  return quotableAsLine(plain) !== plain || MARKUP.test(plain);
}

const MARKUP =
  /\b[a-z][a-z\d+.-]*:\/\/|\bwww\.|\b(?:javascript|data|mailto):|[<{]\/?[a-z!{]|\]\s*\(|!\[|```|\*\*|^#{1,6}\s|&#?\w+;|(?:^|[\s.;])(?:system|assistant|user|human|ai|tool|developer)\s*:|\\u[\da-f]{4}/iu;

/** Returns an upper bound of the tokens that a text loses when it is quoted. */
export function tokensLost(text: string): number {
  return MOST_TOKENS * (text.match(MAY_BE_LOST)?.length ?? 0);
}

/** A character has at most four bytes, and a byte can be a token. */
const MOST_TOKENS = 4;

/** Every character that a model, a regular expression or Python's `splitlines` may treat as the end of a line. */
// oxlint-disable-next-line no-control-regex
const LINE_BREAK = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/u;
// oxlint-disable-next-line no-control-regex
const WHITE_SPACE = /[\s\u001c-\u001e\u0085]+/gu;
const MAY_BE_LOST = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;

/**
 * Characters with which text can be hidden from the user: controls, zero-width characters, controls of direction, tags
 * and variation selectors. A joiner stays between emoji and in scripts that need it, and a variation selector behind an
 * emoji.
 */
const HIDDEN =
  /(?!\t|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\u0600-\u1cff])[\u200c\u200d](?=[\u0600-\u1cff])|(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]/gu;

/** Places where a space breaks up what a chat template or the fence could read as structure. */
const STRUCTURE = new RegExp(
  [
    // <tag, </tag, <|token|>, <!--, and the same with look-alikes of the bracket
    String.raw`(?<=[<＜﹤])(?=[/／|｜!?_\p{L}])`,
    String.raw`(?<=[|｜])(?=[>＞﹥])`,
    // «role: and ‹/role, but not «quotation»
    String.raw`(?<=[‹〈⟨❬❮⟪«《])(?=[/|]|[\p{L}_]{1,40}[:_|])`,
    // [INST], [/SYSTEM_PROMPT]
    String.raw`(?<=[[［])(?=[/／]?\p{Lu}[\p{Lu}_]{1,40}[\]］])`,
    // memory-0123456789abcdef01234567
    String.raw`(?<=\p{L}[\p{Pd}_])(?=[\da-fA-F]{24}(?![\da-fA-F]))`,
  ].join('|'),
  'gu',
);

function quotableLine(line: string): string {
  return line.replaceAll(HIDDEN, '').replaceAll(STRUCTURE, ' ');
}
