import { answerWishIn } from '../../language/acts/answer-wishes.ts';
import type { Clause } from '../../language/clauses.ts';
import { fold } from '../../language/fold.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';

/**
 * Whether the form of a clause alone says that it is worth keeping: how all answers are to be, what the user must not eat
 * or cannot do. They matter for questions that do not mention them. False for what is only wished of the answer to a
 * request beside it; undefined if the form says neither.
 */
export function isCertain(clauses: readonly Clause[], position: number): boolean | undefined {
  const clause = clauses[position];
  if (!clause) return undefined;
  const folded = fold(clause.text).replaceAll('’', "'");
  const wish = answerWishIn(folded);
  if (wish === 'told') return true;
  if (wish === undefined)
    return !clause.isAsked && (CONSTRAINT.test(folded) || ELSEWHERE.test(folded)) ? true : undefined;
  if (wish === 'asked') return clauses.every((each) => each === clause || !isRequest(each));
  return clauses.length === 1 || answerWishIn(fold(clauses[position - 1]?.text ?? '')) === 'told';
}

function isRequest({ text, isAsked }: Clause): boolean {
  const folded = fold(text);
  if (answerWishIn(folded) !== undefined) return false;
  return isAsked || hasWord(folded, 'request') || hasWord(folded, 'material');
}

/** Words that say when or how much, not what. */
const NO_THING = String.raw`(?:it|this|that|these|those|them|him|her|you|much|enough|any|anything|now|today|tonight|tomorrow|yet|too|so|as|well|right|at|before|after|in|on|with|when|while|until|for|to|up|the|my|your|his|a|an|lunch|dinner|breakfast|here|there)`;
const THING = String.raw`(?!${NO_THING}\b)[\p{L}-]+(?: (?!${NO_THING}\b)[\p{L}-]+)?(?:,? (?:or|and|nor) (?!${NO_THING}\b)[\p{L}-]+)?`;

const CONSTRAINT = regex(
  String.raw`^(?:(?:and|but|also|so|well|btw|by the way|fyi|just so you know|remember)[, ]+)*(?:i|we)(?:(?: also| really| just| still| unfortunately)? (?:don'?t|do not|never|can'?t|cannot|mustn'?t|must not|am not allowed to) (?:ever )?(?:eat|drink|digest|tolerate) (?:any )?${THING}
    (?: also| really| just)? (?:can'?t|cannot|never learned (?:how )?to) (?:swim|drive|ride a bike)
    (?: really| just)? (?:don'?t|do not|never) (?:smoke|drink|drive)
    (?: really| just)? (?:can'?t|cannot) stand ${THING}
    (?: also)? react (?:very |really )?badly to ${THING}
    (?:'?m| am)(?: also)?(?: an?)? (?:(?:strict|strictly|mostly) )?(?:{vegetarian}|teetotal|co?eliac|(?:lactose|gluten|fructose)[- ]intolerant|diabetic|epileptic))(?: at all| btw| by the way| either| though)?\s*[.!]*$`,
  'u',
);

const FOOD =
  'carnes?|pescado|mariscos?|cerdo|huevos?|gluten|lactosa|leche|lacteos|azucar|alcohol|picante|frutos secos|carne|peixe|porco|ovos?|leite|acucar|pesce|maiale|uova|latte|latticini|zucchero|alcool|alcol|glutine|lattosio';
/** The same at the beginning of a clause in Spanish, Portuguese and Italian, and in Dutch, Chinese and Japanese. */
const ELSEWHERE = regex(
  String.raw`^(?:(?:y|pero|e|ma|mas|ademas|tambien|yo|io|eu|que)[, ]+)*(?:no|nao|non) (?:(?:como|bebo|mangio|bevo|tolero|soporto|suporto|sopporto|puedo (?:comer|beber|ni ver)|posso (?:comer|beber|mangiare|bere))(?! (?:a|hoy|ahora|nada(?! de)|mucho|tanto|bien|en|esto|eso|mas|que|hasta|oggi|ora|molto|niente|hoje|agora|muito|isso|piu)\b)\b|(?:tomo|puedo tomar|posso tomar) (?:nada de )?(?:${FOOD})\b|(?:fumo|conduzco|manejo|dirijo|guido|(?:se|puedo|sei|posso|so) (?:nadar|conducir|manejar|dirigir|guidare|nuotare))\b)
    ^(?:(?:y|e|pero|ma|mas|ademas|tambien|yo|io|eu|que)[, ]+)*(?:soy|sou|sono) (?:muy |muito |molto )?(?:vegan[oa]|vegetarian[oa]|celia[cq][oa]|celiac[oa]|diabetic[oa]|alergic[oa]|allergic[oa]|intolerante|abstemi[oa])\b
    ^(?:tengo|tenho|ho) (?:(?:una?|uma|un') ?)?(?:alergia|allergia|intolerancia|intolleranza)\b
    ^ik (?:ben (?:erg )?(?:allergisch|veganist|vegetarier|vegetarisch|diabeet)|(?:eet|drink|lust|verdraag) (?:geen|nooit)|(?:eet|drink|lust|verdraag) .{1,30} niet\b|heb (?:een .{1,20})?(?:allergie|coeliakie|diabetes)\b)
    ^我?(?:[对對].{1,10}[过過]敏|(?:从来|從來|一直)?不(?:太|怎么|怎麼)?(?:能|会|會)?[吃喝沾碰](?![了饭飯])|吃素|是素食|不会(?:开车|游泳)|不會(?:開車|游泳)|[戒忌][了酒口])
    アレルギー(?:が(?:ある|あり)|です|なので|持ち)|(?:食べ|飲)(?:られな|ませ?な?ん|めな)い?|^.{1,10}[がは](?:食べ|飲め)?(?:苦手|だめ|ダメ)|ベジタリアン|ヴィーガン|ビーガン`,
  'u',
);
