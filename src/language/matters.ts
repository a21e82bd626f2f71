import { answerWishIn } from './acts/answer-wishes.ts';
import { fold } from './fold.ts';
import { analyze } from './terms.ts';
import { hasWord, wordPattern, wordsOf, type WordClass } from './words/life-words.ts';
import { regex } from './words/lists.ts';
import { STOP_WORDS } from './words/stop-words.ts';

/**
 * The purpose of a statement. There are few on purpose: the profile reserves a share for `answering-style`, `health`,
 * `diet` and `limit`, and includes one statement of each other kind before a second one.
 *
 * - `answering-style`: how the user wants to be answered or addressed
 * - `name`: name, age, and who the user is
 * - `home`, `work`, `family` (including friends), `pet`, `health`, `diet`
 * - `limit`: what the user cannot, will not or does not do or have ("no car", "can't swim", "afraid of heights")
 * - `plan`: future plans
 * - `other`: none of these
 */
export type StatementKind =
  | 'answering-style'
  | 'name'
  | 'home'
  | 'work'
  | 'family'
  | 'pet'
  | 'health'
  | 'diet'
  | 'limit'
  | 'plan'
  | 'other';

/** Returns the kinds of a statement, in the order of {@link StatementKind}; at least one. */
export function statementKinds(text: string): StatementKind[] {
  const folded = fold(text);
  const has = (wordClass: WordClass): boolean => hasWord(folded, wordClass);
  const kinds: StatementKind[] = [];
  if (isAnsweringStyle(folded)) kinds.push('answering-style');
  if (isName(folded)) kinds.push('name');
  if (HOME.test(folded)) kinds.push('home');
  if (WORK.test(folded)) kinds.push('work');
  if (has('kin') || has('others')) kinds.push('family');
  if (has('pet')) kinds.push('pet');
  // "I work at a hospital" is about work.
  const isOfWork = WORK.test(folded);
  const isOfHealth = (word: string): boolean =>
    !(isOfWork && WORKPLACE.test(word)) && HEALTH_ONLY[word]?.test(folded) !== false;
  if (wordsOf(folded, 'health').some(isOfHealth)) kinds.push('health');
  if (has('diet')) kinds.push('diet');
  if (LIMIT.test(folded)) kinds.push('limit');
  if (has('plan')) kinds.push('plan');
  return kinds.length > 0 ? kinds : ['other'];
}

/**
 * Returns the topic of a statement. A newer statement on a topic is used instead of an older one. The topic is
 * something that a person has one of at a time (`name`, `home`, `work`, `partner`, `diet`), a person (`sister`,
 * `marta`), a pet, or the first content word.
 */
export function statementTopic(text: string): string {
  const folded = fold(text);
  if (PARTNER.test(folded)) return 'partner';
  const [who] = [...wordsOf(folded, 'kin'), ...wordsOf(folded, 'others'), ...wordsOf(folded, 'pet')];
  if (who !== undefined) return who;
  if (isName(folded)) return 'name';
  if (HOME.test(folded)) return 'home';
  if (WORK.test(folded)) return 'work';
  if (DIET.test(folded)) return 'diet';
  if (isAnsweringStyle(folded)) return 'answering-style';
  return [...contentStems(text)][0] ?? '';
}

/** Returns the stems of content words, without those that only express time or change. */
export function contentStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const stem of analyze(text)) {
    if (!STOP_WORDS.has(stem) && !EMPTY_STEMS.has(stem) && MEANS.test(stem)) stems.add(stem);
  }
  return stems;
}

const MIN_PREFIX = 4;

/** Whether two stems are of one word: "limit" and "limiter". */
export function isSameStem(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= MIN_PREFIX && long.length - short.length <= 3 && long.startsWith(short);
}

/** Three letters, a number or, in scripts without spaces, two characters that are not both grammatical. */
const MEANS =
  /^(?:.*\p{N}.*|(?!\p{Script=Hiragana}+$)[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]{2}|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3,})$/u;

const EMPTY_STEMS: ReadonlySet<string> = new Set(
  [
    'get got go went come came make made take took give gave say said tell told know think thought want need like',
    'love hate now new old again still also even really actually just today tomorrow yesterday week month year day',
    'time thing good bad great nice lot bit much many more first last next back since until never always yes yeah',
    'okay please thanks sorry well right ok oh hey hello help ask let put use used one two three four five six seven',
    'eight nine ten people way look feel work start stop move leave left quit end done finally instead dont cant im',
    'something anything everything nothing someone anyone everyone somebody anybody everybody',
    'ive its thats isnt doesnt wont youre hes shes que con por para los las una muy les des est pas dans pour nicht',
    'auch noch mal schon jetzt wieder sehr habe hat haben hatte bin ist sind war tengo tiene tienes tenemos tener',
    'soy eres somos estoy esta hay hago hace voy fui era hoy ahora como pero porque cuando donde tenho tem temos ter sou',
    'estou fiz vou hoje agora mas quando onde avoir suis sont etais etait fais fait vais maintenant mais quand avere ho',
    'hai abbiamo sono sei siamo faccio vado oggi adesso perche quando dove',
  ]
    .flatMap((line) => line.split(' '))
    .flatMap((word) => analyze(word)),
);

