import { otherLanguagesOf } from '../other-languages.ts';

/**
 * Returns a statement with the pronoun of its speaker, where its language leaves it out: see {@link withVerbPronouns}, and
 * in Chinese and Japanese in front of what is told of nobody else ("刚搬到杭州"). Unchanged if it asks or requests something,
 * or if it is about others.
 */
export function withOwnPronoun(text: string): string {
  if (KANA.test(text)) return !JAPANESE_OTHERS.test(text) && JAPANESE_TOLD.test(text) ? `私 ${text}` : text;
  if (HAN.test(text)) return !CHINESE_OTHERS.test(text) && CHINESE_TOLD.test(text) ? `我${text}` : text;
  return withVerbPronouns(text);
}

/**
 * Returns a text with "yo" and "eu" in front of the Spanish and Portuguese verbs that only the first person has, as their
 * accents or ends show: "cuándo yo entrego la tesis" ("cuándo llegó" is somebody else's), "yo empecé", "eu comecei".
 */
export function withVerbPronouns(text: string): string {
  const asked = text.replaceAll(ASKED_VERB, 'yo $&');
  if (!MAY_BE_VERB.test(text) || NOT_IBERIAN.test(text)) return asked;
  const languages = otherLanguagesOf(text);
  const spanish =
    languages.includes('es') && !NOT_SPANISH.test(text) ? asked.replaceAll(SPANISH_PAST, 'yo $&') : asked;
  return languages.includes('pt') ? spanish.replaceAll(PORTUGUESE, 'eu $&') : spanish;
}

const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Pronouns, words that ask, and what requests begin with. */
const CHINESE_OTHERS =
  /[我咱你您他她它谁誰吗嗎呢怎哪几幾?？]|什[么麼]|啥|如何|[为為]何|多少|[这這那](?![天时時边邊样樣里裡两兩])|^(?:[请請帮幫把将給给再用写寫翻列]|介[绍紹]|解[释釋]|[总總][结結]|推[荐薦]|告[诉訴])/u;
/** Particles and verbs of what has happened, is so or is meant to be. */
const CHINESE_TOLD =
  /[了着著不没沒在想要有叫每改]|[过過](?!敏)|[刚剛]|最近|打算|[准準][备備]|[决決]定|[从從]/u;

const JAPANESE_OTHERS =
  /私|僕|俺|あなた|君|彼(?![女氏])|[誰何？?]|ど[うここれのん]|いつ|なぜ|教えて|とは|か[。！]*$|(?<!く)[てで](?:ください|下さい|ほしい|ね)?[。！]*$|[はのに方]$|[：:]/u;
const JAPANESE_TOLD =
  /(?:[ただるいよねなしっん]|です|ます|[けだ]ど|から|ので|中|予定|つもり)[。！!…〜ー]*$|(?:[たるい]|です|ます|けど|から|ので)、/u;

const CLITIC = '(?:me|te|l[aeo]s?|nos)';
/** Past tenses that end in "-o" without an accent ("cuándo vino"), and what is no verb. */
const NO_I = String.raw`(?:no|yo|todo|otro|${CLITIC}|hizo|tuvo|estuvo|pudo|quiso|supo|hubo|anduvo|cupo|\p{L}*(?:puso|vino|dijo|trajo|dujo))(?!\p{L})`;
const ASKED_VERB = new RegExp(
  String.raw`(?<=(?<!\p{L})(?:cuándo|a?dónde|(?:a|con|de|para|por) quién(?:es)?|a qué hora|qué (?=${CLITIC} ))(?: ?${CLITIC})? )(?!${NO_I})\p{L}+o(?!\p{L})`,
  'giu',
);
const MAY_BE_VERB = /[éíô]|ei(?!\p{L})/u;
/** French has participles with the same accents, and German nouns with the same end. */
const NOT_IBERIAN =
  /(?<!\p{L})(?:[cdjlmnst]['’]|(?:je|il|elle|on|nous|vous|des|du|au|aux|et|est|moi|toi|ce|cette|qui|quoi|quel|quelle|comment|pourquoi|combien|avec|pour|dans|chez|der|die|das|und|ist|ich|nicht)(?!\p{L}))/iu;
const NOT_SPANISH = /[àâãçèêîôõœ]/iu;
/** "Café" and "aquí" are no verbs, nor are French nouns in "-ité". */
const SPANISH_PAST =
  /(?<!\p{L})(?!(?:qu|aqu|all|caf|chal|beb|comit|pur|porqu|esqu|colibr|rub|bistur|man)[éí](?!\p{L}))(?!así|ahí|\p{L}*(?:[ie]té|é\p{L}))\p{Ll}{2,}[éí](?!\p{L})/gu;
/** Italian "miei" and "quei" are no verbs. */
const PORTUGUESE = /(?<!\p{L})(?:(?!miei|quei)\p{Ll}{2,}ei|tô|saí|caí)(?!\p{L})/gu;
