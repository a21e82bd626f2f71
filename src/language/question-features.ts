import { fold } from './fold.ts';
import { withOwnPronoun, withVerbPronouns } from './acts/own-pronouns.ts';
import { analyze } from './terms.ts';
import { otherLanguagesOf } from './other-languages.ts';
import { languageOf, withoutFunctionWords } from './text-language.ts';
import { hasWord } from './words/life-words.ts';
import { regex } from './words/lists.ts';
import { STOP_WORDS } from './words/stop-words.ts';

/** Features of a question's words that show whether it asks for something the user once said; each is from 0 to 1. */
export interface QuestionFeatures {
  /**
   * First person outside of frames, or what the assistant once said; ½ if the first person occurs in the opening clause
   * only, which may be a frame as well.
   */
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
  /** Speaks of somebody whom only the user can mean: "mum", "the kids", "how tall is she". */
  readonly isOfKin: number;
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
 * Returns the features of a question in English, German, Spanish, French, Portuguese, Italian, Dutch, Chinese or Japanese.
 * They are 0 for other languages.
 */
export function questionFeatures(question: string): QuestionFeatures {
  return featuresOf(askedIn(question));
}

/** Returns the beginning of a question in lower case, without marks on Latin letters and without its frame. */
export function askedIn(question: string): string {
  return withoutMaterial(takeOutFrame(foldQuestion(question.slice(0, MAX_CHARACTERS))));
}

/**
 * Returns a folded request without the text to work on behind its colon, which is not about the user: "把这句话改正式：我明天
 * 不来了". English, German and French requests are returned whole.
 */
function withoutMaterial(folded: string): string {
  const head = folded.slice(0, Math.max(0, folded.search(COLON)));
  if (!hasWord(head, 'material') || PERSONAL.test(head) || OWNED.test(head)) return folded;
  const languages = otherLanguagesOf(folded).filter((language) => language !== 'de');
  return UNSPACED.test(head) || (languages.length > 0 && !languages.includes('fr')) ? head : folded;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Folding makes a Chinese colon, which no space follows, a Latin one. */
const COLON = /:(?!\/|\p{N})/u;

/** @param text what {@link askedIn} returns */
export function featuresOf(text: string): QuestionFeatures {
  const words = text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;
  const unspaced = (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) / 2;
  const asksBack = ASKS_BACK.test(text);
  return {
    isPersonal: asksBack ? 1 : part(PERSONAL, text.replaceAll(FOR_WHOM, ' ')) || part(OWNED, text),
    isOwned: part(OWNED, text),
    isGeneral: Number(!asksBack && GENERAL.test(text)),
    isTask: Number(TASK.test(text)),
    isTimed: Number(TIMED.test(text)),
    asksAdvice: Number(ADVICE.test(text)),
    asksWho: Number(WHO.test(text)),
    isOfKin: Number(OF_KIN.test(text)),
    isDefinite: Number(namesDefinite(text) && !GENERAL.test(text)),
    isShort: Number(words + unspaced <= 4),
    isLong: Number(words + unspaced > 30),
    isTechnical: Number(TECHNICAL.test(text)),
  };
}

/** Whether the text is in the first person. */
export function isPersonal(text: string): boolean {
  const folded = foldQuestion(withOwnPronoun(text));
  return PERSONAL.test(folded) || OWNED.test(folded);
}

/** Whether a folded question names something that both sides know: "the trail". */
export function namesDefinite(folded: string): boolean {
  return DEFINITE.test(folded);
}

/** Returns the distinct terms of what is asked that are looked up in memory. @param asked see {@link askedIn} */
export function termsOf(asked: string): ReadonlySet<string> {
  const terms = withoutFunctionWords(analyze(withoutUnspacedGrammar(asked)));
  return new Set(terms.filter((term) => !STOP_WORDS.has(term) && !UNSPACED_CHARACTER.test(term)));
}

/**
 * Returns a text without the grammar of Chinese and Japanese, which would make pairs with the characters of the words around
 * it: question words, the commonest particles, and kana where other characters carry the meaning.
 */
function withoutUnspacedGrammar(text: string): string {
  const words = text.replaceAll(UNSPACED_GRAMMAR, ' ');
  return MEANINGFUL.test(words) ? words.replaceAll(/\p{Script=Hiragana}+/gu, ' ') : words;
}

const UNSPACED_GRAMMAR =
  /什[么麼][时時]候|[为為]什[么麼]|是不是|有[没沒]有|什[么麼]|是[谁誰]|哪[里裡儿兒个個些]|怎[么麼]?[样樣]?|多[少久大]|[几幾][点點岁歲]|[请請][问問]|[谁吗嗎呢吧的了是我你您]|何曜日|何時|何歳|[何誰]/gu;
const MEANINGFUL = /[\p{Script=Han}\p{Script=Katakana}ー]{2}/u;

/** A single character of a script without spaces occurs in too many words to be evidence. */
const UNSPACED_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;

function part(pattern: RegExp, text: string): number {
  if (!pattern.test(text)) return 0;
  return pattern.test(behindOpening(text)) ? 1 : OPENING_ALONE;
}

const OPENING_ALONE = 0.5;
/** The question is in the first characters of a message; the rest is a text to work on. */
const MAX_CHARACTERS = 2000;

const PERSONAL = regex(
  String.raw`\b(?:i|i'm|im|i've|ive|i'd|i'll|me|we|we're|we've|we'll|us|ich|mir|mich|wir|uns|yo|nos|nosotros|nosotras
    je|nous|moi|eu|io|noi|dovrei|ik|wij|mij|ons|a gente|deberia(?:mos)?|deveria|{iVerb})\b|\bj'|(?<!\p{L})me(?= \p{L})|\b(?:recomiend|sugier|aconsej|prepar|organi[cz]|propon|consiglia|sugger)\p{L}{0,5}(?:me|nos|mi|ci)\b
    我|咱|私|僕|俺|っけ|[しきりべめえ]たい(?!へん|てい)`,
  'u',
);
/** For whom something is explained, which says nothing of them: "explain gravity to me". */
const FOR_WHOM = regex(
  String.raw`\b(?:explain|define|describe|translate|summari[sz]e|calculate|convert|solve|prove)\b.{0,80}? (?:to|for) (?:me|us)\b
    \b(?:erklar|beschreib|ubersetz|definier|berechn)\p{L}* (?:mir|uns)\b|\b(?:explique|tradui[st]|decri[st]|resume|definis)(?:e?z)?-(?:moi|nous)\b
    \b(?:explica|traduce|describe|resume|define|calcula)(?:me|nos)\b|\b(?:spiega|traduci|descrivi|riassumi|calcola)(?:mi|ci)\b|\b(?:me|nos) (?:explica|explique|traduz|traduza|descreve)\b`,
  'gu',
);
const OWNED = regex(String.raw`\b(?:{my}|myself)\b|我的|我[们們]|我家|家[里裡]|私の|僕の|うちの`, 'u');
/** Asks for what the assistant once said: "what did you recommend", "that comparison of yours". */
const ASKS_BACK = regex(
  String.raw`(?<!\b(?:if|when) )\bdid you (?:say|tell|suggest|recommend|list|give|mention|write|advise|name|propose|describe|explain|quote|draft
    plan|call)\b|(?<!\b(?:if|unless|when|whether|imagine|suppose|wish|say) )\byou (?:just |once |already )?(?:said|told|suggested
    recommended|mentioned|listed|advised|proposed)\b|\bof yours\b|\byour (?:earlier|last|previous) (?:advice|answer|suggestions?
    recommendations?|list|recipe|plan|draft|table|summary|explanation|comparison)\b
    \b(?:hast|hattest) du\b.{0,120}\b(?:gesagt|empfohlen|vorgeschlagen|erwahnt|genannt|geschrieben|erklart|geraten)\b
    \b(?:dijiste|recomendaste|sugeriste|mencionaste|aconsejaste|explicaste|propusiste|diste|escribiste)\b
    \b(?:tu m'as|tu as|tu avais|vous avez|vous m'avez|as-tu|avez-vous) (?:dit|conseille|recommande|suggere|propose|mentionne
    explique|donne|ecrit)\b|\b(?:voce|tu) (?:disse|recomendou|sugeriu|mencionou|explicou|falou)\b
    \b(?:hai|avevi) (?:detto|consigliato|suggerito)\b|你(?:之前|上次|刚才|以前)(?:说|推荐|建议|提到|告诉)
    你(?:说|推荐|建议|提到|告诉我?)过|你(?:推荐|建议)的|(?:教えて|おすすめして|言って|提案して)(?:くれた|くれました)`,
  'u',
);
const TIMED = regex(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|last|next
    this (?:week|month|year|weekend|morning|evening|summer|winter|spring|fall|autumn|time)|ago|weekends?
    recently|since|now|still|these days|currently|at the moment|anymore|again|already|yet|{weekday}|birthday
    morgen|heute|gestern|jetzt|noch|manana|hoy|ayer|ahora|todavia|demain|aujourd'hui|hier|maintenant|encore
    amanha|hoje|ontem|agora|ainda|domani|oggi|ieri|adesso|ancora|aun|{weekdayElsewhere})\b|^\W*(?:when|when's
    which (?:day|date|month|weekday|year|evening|morning)|on which|what (?:day|date|month|time)|wann|quand
    cuando|quando|que dia|quel jour|che giorno|(?:c'est|es|e) (?:pour |para |per )?(?:quand|cuando|quando))\b|什[么麼][时時]候|[现現]在|明天|昨天|今[天晚]|[几幾][点點号號]|哪天|[周週]末|[上下][个個]?[周週月]|星期|[还還](?:在|去|上|住|做|要|没|沒)|いつ|今[日週晩夜のはもど]|明日|何[時曜]|まだ`,
  'u',
);
const ADVICE = regex(
  String.raw`\b(?:should|could|recommend\w*|suggest\w*|ideas?|advice|tips?|gifts?|presents?|bring|cook|order|pack
    wear|plan|planning|book|buy|get for|good for|ok for|okay for|safe for|is it (?:ok|okay|fine|safe|wise)
    worth|soll\w*|empfiehl\w*|empfehl\w*|vorschlag\w*|idee\w*|schenk\w*|koch\w*|recomiend\w*|recomend\w*
    suger\w*|regal\w*|cocin\w*|consej\w*|conseil\w*|recommand\w*|cadeau\w*|cuisin\w*|presente|cozinh\w*|schlag(?:t|e)? .{0,60}\bvor|darf ich|bestell\w*|mitbring\w*|einpack\w*
    propose\w*|offrir|puis-je|devrais|pourrais|commander|acheter|propon\w*|deberia|comprar|pedir|llevar|consigli\w*
    dovrei|ordinar\w*|portare|cucin\w*|devo|levar)\b
    推[荐薦]|建[议議]|(?:吃|喝|穿|[带帶点點买買]|煮|送|[选選看玩]|做(?!什[么麼][的工])|[准準][备備])[点點些个個]?(?:什[么麼]|啥)|去哪|怎[么麼][办辦]|合[适適]|[适適]合|[该該](?![国國])|おすすめ|提案|何が[い良]い|(?:たら|れば|ても?)(?:[い良]い|大丈夫)|べき`,
  'u',
);
const GENERAL = regex(
  String.raw`\bhow (?:many|much|far|tall|long|fast|hot|high|old|deep|big|often|large|heavy
    wide)\b(?!.{0,200}\b(?:do|does|did|have|has|am|are|were|should) (?:i|we)\b)|combien|\b(?:cuant[ao]s?|quant[ao]s)\b(?!.{0,60}\b(?:me|{my}|{iVerb})\b)
    \bwie (?:viele?|hoch|lang|weit|schwer|gross|alt)\b|(?<!我.{0,12})多[少高远遠]|どのくらい
    \bcuando (?:empezo|comenzo|termino|nacio|murio|se (?:invento|fundo|descubrio|creo|construyo))\b
    \b(?:difference between|meaning|means?|synonyms?|capital|currency|population|formula|derivative|integral
    equation|plural|tense|conjugat\w+|word for|symbol|etymolog\w+|theorem|invent\w*|wrote|author of|painted
    composed|discovered|boil\w*|melting|freez\w*|square root|cube root|average|definition|stands? for
    percent\w*|unterschied zwischen|differen(?:ce entre|za tra|ca entre)|diferencia entre|(?:veut|vuol) dire|traduction de|was heisst
    wie funktionier\w+|comment (?:fonctionne\w*|marche\w*)|como funciona\w*|come funziona\w*
    (?:warum|wieso|weshalb) (?:ist|sind|hat|haben|wird|werden|kann|konnen|gibt|macht|fallt)(?! (?:ich|wir|mein\w*|unser\w*|mir|mich)\b)
    pourquoi (?!.{0,60}\b(?:je|moi|mon|ma|mes|nous|notre|nos)\b)|por que (?!.{0,60}\b(?:yo|eu|mi|mis|meu|minha|me|nos|nuestr\w+|noss\w+)\b)\p{L}
    (?:perche) (?!.{0,60}\b(?:io|mio|mia|mi|noi|nostr\w+)\b)\p{L}
    wer (?:hat|war|ist) .{0,60}\b(?:geschrieben|erfunden|gemalt|entdeckt|komponiert|gegrundet)|qui a (?:ecrit|invente|peint|decouvert|compose|fonde)
    quien (?:escribio|invento|pinto|descubrio|compuso)|chi ha (?:scritto|inventato|dipinto|scoperto|composto)|quem (?:inventou|pintou|descobriu|compos)
    hoe (?:hoog|ver|lang|oud|groot|werkt)|hoeveel|waarom (?:is|zijn)|verschil tussen|wat betekent
    capitale|cosa significa|hauptstadt|wurzel|quadratwurzel|bedeutet|erfunden|volumen|raiz|derivada|integral|significa
    invento|escribio|derivee|racine|signifie|ecrit|invente|wahrung|moneda|monnaie|moeda|escreveu)\b|首都|定理|公式
    平方根|是什[么麼]意思|とは(?:何|なに|[？?。]|$)|意味|高さ`,
  'u',
);
const TASK = regex(
  String.raw`^\W*(?:please |pls |plz )?(?:write|explain|translate|convert|solve|prove|give|define|state|calculate
    compute|implement|list|summari[sz]e|simplify|derive|fix|debug|rewrite|rephrase|shorten|proofread|correct
    compare|describe|create|generate|make|turn|sort|name|schreib\w*|erklar\w*|ubersetz\w*|berechne|escrib\w+
    explica\w*|traduc\w+|resum\w+|ecri[st]\w*|explique\w*|tradui\w+|escrev\w+|traduz\w*|spiega\w*|scrivi\w*|traduci\w*|descrivi\w*|riassumi\w*|calcola\w*|vertaal|schrijf|leg .{1,60} uit)
    ^\W*(?:corrig[ea]|correggi|redacta|inventa|conjuga|calcula|genera|crea|enumera|ordena|compara|reescribe|convierte|elenca|verzin|bedenk|verbeter|vat|haz (?=una? )|fai (?=una? )|maak (?=een )|faz (?=uma? (?!semana|ano|mes|dia|tempo|hora)))(?:me|lo|melo)?\b
    ^[^\p{L}\p{N}]*(?:[请請]|麻[烦煩])?(?:[帮幫]我?|替我|[给給]我?)?(?:再?用.{1,12}?|[把将].{1,60}?)?(?:翻[译譯]|解[释釋]|[写寫]|改[写寫成]|[总總][结結]|[缩縮]短|介[绍紹]|列[出举一]|[计計]算)|[計訳].{0,2}して|(?:書い|考え|作っ)て(?:$|[。！]|、(?:テーマ|内容|条件))
    \b(?:regex|translate|in (?:python|javascript|typescript|sql|rust|java|excel|css|html|bash|french|german
    spanish|italian|latin|english|japanese|celsius|fahrenheit|km|miles|mm|cm|metres|meters|inches|kg))\b
    \b(?:why (?:is|are|do|does|did) (?!(?:i|we|my|our)\b)|how (?:is|are|does|did) (?!(?:i|we|my|our)\b)
    how to)\b`,
  'u',
);
const WHO =
  /\b(?:who|who's|whos|wer|quien|quienes|qui|quem|(?:chi|wie)(?= (?:e|era|sono|is|was|zijn)\b))\b|谁|誰/u;
/** "The wife of", "his wife" and "a wife" may be anybody's, as may what is named by such a word: "the mother tongue". */
const OF_KIN = regex(
  String.raw`(?<!\b(?:the|an?|his|her|their|your|every|any|some|no|one|other|of) |'s )\b{kinAlone}\b(?!'s day| (?:of|nature|tongue|cells?|company|language)\b)|(?<!\b(?:el|il|del|al|le|du|der|the|un) )\bpapa\b
    \b(?:the|el|al|la|le|au|die|der|den|dem) (?:{kinAlone}|sisters?|brothers?|kids|children|family|twins|in-laws|grand(?:parents|kids|children)|kinder|familie|ninos|abuel[ao]s?|hij[ao]s|enfants|parents|bambini|nonni)\b(?! (?:of|von|de|di)\b|')
    \b(?:for|with|without) (?:family|partner)(?=\W*$|[,.?!]| and\b)|\bpartner and (?:kids|children)\b
    ^(?:(?:how(?: \p{L}+)?|what|when|where|why|which \p{L}+) )?(?:is|was|does|did|can|could|should|would|will|has|may|might) s?he\b|^(?:(?:wie(?: \p{L}+)?|was|wann|wo|warum) )?(?:ist|hat|darf|kann|mag|soll|isst) (?:er|sie)\b
    (?<![的他她它你您小])(?:老[公婆]|女[儿兒]|[儿兒]子|媳[妇婦]|太太|婆婆|公公|岳[父母]|丈[人母]|父母|爸爸?|[妈媽]|爷爷|爺爺|奶奶|外[公婆]|姥[姥爷]|[宝寶]{2}|孩子|家人)(?![节節])
    (?<![\p{Script=Han}のが])(?:弟|妹|兄|姉|妻|夫|娘|息子|母|父|彼[女氏]|旦那|孫|家族|両親)(?=[のはがにをとへもっ])(?!の日)`,
  'u',
);
const DEFINITE = regex(
  String.raw`\b(?:the|this|that|these|those|der|die|das|dem|den|el|la|los|las|le|les|his|her|their|he|she
    they)\s(?!(?:capital|best|most|difference|meaning|first|largest|biggest|smallest|longest|highest|world
    internet|earth|moon|sun|sky|sea|us|uk)\b)\p{L}+`,
  'u',
);
const TECHNICAL = /[{}<>=\\|$^~`_]|\w\(\w*\)|["«“„「]|\d\s?[+*/×÷^]\s?\d|https?:/u;

/**
 * Returns a question without its frame: an opening clause such as "quick question for my homework:" or "my boss asks
 * me," and phrases such as "can you tell me". They are in the first person but do not ask about the user. An opening
 * clause is a frame if it says that somebody asks, or if it consists of words for asking and for what is asked for;
 * "for my sister's wedding," stays.
 *
 * @param question in lower case, without marks on Latin letters (see `foldQuestion`)
 */
export function takeOutFrame(question: string): string {
  let rest = question.trim();
  for (let i = 0; i < MAX_FRAMES; i++) {
    const opening = OPENING.exec(rest);
    const clause = opening?.[1] ?? '';
    const behind = rest.slice(opening?.[0].length ?? 0);
    if (!opening || !isFrame(clause) || !ENOUGH.test(behind)) break;
    rest = behind;
  }
  return rest.replace(HOW_TO, ' $<verb> ').replace(INLINE_FRAMES, ' ').trim();
}

/** Returns the text after its opening clause, if there is one and enough text follows it. */
function behindOpening(text: string): string {
  const behind = text.slice(OPENING.exec(text)?.[0].length ?? 0);
  return ENOUGH.test(behind) ? behind : text;
}

/** Returns a question in lower case, with straight apostrophes and without marks on Latin letters. */
export function foldQuestion(question: string): string {
  const said = withVerbPronouns(question);
  const folded = fold(said.replaceAll('’', "'").replace(COUNTRY, ' ').replace(NUMERAL, '$1'));
  if (!NOT_ENGLISH.test(folded)) return folded;
  const language = languageOf(analyze(folded));
  if (language === 'de') return folded.replaceAll(/\bim\b/gu, 'in');
  return language === 'it' ? folded.replaceAll(/\bi\b/gu, ' ') : folded;
}

/** German "im" is not "I'm", and Italian "i" is not "I". */
const NOT_ENGLISH = /\bi(?:m)?\b/u;
const MAX_FRAMES = 3;
const OPENING = /^([^:,.!?…\n–—：，。？！]{1,90}?)(?:[:,.!?…\n–—：，。？！]+|\s-\s)\s*/u;
/** What must follow a frame to be a question: two words, or a few characters of a script without spaces. */
const ENOUGH =
  /[\p{L}\p{N}]+[^\p{L}\p{N}]+[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3}/u;

function isFrame(clause: string): boolean {
  if (SOMEBODY_ASKS.test(clause)) return true;
  const words = clause.match(/[\p{L}\p{N}']+/gu) ?? [];
  if (UNSPACED_FRAME.test(clause)) return clause.length <= 16;
  if (words.every((word) => FRAME_WORDS.has(word))) return true;
  return (
    words.some((word) => ASKING_WORDS.has(word)) &&
    words.every((word) => FRAME_WORDS.has(word) || ASKING_WORDS.has(word) || PEOPLE.has(word))
  );
}

const SOMEBODY_ASKS = regex(
  String.raw`\b(?:asks?|asked|asking|wants? to know|wanted to know|wonders?|wondered|was wondering|is wondering
    is curious|challenged|quizzed|fragt|fragte|wissen will|will wissen|gefragt|pregunta|pregunto|preguntaron
    quiere saber|demande|a demande|veut savoir|perguntou|pergunta
    quer saber)(?: (?:me|us|mich|uns))?(?: (?:this|that|about this|about that|for this|today|yesterday
    earlier|again|this (?:morning|evening|week)|just now|last night|at \w+|in class|the following|for help
    das|dies|esto|ceci|isso))*$`,
  'u',
);
const UNSPACED_FRAME = /问我|请问|作业|帮我|想知道|质问|質問|宿題|聞かれ|教えて|知りたい/u;

/** Words for asking, and for what is asked for. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  `question questions q help ask know wonder wondering curious explain answer tell clarify check settle bet argument
  debate understand figure learn homework assignment quiz trivia exam exams test essay class school uni university college
  course lecture work job office argue arguing asking helping answering thought thoughts curiosity science history math maths
  geography biology chemistry physics english meeting project presentation report paper article blog crossword puzzle game research study
  studying revising reading writing frage fragen hilfe helfen hausaufgabe hausaufgaben schule arbeit aufgabe prufung wissen
  pregunta duda ayuda ayudame tarea deberes trabajo escuela examen clase saber aide aidez aider devoirs ecole travail examen
  cours savoir pergunta ajuda licao escola trabalho prova aula`.split(/\s+/u),
);
/** People on whose behalf a question is asked; they do not make a clause a frame on their own. */
const PEOPLE: ReadonlySet<string> = new Set(
  `friend friends friend's mate mates buddy kid kids kid's kids' son son's daughter daughter's brother brother's sister sister's
  boss boss's colleague colleagues coworker coworkers teacher teacher's professor client team family wife husband mom mum dad
  roommate neighbor neighbour everyone people his her their he she they`.split(/\s+/u),
);
/** Function words that occur in frames. */
const FRAME_WORDS: ReadonlySet<string> = new Set(
  `a an the this that it these one another last next quick quickly small short little simple easy hard random weird silly stupid
  dumb odd serious general basic please pls plz hey hi hello hiya yo ok okay so well um hmm sorry thanks thx good morning evening
  can could would will may might do does did you u i i'm im i've ive i'd id me my our we us need needs want wanted have has got
  having getting trying was am is are be been for with about on in at to of from out up and or but just only really here's
  there's let's bit some something anything stuck bored today tonight tomorrow now right fast asap urgent urgently due late
  kinda sort doing working preparing prepping thing things off topic unrelated not before bed time lunch break idle
  eine kurze kleine schnelle ich du mir mich fur die der das den meine mein ein zu bei brauche muss kannst bitte hallo hey mal
  una un rapida pequena tengo necesito para la el mi puedes me con esto por favor hola que
  une petite rapide pour le mon ma mes j'ai besoin de peux tu vous pouvez m'aider avec ca bonjour salut s'il te vous plait
  uma rapida pequena preciso tenho minha meu com isto isso ola voce pode`.split(/\s+/u),
);

/** "US" in capitals or before a noun of state is a country. */
const COUNTRY =
  /\bU\.?S\.?(?:A\b\.?)?(?=\W|$)|\bus (?=gallon|outlet|dollar|state|cup|president|army|english|econom|citizen|tax)/gu;
/** "Elizabeth I" counts monarchs. */
const NUMERAL = /(\p{Lu}\p{Ll}+) I\b(?!['’])(?=\W*$|\W+(?:of|and|was|die|rule|reign))/gu;

/** Phrases in the first person that do not ask about the user; "what did you tell me" does, and is not one of them. */
/** German "wie koche ich" is "how do I cook", unless it asks for the user's own way. */
const HOW_TO =
  /\bwie (?!(?:komm|fahr|geh|reis|flieg|heiss|wohn|arbeit|find)e)(?<verb>\p{L}+e) (?:ich|wir)\b/gu;
const INLINE_FRAMES = regex(
  String.raw`\bhow (?:do|can|would|should|could|might) (?:i|we|you|u)\b
    (?<!\bdid (?:you|u) )\b(?:give|tell|show|help|write|teach|get|make|find|remind|asked?|asking|asks)(?: (?:to|for|this to|it to))? (?:me|us)\b
    \b(?:briefly|kurz|brievement|brevemente|in short)\b|\b(?:can|could|would|will|do|if) (?:you|u)\b|\b(?:i|we)(?:'m| am|m|'re| are| was)? (?:need(?:ed)?
    want(?:ed)?|would like|'d like|like|trying|curious|wondering|wonder|supposed|looking|have
    just want)(?: to (?:know|understand|learn|find out|figure out|ask|see))(?: (?:this|that
    it))?(?: for (?:my )?(?:work|school|class|homework|a \w+))?\b
    \b(?:i'?m|i am|i was|we were) (?:curious|wondering|confused)\b
    \b(?:what|how) (?:can|should) (?:i|we) (?:say|write) instead\b
    \bi (?:don'?t|dont|can'?t|cant|never) (?:understand|get|remember|know|recall|tell|figure out)\b
    \b(?:kannst du|konntest du|konnen sie) mir\b|\b(?:sag|gib|schreib|nenn|zeig)\w* (?:mir|uns)\b
    \bcom[oe] (?:e que )?(?:eu )?(?:me |lo |la |le )?(?:puedo|podemos|podria|debo|hago|posso|faco|faccio|devo|consigo)\b|\bhoe (?!(?:kom|reis|ga|rijd|fiets|heet|woon|werk|vind|voel) )\p{L}+ ik\b
    \bme (?:explicas?|dices|traduces|resumes|escribes|corriges|(?:puedes|podrias|pode|puoi) (?:explicar|decir|traducir|escribir|traduzir|dizer|spiegare|dire|tradurre))\b|\bmi (?:spieghi|traduci|dici|scrivi)\b
    \b(?:puedes|podrias) \w+me\b|\b(?:dime|dame|escribeme|ayudame)\b
    \b(?:peux-tu|pouvez-vous|tu peux) (?:me|m'|nous)\s?
    \b(?:dis|donne|ecris|aide|montre)[sz]?-moi\b|\b(?:me|nos) (?:diga|da|ajuda)\b
    (?:能|可以|请)?(?:告诉|给|帮)我(?!的|们|家|[男女]?朋友|[儿孩妻]子|女儿|丈夫|老[公婆板师]|同事|邻居|室友|奶奶|爷爷|[妈爸父母姐妹哥弟])看?|教えて(?:ください)?(?!くれ)`,
  'gu',
);
