import { sentencesIn } from '../sentences.ts';
import type { Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';
import { endOfText } from './requests.ts';

/**
 * Returns the notes and letters without headers that a sentence presents: "this was in our mailbox", "she left this note".
 * They stand behind its colon, in the lines below it, or behind a salutation. A note that is only told of has no text.
 */
export function presentedLetters(text: string, paragraphs: readonly Span[]): Span[] {
  return sentencesIn(text, 'whole').flatMap(({ start: from, end: to }): Span[] => {
    const sentence = text.slice(from, to);
    const match = PRESENTS.exec(sentence);
    if (!match || SENT_MYSELF.test(sentence)) return [];
    const behind = sentence.slice(match.index + match[0].length);
    const colon = COLON.exec(behind);
    const at = colon
      ? from + match.index + match[0].length + colon[0].length
      : letterBelow(text, to, POINTS.test(match[0]));
    if (at === undefined) return [];
    const start = text.length - text.slice(at).trimStart().length;
    return start >= text.length ? [] : [{ start, end: endOfText(text, start, paragraphs) }];
  });
}

/** @param isShown whether the sentence points at a text: what stands in the lines below it is that text */
function letterBelow(text: string, to: number, isShown: boolean): number | undefined {
  const rest = text.slice(to);
  const line = text.slice(to - 1, to) === '\n' ? to - 1 : text.indexOf('\n', to);
  if (isShown && line >= 0) return line + 1;
  const salutation = SALUTATION.exec(rest);
  return salutation ? to + salutation.index : undefined;
}

const COLON = /^[^:：\n]{0,60}[:：](?=\s|$)/u;
/** A letter begins with one, on its own line or behind a sentence. */
const SALUTATION =
  /(?:^|(?<=[\n.!?]\s?))\s{0,3}(?:dear|hello|hi|hey|to whom|lieber?|sehr geehrte[rs]?|guten tag|hallo|querid[ao]s?|estimad[ao]s?|hola|chère?s?|bonjour|prezad[ao]s?|olá)\b[^.?!:\n]{1,40}[,!\n]/iu;

const NOTE = String.raw`(?:note|letter|card|postcard|slip|sticker|sign|flyer|leaflet|message|mot|lettre|carte|zettel|brief|karte|nachricht|nota|carta|tarjeta|mensaje)`;
const PLACE = String.raw`(?:mailbox|letter ?box|mail|post|inbox|spam|dms?|door|doorstep|doormat|windshield|windscreen|fridge|desk|locker|(?:notice|pin|bulletin) ?board|stairwell|hallway|briefkasten|post|tür|treppenhaus|kühlschrank|schreibtisch|buzón|puerta|mesa|boîte aux lettres|porte|bureau)`;
const PRESENTS = regex(
  String.raw`(?<![\p{L}])(?:this|that|these|dieser?|dieses|das|esto|ceci|ça)\s(?:\p{L}+\s){0,3}?(?:was|were|is|came|arrived|lag|hing|steckte|war|kam|estaba|était)\s(?:\p{L}+\s)?(?:in|on|under|at|from|through|by|im|am|an|unter|en|bajo|dans|sur|sous)\s(?:\p{L}+\s){0,2}?${PLACE}(?![\p{L}])
    \b(?:left|wrote|slipped|stuck|put|pinned|taped|handed|sent|gave|laissé|écrit|envoyé|glissé|collé|dejó|escribió|mandó|pegó)\s(?:(?:me|us|up|nous)\s)?(?:this|that|these|an?|ce|cet|cette|une?|est[ae])\s(?:\p{L}+\s){0,2}?${NOTE}(?![\p{L}])
    \b(?:found|got|received|trouvé|reçu|encontré|recibí)\s(?:this|ce|cet|cette|est[ae])\s(?:\p{L}+\s){0,2}?${NOTE}(?![\p{L}])
    \b(?:hat|habe|haben)\s(?:\p{L}+\s){0,3}?(?:diesen?|einen?)\s(?:\p{L}+\s){0,2}?${NOTE}\s[^.?!:\n]{0,40}?(?:hinterlassen|geschrieben|geklebt|gehängt|gelegt|geschickt|gegeben|bekommen|gefunden)(?![\p{L}])
    \b(?:diesen?|folgenden?)\s(?:\p{L}+\s){0,2}?${NOTE}\s(?:hat|haben|hatte|hing|lag|klebte|steckte)\b`,
  'iu',
);
const POINTS = /(?<![\p{L}])(?:this|that|these|dies\p{L}*|das|est[aeo]|ceci|ça|cet?|cette)(?![\p{L}])/iu;
/** What the user has left for others is theirs. */
const SENT_MYSELF =
  /(?<![\p{L}'])(?:i|we|ich|wir|j'ai|nous avons)(?:\s(?:have|had|just|then|also|already|hab|habe|haben))?\s(?:left|wrote|slipped|stuck|put|pinned|taped|handed|sent|gave|laissé|écrit|diesen?|einen?|meine\p{L}*)/iu;
