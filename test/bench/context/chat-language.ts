import type { NaturalChat } from './natural-chats.ts';

/** Frequent words of a language that the others here do not have. */
const FUNCTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  English: 'the and you my is are was have what how with for this that can do does should of to in it'.split(
    ' ',
  ),
  German: 'der die das und ich ist nicht ein eine mein meine wie was mit für auf wir zu haben den'.split(' '),
  Spanish: 'el los las y que es mi una con para por cómo qué del más muy pero tengo estoy lo'.split(' '),
  French: 'le les et je est pas une mon ma mes avec pour sur nous dans des du au quel ce'.split(' '),
  Portuguese: 'os não é um uma meu minha com para pra em da na que você eu como foi'.split(' '),
};

/** The language in which the user of a chat types, by its letters or else by its most frequent words. */
export function languageOf({ messages, asks }: NaturalChat): string {
  const typed = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const text = [...typed, ...asks.map(({ question }) => question)].join('\n').toLowerCase();
  if (share(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1) return 'Japanese';
  if (share(text, /\p{Script=Han}/gu) > 0.3) return 'Chinese';
  const words = text.match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(FUNCTION_WORDS).map(([language, frequent]) => ({
    language,
    count: words.filter((word) => frequent.includes(word)).length,
  }));
  const [best] = counts.toSorted((a, b) => b.count - a.count);
  return best === undefined || best.count === 0 ? 'other' : best.language;
}

/** Part of a text's letters that are of a kind. */
function share(text: string, kind: RegExp): number {
  return (text.match(kind) ?? []).length / Math.max(1, (text.match(/\p{L}/gu) ?? []).length);
}
