import { behindOpening, foldQuestion, takeOutFrame } from './take-out-frame.ts';

/** Features of a question's words that show whether it asks for something the user once said; each is from 0 to 1. */
export interface QuestionFeatures {
  /** First person outside of frames; ½ if it occurs in the opening clause only, which may be a frame as well. */
  readonly isPersonal: number;
  /** "My", "our". */
  readonly isOwned: number;
  /** Asks for general knowledge: an amount, a definition, a translation, code. */
  readonly isGeneral: number;
  /** Asks to write, calculate, convert or explain something. */
  readonly isTask: number;
  /** Asks when, or names a time of the user's life: now, next week, a weekday. */
  readonly isTimed: number;
  /** Asks for advice: should, recommend, pack, cook, a gift. */
  readonly asksAdvice: number;
  /** Asks who somebody is. */
  readonly asksWho: number;
  /** Names something that both sides know: "the trail", "the staff meeting", but not "the capital of". */
  readonly isDefinite: number;
  /** Up to four words. */
  readonly isShort: number;
  /** More than thirty words: mostly a task with its text. */
  readonly isLong: number;
  /** Code, formulas, quotations. */
  readonly isTechnical: number;
}

/**
 * Returns the features of a question in English, German, Spanish, French, Portuguese, Chinese or Japanese. They are 0
 * for other languages.
 */
export function questionFeatures(question: string): QuestionFeatures {
  const text = takeOutFrame(foldQuestion(question.slice(0, MAX_CHARACTERS)));
  const words = text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;
  const unspaced = (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) / 2;
  return {
    isPersonal: part(PERSONAL, text) || part(OWNED, text),
    isOwned: part(OWNED, text),
    isGeneral: Number(GENERAL.test(text)),
    isTask: Number(TASK.test(text)),
    isTimed: Number(TIMED.test(text)),
    asksAdvice: Number(ADVICE.test(text)),
    asksWho: Number(WHO.test(text)),
    isDefinite: Number(DEFINITE.test(text) && !GENERAL.test(text)),
    isShort: Number(words + unspaced <= 4),
    isLong: Number(words + unspaced > 30),
    isTechnical: Number(TECHNICAL.test(text)),
  };
}

/** Whether the text is in the first person. */
export function isPersonal(text: string): boolean {
  const folded = foldQuestion(text);
  return PERSONAL.test(folded) || OWNED.test(folded);
}

function part(pattern: RegExp, text: string): number {
  if (!pattern.test(text)) return 0;
  return pattern.test(behindOpening(text)) ? 1 : OPENING_ALONE;
}

const OPENING_ALONE = 0.5;
/** The question is in the first characters of a message; the rest is a text to work on. */
const MAX_CHARACTERS = 2000;

const PERSONAL =
  /\b(?:i|i'm|im|i've|ive|i'd|i'll|me|we|we're|we've|we'll|us|ich|mir|mich|wir|uns|yo|nos|nosotros|nosotras|soy|tengo|puedo|debo|vivo|trabajo|voy|je|nous|moi|eu|tenho|posso|devo)\b|\bj'|(?<!\p{L})me(?= \p{L})|我|私|僕|俺/u;
const OWNED =
  /\b(?:my|mine|our|ours|myself|mein(?:e[mnrs]?)?|unser\w*|mis?|nuestr[ao]s?|mon|ma|mes|notre|nos|meus?|minhas?|noss[ao]s?)\b|我的|我们|私の|僕の|うちの/u;
const TIMED =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|this (?:week|month|year|weekend|morning|evening|summer|winter|spring|fall|autumn|time)|ago|weekends?|recently|since|now|still|these days|currently|at the moment|anymore|again|already|yet|monday|tuesday|wednesday|thursday|friday|saturday|sunday|birthday|morgen|heute|gestern|jetzt|noch|manana|hoy|ayer|ahora|todavia|demain|aujourd'hui|hier|maintenant|encore|amanha|hoje|ontem|agora|ainda)\b|^\W*(?:when|when's|which (?:day|date|month|weekday|year|evening|morning)|on which|what (?:day|date|month|time)|wann|quand|cuando|quando|que dia|quel jour)\b|什么时候|现在|明天|今天|几点|周末|星期|いつ|今日|明日|今週|何時/u;
const ADVICE =
  /\b(?:should|could|recommend\w*|suggest\w*|ideas?|advice|tips?|gifts?|presents?|bring|cook|order|pack|wear|plan|planning|book|buy|get for|good for|ok for|okay for|safe for|is it (?:ok|okay|fine|safe|wise)|worth|soll\w*|empfiehl\w*|empfehl\w*|vorschlag\w*|idee\w*|schenk\w*|koch\w*|recomiend\w*|recomend\w*|suger\w*|regal\w*|cocin\w*|consej\w*|conseil\w*|recommand\w*|cadeau\w*|cuisin\w*|presente|cozinh\w*)\b|推荐|建议|送什么|おすすめ|提案/u;
