import type { ContextScores, PlayedChat } from './context-scores.ts';
import { scoreContexts } from './context-scores.ts';

type Cell = string | number | null;

const LABEL_WIDTH = 14;
const CELL_WIDTH = 14;

/** Returns the figures of a corpus as text tables, one for each kind. */
export function contextTable(scores: ContextScores): string {
  const { facts, asks, unrelated, framed } = scores;
  return [
    table(
      ['facts', 'said', 'precision', 'recall', 'that hold', 'stale', 'traps'],
      [
        [
          '',
          facts.said,
          facts.precision,
          facts.recall,
          facts.recallOfWhatHolds,
          facts.staleAmongRight,
          facts.traps,
        ],
      ],
    ),
    table(
      ['asks', 'n', 'needs met', 'all met', 'tokens'],
      Object.entries(asks)
        .filter(([kind]) => kind !== 'unrelated')
        .map(([kind, { n, needsMet, allMet, meanTokens }]) => [kind, n, needsMet, allMet, meanTokens]),
    ),
    table(
      ['unrelated', 'n', 'quiet', 'tokens'],
      [
        ['plain words', unrelated.n, unrelated.quiet, unrelated.meanTokens],
        ['framed', framed.n, framed.quiet, framed.meanTokens],
      ],
    ),
    table(
      [
        'contexts',
        'related',
        'as sent',
        'words said',
        '% said',
        'always there',
        'repeated',
        'ended stated',
        'ended alone',
      ],
      [
        [
          '',
          scores.relatedMeanTokens,
          scores.relatedSentTokens,
          scores.relatedSaidTokens,
          scores.relatedSaidPercent,
          scores.alwaysThereTokens,
          scores.repeatedPercent,
          scores.staleStatedPercent,
          scores.staleAlonePercent,
        ],
      ],
    ),
  ].join('\n\n');
}

/** The chats of each language apart. */
export function languageTable(played: readonly PlayedChat[], languages: ReadonlyMap<string, string>): string {
  const names = [...new Set(played.map(({ chat }) => languages.get(chat.id) ?? 'other'))].toSorted();
  return table(
    ['language', 'chats', 'needs met', 'quiet', 'framed', 'facts said', 'precision', 'traps'],
    names.map((name) => {
      const chats = played.filter(({ chat }) => (languages.get(chat.id) ?? 'other') === name);
      const { conversations, related, unrelated, framed, facts } = scoreContexts(chats);
      return [
        name,
        conversations,
        related.needsMet,
        unrelated.quiet,
        framed.quiet,
        facts.said,
        facts.precision,
        facts.traps,
      ];
    }),
  );
}

function table([label = '', ...names]: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [[label, ...names], ...rows]
    .map(([first, ...cells]) =>
      [String(first).padEnd(LABEL_WIDTH), ...cells.map((cell) => String(cell ?? '-').padStart(CELL_WIDTH))]
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
