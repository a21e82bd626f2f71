/** A part of a text, from `start` up to `end` (exclusive), in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a text that have the shape of a secret, in order and without overlap. All repetitions in the
 * patterns are bounded or cannot begin twice in one run, so that the time is linear.
 */
export function secretSpans(text: string): Span[] {
  const found = [
    ...PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
    ...spansOf(text, ISSUED_KEY, ({ prefix = '', tail = '' }) => isIssuedKey(prefix, tail)),
    ...spansOf(text, RUN, ({ secret = '' }) => isRandomRun(secret)).filter(
      ({ start }) => !isInUrl(text, start),
    ),
    ...spansOf(text, ACCOUNT).flatMap((span) => accountIn(text, span)),
    ...cardsIn(text),
  ];
  const spans: Span[] = [];
  for (const span of found.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (!last || span.start >= last.end) spans.push(span);
    else if (span.end > last.end) spans[spans.length - 1] = { start: last.start, end: span.end };
  }
  return spans;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the group `secret` or `beside` of each match, or the whole match if the pattern has no flag `d`, which is slow. */
function spansOf(text: string, pattern: RegExp, isSecret: (groups: Groups) => boolean = () => true): Span[] {
  const spans: Span[] = [];
  for (const { 0: whole, index, indices, groups = {} } of text.matchAll(pattern)) {
    if (!isSecret(groups)) continue;
    const named = indices?.groups?.['secret'] ?? indices?.groups?.['beside'];
    const [start, end] = named ?? [index, index + whole.length];
    spans.push({ start, end });
  }
  return spans;
}

/** "for the garage", "of my old phone". */
const PURPOSE = String.raw`(?:\s{1,4}(?:for|of|to|on|at|in)(?:\s{1,4}(?!(?:is|was|are|ist|es|est)\s)[^\s.,;:!?=]{1,24}){1,5})?`;
const IS = String.raw`\s{1,4}(?:is|was|are|ist|lautet|es|est|é)(?:\s{1,4}(?:now|still|currently|just|always|(?:set|changed) to))?\s{0,2}:?\s{1,4}`;
const EQUALS = String.raw`["'”]?\s{0,4}(?:[:=：?？是は]|=>|->)\s{0,4}`;
const BESIDE = String.raw`\s{1,4}(?:to\s{1,4})?`;
const OPEN = `["'“‘\`]`;
const CLOSED = `[^"'“”‘’\`\\n]{3,80}(?=["'”’\`])`;
/** The characters of a word, and those that it ends with. */
const IN_WORD = '[^\\s"\'“”‘’`,;<>]';
const LAST_IN_WORD = '[^\\s"\'“”‘’`,;<>.!?)\\]}:]';
/** A word that no language has: with a digit or a symbol in it. */
const ODD_WORD = String.raw`(?!https?:)(?=${IN_WORD}{0,40}?(?:\d|[$%^&*@#!_+=~]${LAST_IN_WORD}))${IN_WORD}{3,127}${LAST_IN_WORD}`;
/** What people say of a password without telling it. */
const STATE =
  'a|an|about|again|also|always|any|as|at|bad|because|being|blank|by|case|correct|different|due|easy|empty|fine|from|gone|good|hard|here|hidden|how|if|in|incorrect|insecure|invalid|it|just|kept|known|like|long|lost|missing|my|never|new|no|not|now|ok|okay|old|on|only|optional|our|out|private|public|quite|really|right|safe|same|secret|secure|short|so|something|still|strong|that|the|their|there|this|to|too|under|unique|unknown|unsafe|up|valid|very|weak|what|when|where|why|with|without|written|wrong|you|your';
const GRAMMAR =
  'all|and|any|are|because|but|can|for|from|had|has|have|its|not|one|than|that|the|they|this|too|very|was|when|which|who|with|would|you|your';
/** One word, or four and more without words of grammar, up to the end of the clause. */
const PLAIN_WORDS = String.raw`(?:(?:(?!(?:${GRAMMAR})\s)\p{L}{3,12}[ -]){3,24}\p{L}{3,12}|(?!(?:${STATE})(?!\p{L}))(?!\p{L}+(?:ed|ing|[ai]ble|less|ory|ous)(?!\p{L}))\p{L}{4,40})(?=\s{0,4}(?:[.,;!?)\n]|$|\s(?:and|but|for|on)\s))`;
const PASSWORD = String.raw`(?<![a-z])(?:pass[ _-]?(?:word|phrase|wd)|pwd|passwort|kennwort|contraseña|mot de passe|senha|密码|密碼|パスワード|(?:seed|recovery|mnemonic)[ _-]?(?:phrase|words))`;
const CODE = String.raw`(?<![a-z])(?:pin|(?:pin|pass|access|security|verification|recovery|backup|door|gate|entry|alarm|safe|lock|unlock|garage|login|cvv|otp|2fa)[ _-]?(?:code|number|combination)|(?:api|access|secret|private|encryption|licen[sc]e|product)[ _-]?key|(?:access|auth|bearer|api|session|refresh)[ _-]?token|(?:client|app|api|jwt|signing|shared)[ _-]?secret|cv[vc]|ssn|social security (?:number|no\.?))`;
const FIGURES = String.raw`\d(?:[ -]?\d){2,30}(?![\p{L}\d%])`;
const CODE_VALUE = String.raw`(?:${FIGURES}|(?=${IN_WORD}{0,256}?\d)${IN_WORD}{3,256}${LAST_IN_WORD})`;
const OWNER = String.raw`(?:my|our|his|her|their|your|the)(?:\s{1,4}[^\s.,;:!?]{1,24}){0,3}?\s{1,4}`;

/** "My PIN is 4821", `api_key: "…"`, "the code for the garage is 1379". */
const TOLD_CODE = `${CODE}(?:${PURPOSE}(?:${IS}|${EQUALS})|${BESIDE}(?=\\S{4}))${OPEN}?(?<secret>(?<=${OPEN})${CLOSED}|${CODE_VALUE})`;
/** "My password is swordfish", `PASSWORD=…`, "log in with the password hunter2". */
const TOLD_PASSWORD = `${PASSWORD}(?:${PURPOSE}(?:${IS}|${EQUALS})${OPEN}?(?<secret>(?<=${OPEN})${CLOSED}|${ODD_WORD}|${PLAIN_WORDS})|${BESIDE}${OPEN}?(?<beside>(?<=${OPEN})${CLOSED}|${ODD_WORD}))`;
/** "I use hunter2 as my password", "4821 is the PIN of the card". */
const TOLD_BEFORE = `(?<!\\S)${OPEN}?(?<secret>\\d{3,12}|${ODD_WORD}|(?!(?:${STATE})\\s)\\p{L}{4,40}(?=["'”’\`]?\\s{1,4}as\\s))["'”’\`]?\\s{1,4}(?:as|is)\\s{1,4}${OWNER}(?:${PASSWORD}|${CODE})(?!\\p{L}|\\s{1,4}manager)`;

/** Shapes that need no further check. */
const PATTERNS = [
  ...[
    String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z0-9 ]{0,60}-----)?`,
    // JSON Web Tokens.
    String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*){0,3}`,
    // Ids of AWS keys.
    String.raw`(?<!\w)A[KS]IA[A-Z\d]{16}(?!\w)`,
    // Addresses with a password, and with a key as a parameter.
    String.raw`:\/\/[^\s:@\/]{0,64}:(?<secret>[^\s:@\/]{3,128})@`,
    String.raw`(?<=(?:token|key|secret|signature)=)[\w%.+\/-]{16,256}`,
    // Social security numbers of the United States.
    String.raw`(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])`,
  ].map((source) => new RegExp(source, source.includes('<secret>') ? 'dgu' : 'gu')),
  ...[TOLD_CODE, TOLD_PASSWORD, TOLD_BEFORE].map((source) => new RegExp(source, 'dgiu')),
];

