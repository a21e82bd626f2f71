import { sentencesIn } from '../sentences.ts';
import type { Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';

/**
 * Returns what is only supposed: from the words that open a game, a story or a hypothesis to the end of the paragraph,
 * or of the sentence if it is a condition. "As myself" and "my real background" are no game.
 */
export function supposedSpans(text: string, paragraphs: readonly Span[]): Span[] {
  return paragraphs.flatMap((paragraph): Span[] => {
    const said = text.slice(paragraph.start, paragraph.end);
    const opening = OPENING.exec(said);
    if (!opening || AS_MYSELF.test(said)) return [];
    const from = opening.index + (opening.groups?.['before'] ?? '').length;
    const isGame = GAME.test(said.slice(from));
    const start = paragraph.start + from;
    const end = isGame ? text.length : paragraph.start + endOfHypothesis(said, from);
    const truth = IN_TRUTH.exec(text.slice(start, end));
    if (!truth) return [{ start, end }];
    const at = start + truth.index;
    return [
      { start, end: at },
      { start: at + truth[0].length, end },
    ];
  });
}

/** A condition ends with its sentence, and a hypothesis with the question that it is for. */
function endOfHypothesis(said: string, from: number): number {
  const end = (CONDITION.test(said.slice(from)) ? /[.!?…](?=\s)/u : /\?(?=\s)/u).exec(said.slice(from));
  return end ? from + end.index + 1 : said.length;
}

const CONDITION = /^\W*(?:if|wenn|si|se)\b/iu;
const IN_TRUTH = /\((?:in (?:truth|reality|real life)|irl|actually|really|for real|truth is)\b[^()]*\)/iu;

const OPENING = regex(
  String.raw`(?<before>^|[.!?:;,]\s{1,3}|\b(?:but|so|and|ok|okay|now|please|pls|hey|hi)\s{1,3})(?:pretend\b|imagine\b(?! my)|suppose\b|supposing\b|assum(?:e|ing)\b|say (?:i|we|my|that i)\b
    let'?s (?:say|pretend|play|suppose|assume|imagine|role-?play)\b|let us (?:say|pretend|play|suppose|assume|imagine)\b
    act (?:as|like)\b|role-?play\b|you(?:'re| are) (?:an?|the|now|my)\b(?! (?:right|great|star|best|only|first|last))|what if (?:i|we|my)\b|picture (?:this|it|that|yourself)\b|(?:speaking |writing |talking |still |now |back )in[- ]character\s{0,3}[:,–—]|\(?in[- ]character\s{0,3}[:–—)]|just for (?:the sake of )?(?:argument|fun)\b|for the sake of argument\b
    (?:story |writing )?(?:prompt|premise|scenario|plot|joke|riddle|example|sample|beispiel|exemple|ejemplo|exemplo)\s{0,3}:
    \*\p{Ll}+s\b[^*\n]{0,80}\*
    for this (?:exercise|game|scene|example)\b|hypothetical(?:ly)?\b|in this (?:story|scenario|game|scene|world)\b
    if (?:i|we) (?:were|was|had|owned|lived|worked|moved|won)\b|wenn ich .{0,40}(?:wäre|hätte)\b|si yo (?:fuera|tuviera)\b|se eu (?:fosse|tivesse)\b|se (?:io )?fossi\b|si j'étais\b
    (?:vamos|let'?s|lass uns|on va|jouons|giochiamo|juguemos)\b[^.?!]{0,12}\b(?:jogar|game|spielen|jouer|jugar)\b|(?:tu és|du bist|tu es|eres|sei) (?:o|a|um|uma|der|die|ein|eine|le|la|un|une|el|il)\b|my turn\b
    stell dir vor\b|angenommen\b|nehmen wir an\b|tu so\b|imagina\b|supongamos\b|finge\b|imaginons\b|supposons\b|fais comme si\b|suponha\b|imagine que\b)`,
  'iu',
);
const GAME =
  /\b(?:jogar|spielen|jouer|jugar|giochiamo|tu és|du bist|tu es|eres|my turn|pretend|play|act (?:as|like)|role-?play|you are|game|scene|story|exercise|in[- ]character)\b/iu;
const AS_MYSELF = /\b(?:as myself|as me\b|my real|my own life|all (?:of (?:it|this) )?(?:is )?true)\b/iu;

/**
 * Returns the sentences that are marked as irony: "yeah right, …", a feigned "sure, …" that ends with rolling eyes, "/s".
 * "Sure, I live there" alone is an answer, and rolling eyes alone are annoyance at what is true.
 */
export function ironicSpans(text: string): Span[] {
  return sentencesIn(text, 'whole').filter(({ start, end }) => {
    const sentence = text.slice(start, end);
    const isRolling = ROLLING_EYES.test(sentence) || /^\s*(?:🙄|🙃)/u.test(text.slice(end, end + NEAR));
    return IRONIC.test(sentence) || (isRolling && FEIGNED.test(sentence));
  });
}

const NEAR = 10;
const FEIGNED =
  /^\s*(?:(?:oh|yeah|yes|yep|ach|ah|ja|na|sí|oui|mais),? (?:sure|of course|totally|absolutely|klar|natürlich|claro|seguro|bien sûr)|sure|totally|klar|claro|seguro)[,!…]?\s/iu;
const ROLLING_EYES = /(?:🙄|🙃|\bas if)[\s.!?…)\p{Extended_Pictographic}]{0,20}$/u;
const IRONIC =
  /^\s*(?:oh,? )?yeah,? right\s?[,.!…:;-](?!\s*(?:you|that|i (?:forgot|see|mean)))|\s\/s[\s.!?…]{0,20}$/iu;
