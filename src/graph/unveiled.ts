/** Whether a text may hide words from a comparison: it has an escape, a plus sign, a control or a character beyond ASCII. */
const MAY_HIDE = /[%&\\+\p{Cc}\u{80}-\u{10FFFF}]/u;
/** Controls, and what lengthens an Arabic word without being a letter. Those that separate words become spaces. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u0640\ufff9-\ufffb]/gu;
const SEPARATES = /[\s\u0085]/u;
/** Letters with a stroke, which Unicode does not decompose. */
const STROKED: Readonly<Record<string, string>> = {
  ...{ ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
};
/** A text can be encoded more than once: `%2526`. */
const MAX_ENCODINGS = 3;

/**
 * Returns a text as a person reads it, for finding words in it: without hidden characters such as zero-width spaces and
 * soft hyphens, with decoded HTML entities, URL encodings and escapes of JSON and JavaScript, and without the accents of
 * scripts that are also written without them.
 */
export function unveiled(text: string): string {
  if (!MAY_HIDE.test(text)) return text;
  let shown = text;
  for (let round = 0; round < MAX_ENCODINGS; round++) {
    const before = shown;
    shown = withoutEntities(withoutEscapes(withoutPercents(shown)));
    if (shown === before) break;
  }
  return shown
    .replaceAll(/(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])/gu, ' ') // a space in the query of a URL
    .replaceAll(UNSEEN, (each) => (SEPARATES.test(each) ? each : ''))
    .normalize('NFKD')
    .replaceAll(
      /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu,
      '',
    )
    .replaceAll(/[øØłŁđĐħĦŧŦ]/gu, (letter) => STROKED[letter] ?? letter)
    .normalize('NFC');
}

function withoutPercents(text: string): string {
  if (!text.includes('%')) return text;
  return text
    .replaceAll(/%u([\da-f]{4})/giu, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/(?:%[\da-f]{2})+/giu, (encoded) => {
      try {
        return decodeURIComponent(encoded);
      } catch {
        return encoded; // not UTF-8
      }
    });
}

/** `\u005a`, `\u{5a}`, `\x5a` */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2}))/giu,
    (whole, four?: string, braced?: string, two?: string) =>
      character(four ?? braced ?? two ?? '', 16, whole),
  );
}

/** Letters with an accent are named after the letter: `&eacute;`, `&ouml;`, `&Lstrok;`. */
const ACCENTED =
  /^([A-Za-z])(?:acute|breve|caron|cedil|circ|dot|grave|macr|ogon|ring|slash|strok|tilde|uml)$/u;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ shy: '', zwj: '', zwnj: '', wbr: '', lrm: '', rlm: '', ZeroWidthSpace: '', NoBreak: '' },
  ...{
    szlig: 'ß',
    aelig: 'æ',
    AElig: 'Æ',
    oelig: 'œ',
    OElig: 'Œ',
    eth: 'ð',
    ETH: 'Ð',
    thorn: 'þ',
    THORN: 'Þ',
  },
  ...{ rsquo: "'", lsquo: "'", hyphen: '-', dash: '-', period: '.', commat: '@', lowbar: '_', plus: '+' },
};

function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,20}));/giu,
    (whole, decimal?: string, hexadecimal?: string, name = '') => {
      if (decimal !== undefined) return character(decimal, 10, whole);
      if (hexadecimal !== undefined) return character(hexadecimal, 16, whole);
      const called = String(name);
      if (Object.hasOwn(NAMED_ENTITIES, called)) return NAMED_ENTITIES[called] ?? whole;
      return ACCENTED.exec(called)?.[1] ?? whole;
    },
  );
}

function character(digits: string, radix: number, otherwise: string): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : otherwise;
}