/** Words and a random part, as issuers write their keys: `sk-proj-…`, `ghp_…`, `xoxb-…`. */
const ISSUED_KEY =
  /(?<![\w+/=-])(?<prefix>[a-z]{2,12}(?:[-_][a-z\d]{1,12}){0,4}[-_])(?<tail>[\w-]{16,256})(?![\w-])/gu;
const KEY_WORD = /^(?:sk|pk|rk|pat|api|key|token|secret)[-_]/u;

function isIssuedKey(prefix: string, tail: string): boolean {
  if (!/\d/u.test(tail) || mixing(tail) < MIXED) return false;
  // Hashes have names in front of them, too.
  return KEY_WORD.test(prefix) || /(?![a-f\d]{16})[A-Za-z\d]{16}/u.test(tail);
}

/** Longer runs are data, such as an image. */
const RUN = /(?<![\w+/-])(?!sha\d)(?<secret>[\w+/-]{20,256}={0,2})(?![\w+/=-])/gu;

/** Shorter runs with a single digit can be names of code. */
const CERTAIN_LENGTH = 32;

/** Whether a run of letters and digits looks like the output of a random generator in base 62 or 64. */
function isRandomRun(run: string): boolean {
  const kinds = [/[a-z]/u, /[A-Z]/u, run.length < CERTAIN_LENGTH ? /\d[^\d]*\d/u : /\d/u];
  if (!kinds.every((kind) => kind.test(run))) return false;
  const pieces = run.split(/[-_/+=]+/u).filter((piece) => piece !== '');
  return run.length / pieces.length >= 8 && mixing(run) >= MIXED;
}

