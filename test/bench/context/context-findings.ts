import { isUnrelated, linesOfEndedFacts, recalledTokens, type ReadContext } from './asked-contexts.ts';
import { judgeAnswers, judgeFacts, type PlayedChat } from './context-scores.ts';
import { holdsGroups } from './listed-facts.ts';

/** The facts of a chat that are wrong, traps, or ended and said as if they held, a line each. */
export function factFindings(played: PlayedChat): string[] {
  return judgeFacts(played).flatMap(({ fact, verdict }) => {
    if (verdict.kind === 'right' && !verdict.isStale) return [];
    const kind = verdict.kind === 'right' ? 'stale' : verdict.kind;
    return line(kind, played, fact.subject, fact.predicate, fact.object);
  });
}

/**
 * Of the contexts of a chat, a line each: the needs that are missed, what was recalled for a question to which memory
 * has nothing to say, and lines that tell of something that has ended that it holds.
 */
export function contextFindings(played: PlayedChat): string[] {
  return judgeAnswers(played).flatMap(({ ask, tokens }, position) => {
    const { context, framed } = played.asked[position] ?? {};
    if (context === undefined) return [];
    const missed = ask.needs.filter((group) => !holdsGroups(context.text, [group]));
    const noise = isUnrelated(ask) ? [context, ...(framed ? [framed] : [])] : [];
    return [
      ...(missed.length > 0 && !isUnrelated(ask)
        ? [
            line(
              'miss',
              played,
              ask.kind,
              ask.question,
              JSON.stringify(missed),
              `${tokens} tokens`,
              ...toldLines(context),
            ),
          ]
        : []),
      ...noise
        .filter((each) => recalledTokens(each) > 0)
        .map((each) =>
          line(
            'noise',
            played,
            each === framed ? 'framed' : 'plain words',
            ask.question,
            `${recalledTokens(each)} tokens`,
            ...toldLines(each),
          ),
        ),
      ...linesOfEndedFacts(context, played.chat.facts).map((each) =>
        line('ended', played, ask.question, each),
      ),
    ];
  });
}

function toldLines({ items }: ReadContext): string[] {
  return items.map(({ kind, text }) => `${kind}: ${text}`);
}

function line(kind: string, { chat }: PlayedChat, ...parts: readonly string[]): string {
  return [kind.toUpperCase().padEnd(5), chat.id, ...parts.map((part) => part.replaceAll('\n', ' '))].join(
    ' | ',
  );
}