/** Words that are about health in some phrases only: "I'm back", "ill do it" and "back in Rome" are not. */
const HEALTH_ONLY: Readonly<Record<string, RegExp>> = {
  // "They have my back" is not about health.
  back: /\b(?:my|your|his|her|our|their) back (?=\w+ed\b)|(?<!\b(?:have|has|had|having|got|getting) )\b(?:my|your|his|her|our|their|bad|lower|upper|sore|stiff) back\b(?! (?:yard|door|garden|home|from|to|in|at|with|on|then)\b)|\bback (?:pains?|aches?|surgery|injur\w+|problems?|trouble|hurts?|brace|spasms?)\b/u,
  hip: /\bhip\b(?![- ]?hop\b)/u,
  ill: /\b(?:am|is|are|'m|'s|'re|was|were|been|feel\w*|fell|gets?|got|getting|very|so|seriously|mentally|terminally|chronically|him|her|me|them|us) ill\b/u,
};
const WORKPLACE = /^(?:hospital|therap)/u;

function isName(folded: string): boolean {
  return ADDRESS.test(folded) || NAME.test(folded);
}

function isAnsweringStyle(folded: string): boolean {
  return isStandingWish(folded) || answerWishIn(folded) !== undefined || ANSWERING_STYLE.test(folded);
}

/** Whether a folded clause asks for something in every answer: a form of address, a format, or what to leave out. */
export function isStandingWish(folded: string): boolean {
  if (ADDRESS.test(folded) || ALWAYS.test(folded)) return true;
  if (!FOR_GOOD.test(folded)) return false;
  const request = ASKS_FOR.exec(folded);
  if (!request || PROMISED.test(folded.slice(0, request.index))) return false;
  const words = folded.slice(0, request.index).match(/[\p{L}\p{N}'-]+/gu)?.length ?? 0;
  return words <= OPENING_WORDS || FOR_GOOD.test(folded.slice(0, request.index));
}

/** What somebody will do is not asked for: "next time I'll keep that in mind". */
const PROMISED = /(?<![\w'])(?:i|we|he|she|they)(?:'ll| will|'m gonna| am going to|'m going to) $/u;
const ANSWERING_STYLE = regex(
  String.raw`\b(?:answers?|repl(?:y|ies)|respond|explain|explanations?|emojis?|exclamation (?:marks?|points?)
    bullet(?:s| points?)?|jargon|metric|imperial|celsius|fahrenheit|tone|pronouns)\b.{0,200}\b(?:me|short\w*
    brief|please|pls|no|not|never|always|only|plain|simple|in|without)\b
    \b(?:no|not?|never|always|only|stop|without|don'?t|less|fewer)\b.{0,24}\b(?:answers?|repl(?:y|ies)
    emojis?|exclamation|bullets?|jargon|lists?|small talk|lectur\w+|apologi\w+|metric|celsius)\b
    \bkeep (?:it|answers|replies|them) (?:short|brief|simple|plain)\b|\bjust (?:give me )?(?:the )?facts\b
    \bantwort\w* (?:bitte )?(?:kurz|auf)\b|请用|敬语|敬語`,
  'u',
);
const NAME =
  /\b(?:my name(?:'s| is)|i'?m called|name'?s|\d+ (?:years|yrs) old|i'?m \d\d\b|im \d\d\b|age \d\d|ich heisse|me llamo|je m'appelle|me chamo)\b|我叫|と申します/u;
const HOME = regex(
  String.raw`\b(?:i|we|i'?m|i've|we've|we're|just|also|now|and|ich|wir)\b.{0,20}\b(?:live|living|lived|moved|moving
    move|rent|renting|wohne\w*|ziehe\w*|umgezogen)\b|\bnach \p{L}+ gezogen\b
    \b(?:live|living|based|moved (?:to|in|from|out)|move to|moving to|hometown
    my (?:flat|apartment|house|place)|vivo|vivimos|me mudo|me mude|j'habite|on habite|nous habitons
    j'ai (?:demenage|emmenage)|abito|abitiamo|mi sono trasferit[oa]|viv(?:ir|ere|er) (?:en|a|in|em|con|com)|me he mudado|nos (?:mudamos|hemos mudado)|moro|moramos|me mudei|ik woon|we wonen|verhuisd)\b|住在|搬[到去进來来]|租了|定居|住んで|暮らし|引っ?越`,
  'u',
);
const WORK = regex(
  String.raw`\b(?:i|i'm|im|ive|i've|my|we|our)\b.{0,24}\b(?:work(?:s|ed|ing)?|jobs?|shifts?|employer|company|business
    boss|clients?|salary|career|retired?|study|studying|studied|degree|thesis|phd|student|apprentice\w*
    hired|promot\w+|quit|freelanc\w+|teach(?:er|ing)?|nurse|engineer|developer|designer|driver|manager)\b
    \b(?:work(?:ing)? (?:at|as|for|in|from)|new job|studying|ich arbeite|ich studiere|trabajo|estudio
    je travaille|j'etudie|trabalho|estudo|lavoro|ik (?:werk|studeer)|laburo|(?:soy|sou|sono) (?:un[ao]? |uma? )?(?:profe\p{L}*|medic[oa]|mecanic[oa]|informatic[oa]|\p{L}+(?:er[oa]|eir[oa]|iere|ist[ae]|[dt]ora?|olog[oa]|ari[oa]|tric[ei]|ante|ente))(?<!\b(?:solter[oa]|intolerante|entera?))
    wir arbeiten|ich unterrichte|j'enseigne|in rente|a la retraite)\b|工作|上班|[辞離离入][职職]|跳槽|(?:是|当|當|做).{0,8}(?:师|師|[员員]|医生|醫生|司机|司機|[护護]士|工人|[学學]生)|是做.{1,12}的|[^\s、。]{1,8}(?:士|師|員)です|で働|仕事|会社員|[退転就]職|バイト`,
  'u',
);
const PARTNER = regex(
  String.raw`\b(?:{partner}|divorc\w+|broke up|verheiratet|corte con|(?:rompi|deja|separa|termina)mos|lo dejamos|(?:mi sono|ci siamo) lasciat[oai]|terminei com|uit elkaar)\b|分手|[离離]婚|別れ|丈夫|老婆|老公|女友|男友|彼女|彼氏`,
  'u',
);
const DIET = regex(
  String.raw`\b(?:{vegetarian}|halal|kosher|gluten\w*|lactose|dairy|meat|fish|alcohol|sober|vegetari\w+|vegan[ao]|laktose\w*|lactosa|lattosio|fleisch|fisch|alkohol|alcool|viande|poisson|pescado)\b|素食|清真|菜食`,
  'u',
);
const LIMIT = regex(
  String.raw`\b(?:no|without|haven'?t got(?: an?)?|don'?t (?:have|own)(?: an?)?|sold (?:my|the)) (?:car|oven|stove
    fridge|freezer|microwave|garden|balcony|license|licence|internet|wifi|tv|phone|smartphone|printer|lift
    elevator|electricity|kids|money|kitchen|bike)\b
    \b(?:i|we|he|she|they)?\s?(?:can'?t|cannot|could never|not allowed to|mustn'?t|must not|don'?t|never
    won'?t)\s(?:really |even |ever )?(?:swim|drive|fly|drink|eat|cook|climb|run|walk|stand|lift|see|hear
    read|smoke|dance|sleep|bend|have|do|use|travel|afford|touch|wear|speak)\b
    \breact(?:s|ed)? (?:\w+ )?badly to\b|\b(?:afraid|scared|terrified|fear|phobia|allergic|allergy|intoleran\w+|hate|hates|can'?t stand|budget
    limited|forbidden|banned|vertigo|wheelchair|deaf|blind|on a budget|colou?r ?blind)\b|\bkein(?:e|en)? \w+
    \b(?:no (?:tengo(?! (?:a|ni|claro|que|nada|idea|ganas|tiempo|prisa)\b)|puedo|como|bebo)|je ne (?:peux|mange|bois|conduis)|nao (?:tenho|posso|como|bebo)|peur
    miedo|medo|angst|paura|allerg(?:isch|ique|ic[oa])|alergic[oa]|vertrage?n? .{0,40}\bnicht|ne supporte pas|no (?:tolero|soporto)|non (?:posso|mangio|bevo|tollero))\b|不太?能|不会|不吃|不喝|[过過]敏|怕|できない|食べ(?:ない|られ)|飲(?:まない|めない)|苦手|アレルギー`,
  'u',
);

/**
 * Phrases that make a request permanent: "always", "from now on", "when I ask". Texts are folded: see `fold`.
 */
const FOR_GOOD =
  wordPattern(String.raw`from now on|going forward|in (?:the )?future|(?:the )?next times?|every time|each time|when(?:ever)? i (?:ask|say|send|write|paste|share|talk|type|want|need|tell|worry|am|'m)\w*
  ab jetzt|ab sofort|von jetzt an|in zukunft|kunftig|jedes mal|wenn ich (?:frage|schreibe|dich)
  de ahora en adelante|a partir de ahora|cada vez|cuando (?:te )?(?:pregunt|escrib|pid)\w+
  a partir de maintenant|desormais|dorenavant|a chaque fois|quand je (?:demande|pose|t)\w*
  de agora em diante|a partir de agora|toda vez|quando eu (?:pergunt|escrev|ped)\w+
  (?:for |in )?(?:anything|everything|whatever) (?:that )?you (?:plan|write|send|suggest|recommend|make|cook|book|draft|give|show)
  (?:bei )?allem,? was du (?:mir |fur mich )?\w+|tout ce que (?:tu|vous) \w+|todo lo que me \w+|tudo o que voce \w+ / 以后|每次|从现在|これから|毎回|今後`);
/** A request at the beginning of a clause or after its first words. */
const ASKS_FOR =
  wordPattern(String.raw`please|pls|plz|(?:could|can|would|will) you|(?:just |only )?(?:answer|reply|respond|explain|write|give me|show|use|keep|tell|spell|format|start|begin|end|skip|avoid|stop|don'?t|do not|never|always|no|be|speak|talk)
  bitte|kannst du|antworte|schreib|erklar|nutze|verwende|zeig
  por favor|puedes|responde|escrib[ei]|explica|usa
  s'il te plait|s'il vous plait|stp|svp|peux-tu|pouvez-vous|reponds|ecri[st]|explique|utilise
  voce pode|pode|responda|escreva|explique|use / 请|ください|て欲しい|てほしい`);
/** Requests that are permanent by their wording. */
const ALWAYS =
  wordPattern(String.raw`(?:please|pls|plz) (?:always|never)|^(?:and |also |but |so )?(?:always|never) (?:answer|reply|respond|explain|write|give me|show|use|keep|tell|say(?! never)|start|begin|end|add|call|ask)|(?:always|never) .*(?:please|pls|plz)$
  (?:please |pls )?stop (?:saying|calling|apologi[sz]ing|asking|adding|ending|starting|telling|giving|writing)
  (?:please|you can|you may|just|always) be (?:direct|blunt|honest|brief|frank|concise|formal|informal|casual|strict|polite)
  (?:don'?t|do not|never) (?:ever )?(?:send|give|show|offer|suggest|recommend|write|quote) (?:me |us )(?!an?\b|the|it|that|this|th[eo][ms]e?|to|yet|how|what|why|when|who|your|off|back|up|down|out|away|any\b.*\b(?:today|now|yet))\w+
  ^(?:(?:writing|house|answer) )?(?:style|tone|format|voice|stil|tonfall|estilo|formato|ton) ?[:=] ?(?:no|never|always|only|kein\w*|nie|nur|immer|sans|jamais|toujours|sin|nunca|siempre|sem|sempre)\b.*
  (?:schick|gib|zeig|empfiehl) mir (?:bitte )?(?:nie|niemals|kein\w*)|ne (?:me|m') ?(?:propos|donn|envo|montr|recommand)\w+ (?:pas|jamais|plus)
  no me (?:mandes|muestres|recomiendes|sugieras|propongas)|nao me (?:mande|mostre|recomende|sugira)
  bitte (?:immer|nie|niemals|nur noch|kein\w* mehr)|siempre .*por favor|por favor siempre|nunca me|toujours .*(?:stp|svp|s'il)|sempre .*por favor|por favor sempre / 请(?:总是|一直|不要再|别再)|いつも.*(?:ください|て)|もう.*ないで`);
/** Phrases for how the user wants to be called. */
const ADDRESS =
  wordPattern(String.raw`(?:call|address) me (?!back|when|if|later|tomorrow|an?|on|at|in|after|before|by phone|out|up)\w+
  nenn mich|sag (?:ruhig |bitte |doch )?(?:du|sie) zu|(?:ruhig|gern|gerne) (?:du|sie) sagen|duz\w* mich|siez\w* mich
  llamame|puedes llamarme|tuteame|appelle[sz]?-moi|(?:tu peux|vous pouvez) m'appeler|tutoie[sz]?-moi|me chame|me chama de|pode me chamar / 叫我|と呼んで`);
/** Maximum number of words before the request; after more it belongs to another clause. */
const OPENING_WORDS = 4;