/** Share of neighboring characters of different kinds: about 0.6 in random text, a third of that in names of code. */
const MIXED = 0.35;

function mixing(run: string): number {
  let changes = 0;
  let characters = 0;
  let before: number | undefined;
  for (let at = 0; at < run.length; at += 1) {
    const kind = kindOf(run.charCodeAt(at));
    if (kind === undefined) continue;
    characters += 1;
    if (before !== undefined && kind !== before) changes += 1;
    before = kind;
  }
  return changes / Math.max(1, characters - 1);
}

/** Returns a number for each of digits, small letters and capital letters of ASCII. */
function kindOf(code: number): number | undefined {
  if (code >= DIGIT_ZERO && code <= DIGIT_NINE) return 0;
  if (code >= 0x61 && code <= 0x7a) return 1;
  return code >= LETTER_A && code <= 0x5a ? 2 : undefined;
}

/** Far enough to see the beginning of an address. */
const LOOK_BACK_CHARACTERS = 200;

function isInUrl(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOK_BACK_CHARACTERS), at);
  const address = before.lastIndexOf('://');
  return address >= 0 && !/\s/u.test(before.slice(address));
}

/** An IBAN, perhaps with words in capitals behind it. */
const ACCOUNT = /(?<![\w+/=-])[A-Z]{2}\d\d(?: ?[A-Z\d]){11,38}/gu;

/** Returns the longest beginning of a part of a text that is an IBAN with the right check digits. */
function accountIn(text: string, { start, end }: Span): Span[] {
  let found: Span[] = [];
  let length = 0;
  // Remainders modulo 97 of the first four characters, which the check puts last, and of those behind them.
  let head = 0;
  let tail = 0;
  for (let at = start; at < end && length < MAX_ACCOUNT; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE) continue;
    length += 1;
    if (length <= 4) head = withCheckValue(head, code);
    else tail = withCheckValue(tail, code);
    if (length < MIN_ACCOUNT || (tail * COUNTRY_AND_CHECK + head) % 97 !== 1) continue;
    if (!/[A-Z\d]/u.test(text[at + 1] ?? '')) found = [{ start, end: at + 1 }];
  }
  return found;
}

const MIN_ACCOUNT = 15;
const MAX_ACCOUNT = 34;
const SPACE = 0x20;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const LETTER_A = 0x41;
/** Two letters of two digits each and two check digits are appended to the number. */
const COUNTRY_AND_CHECK = 1e6 % 97;

/** Appends a digit, or the two digits of a letter, to a number. Takes and returns the remainder modulo 97. */
function withCheckValue(rest: number, code: number): number {
  return (code <= DIGIT_NINE ? rest * 10 + code - DIGIT_ZERO : rest * 100 + code - LETTER_A + 10) % 97;
}

/** Figures, alone or in groups with a space or hyphen between them. */
const FIGURES_RUN = /(?<![\w+.=/])\d{3,19}(?!\w|[.,]\d)(?:[ -]\d{3,19}(?!\w|[.,]\d))*/gu;
/** First digits and lengths of the numbers that card issuers give out. */
const CARD =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7]|35|6\d)\d{14}|3[47]\d{13}|3[068]\d{12}|6\d{16,18})$/u;
const MIN_CARD = 13;
const MAX_CARD = 19;

/** Returns the numbers of payment cards, written in one or in groups with a space or hyphen between them. */
function cardsIn(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(FIGURES_RUN)) {
    if (run.length < MIN_CARD) continue;
    const lengths = run.split(/[ -]/u).map((group) => group.length);
    const digits = run.replaceAll(/[ -]/gu, '');
    let at = 0;
    for (const [first, length] of lengths.entries()) {
      for (
        let end = at + length, last = first;
        end - at <= MAX_CARD;
        last += 1, end += lengths[last] ?? Infinity
      ) {
        if (end - at < MIN_CARD || !isLuhn(digits, at, end) || !CARD.test(digits.slice(at, end))) continue;
        spans.push({ start: index + at + first, end: index + end + last });
        break;
      }
      at += length;
    }
  }
  return spans;
}

function isLuhn(digits: string, start: number, end: number): boolean {
  let sum = 0;
  for (let at = start; at < end; at += 1) {
    const value = digits.charCodeAt(at) - DIGIT_ZERO;
    const doubled = value * (1 + ((end - 1 - at) % 2));
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