const GENERAL =
  /\bhow (?:many|much|far|tall|long|fast|hot|high|old|deep|big|often|large|heavy|wide)\b(?!.*\b(?:do|does|did|have|has|am|are|were|should) (?:i|we)\b)|combien|\bcuant[ao]s?\b|\bwie (?:viele?|hoch|lang|weit|schwer|gross|alt)\b|\bquant[ao]s\b|多少|多高|多远|どのくらい|\b(?:difference between|meaning|means?|synonyms?|capital|currency|population|formula|derivative|integral|equation|plural|tense|conjugat\w+|word for|symbol|etymolog\w+|theorem|invent\w*|wrote|author of|painted|composed|discovered|boil\w*|melting|freez\w*|square root|cube root|average|definition|stands? for|percent\w*|hauptstadt|wurzel|quadratwurzel|bedeutet|erfunden|volumen|raiz|derivada|integral|significa|invento|escribio|derivee|racine|signifie|ecrit|invente|wahrung|moneda|monnaie|moeda|escreveu)\b|首都|定理|公式|平方根|是什么意思|とは|意味|高さ/u;
const TASK =
  /^\W*(?:please |pls |plz )?(?:write|explain|translate|convert|solve|prove|give|define|state|calculate|compute|implement|list|summari[sz]e|simplify|derive|fix|debug|rewrite|rephrase|shorten|proofread|correct|compare|describe|create|generate|make|turn|sort|name|schreib\w*|erklar\w*|ubersetz\w*|berechne|escrib\w+|explica\w*|traduc\w+|resum\w+|ecri[st]\w*|explique\w*|tradui\w+|escrev\w+|traduz\w*|翻译|解释|写|計算|訳)|\b(?:regex|translate|in (?:python|javascript|typescript|sql|rust|java|excel|css|html|bash|french|german|spanish|italian|latin|english|japanese|celsius|fahrenheit|km|miles|mm|cm|metres|meters|inches|kg))\b|\b(?:why (?:is|are|do|does|did) (?!(?:i|we|my|our)\b)|how (?:is|are|does|did) (?!(?:i|we|my|our)\b)|how to)\b/u;
const WHO = /\b(?:who|who's|whos|wer|quien|quienes|qui|quem)\b|谁|誰/u;
const DEFINITE =
  /\b(?:the|this|that|these|those|der|die|das|dem|den|el|la|los|las|le|les|his|her|their|he|she|they)\s(?!(?:capital|best|most|difference|meaning|first|largest|biggest|smallest|longest|highest|world|internet|earth|moon|sun|sky|sea|us|uk)\b)\p{L}+/u;
const TECHNICAL = /[{}<>=\\|$^~`_]|\w\(\w*\)|["«“„「]|\d\s?[+*/×÷^]\s?\d|https?:/u;
