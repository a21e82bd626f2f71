import type { LLM } from '../../src/index.ts';

/** A model that repeats the names `Zyxquark`, `Lisbon` and `Sam` that it is given, into entities, facts and summaries. */
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
      facts: names.flatMap((subject) =>
        names
          .filter((object) => object !== subject)
          .map((object) => ({ subject, predicate: 'was spoken of with', object })),
      ),
    }),
  };
};
