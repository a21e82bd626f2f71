import type { WarningListener } from '../../model/warning.ts';
import type { Extractor } from '../extractor.ts';
import { unsourcedWords } from '../llm/unsourced-words.ts';

/**
 * Summarizes with a model. A summary with a name or number that neither the previous summary nor the new lines
 * contain is replaced by one of the rules, with a warning.
 */
export function sourcedSummaries(
  model: Pick<Extractor, 'summarize'>,
  rules: Pick<Extractor, 'summarize'>,
  onWarning: WarningListener,
): Pick<Extractor, 'summarize'> {
  return {
    async summarize(input) {
      const text = await model.summarize(input);
      const words = unsourcedWords(text, [input.summary, input.newLines]);
      if (words.length === 0) return text;
      onWarning({
        code: 'summary-refused',
        message: `A summary by the model was not stored, because the conversation does not contain ${listed(words)}. It was made by rules instead.`,
      });
      return rules.summarize(input);
    },
  };
}

const LISTED_WORDS = 3;

function listed(words: readonly string[]): string {
  const shown = words.slice(0, LISTED_WORDS).map((word) => `"${word}"`);
  return words.length > LISTED_WORDS ? `${shown.join(', ')} and more` : shown.join(', ');
}
