import type { LLM } from '../../src/index.ts';

/**
 * A model that repeats the names `Zyxquark`, `Lisbon` and `Sam` that it is given, into entities, facts and summaries: facts
 * that somebody said, and others.
 */
export const gossipingLLM: LLM = async ({ messages }) => {
  const prompt = messages.map((message) => String(message.content)).join('\n');
  const names = [...new Set(prompt.match(/\b(?:Zyxquark|Lisbon|Sam)\b/g))];
  if (!prompt.includes('"facts"')) return { text: `They spoke of ${names.join(' and ')}.` };
  return {
    text: JSON.stringify({
      entities: names.map((name) => ({
        name,
        note: `Somebody spoke of ${names.join(', ')}.`,
        message: 'm1',
      })),
      facts: [
        ...Array.from(prompt.matchAll(SAID), ([quote, who = '', verb = '', object = '']) => ({
          subject: who === 'I' ? 'user' : who,
          predicate: PREDICATES[verb.slice(0, 3)] ?? verb,
          object,
          quote,
        })),
        ...names.flatMap((subject) =>
          names
            .filter((object) => object !== subject)
            .map((object) => ({ subject, predicate: 'was spoken of with', object })),
        ),
      ],
    }),
  };
};

const SAID = /\b(Sam|I) (lives? in|works? at|met) (Zyxquark|Lisbon|Sam)\b/gu;
const PREDICATES: Readonly<Record<string, string>> = { liv: 'lives in', wor: 'works at' };
