import { sentencesIn } from '../../language/sentences.ts';
import { contentTerms } from '../../language/terms.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { Extractor } from '../extractor.ts';
import { lineCheck, type SaidLine } from '../support/line-support.ts';

/**
 * Summarizes with a model. A sentence that neither the previous summary nor the new lines support is left out, with a
 * warning, and the words of the new lines that are closest to it stand in its place; the rules summarize if nothing else
 * is left.
 */
export function sourcedSummaries(
  model: Pick<Extractor, 'summarize'>,
  rules: Pick<Extractor, 'summarize'>,
  onWarning: WarningListener,
): Pick<Extractor, 'summarize'> {
  return {
    async summarize(input) {
      const text = await model.summarize(input);
      const spoken = linesOf(input.newLines, 'user');
      const isSupported = lineCheck([...linesOf(input.summary, 'note'), ...spoken]);
      let refused = 0;
      const kept = text.split('\n').map((line) =>
        sentencesIn(line)
          .map(({ start, end }) => {
            const sentence = line.slice(start, end);
            if (!/[\p{L}\p{N}]/u.test(sentence) || isSupported(sentence)) return sentence;
            refused += 1;
            return verbatim(sentence, spoken, text);
          })
          .join('')
          .trimEnd(),
      );
      if (refused === 0) return text;
      onWarning({
        code: 'summary-refused',
        message: `${refused} ${refused === 1 ? 'sentence' : 'sentences'} of a summary by the model were not stored, because the conversation does not say so. Its own words stand in their place.`,
      });
      const summary = [...new Set(kept.filter((line) => line !== ''))].join('\n');
      return summary === '' ? rules.summarize(input) : summary;
    },
  };
}

/** Returns the sentence of the conversation that shares most words with a refused one, with its speaker. */
function verbatim(refused: string, spoken: readonly SpokenLine[], summary: string): string {
  const terms = new Set(contentTerms(refused));
  const sentences = spoken.flatMap(({ label, speaker, text }) =>
    sentencesIn(text)
      .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)))
      .map(({ start, end, isAsked }) => {
        const sentence = text.slice(start, end).trim();
        const shared = contentTerms(sentence).filter((term) => terms.has(term)).length;
        // The user's own statements first.
        return {
          text: `${label}: ${sentence}`,
          score: shared + (speaker === 'user' ? OF_USER : 0) - (isAsked ? OF_USER / 2 : 0),
        };
      }),
  );
  const best = sentences
    .filter(({ text }) => !summary.includes(text))
    .toSorted((a, b) => b.score - a.score)[0];
  return best === undefined ? '' : `${best.text}\n`;
}

const OF_USER = 0.5;

interface SpokenLine extends SaidLine {
  readonly label: string;
}

/** Splits lines of conversation, `Human: hi`, by their speakers. @param other the speaker of lines in front of them */
function linesOf(text: string, other: SaidLine['speaker']): SpokenLine[] {
  const lines: SpokenLine[] = [];
  for (const line of text.split('\n')) {
    const [, label, said = line] = /^(Human|AI): (.*)$/u.exec(line) ?? [];
    const last = lines.at(-1);
    if (label === undefined && last) lines[lines.length - 1] = { ...last, text: `${last.text}\n${said}` };
    else {
      const speaker = label === undefined ? other : label === 'AI' ? 'assistant' : 'user';
      lines.push({ label: label ?? 'Human', speaker, text: said });
    }
  }
  return lines;
}
