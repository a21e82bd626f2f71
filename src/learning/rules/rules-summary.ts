import { dialogueParts, type DialoguePart } from '../../language/dialogue.ts';
import type { Tagger } from '../../language/tagging/tagger.ts';
import { yieldBetween } from '../../model/event-loop.ts';
import type { Extractor } from '../extractor.ts';
import { DialogueReader, type SentenceReading } from './reader.ts';

interface Line {
  readonly label: string | undefined;
  readonly text: string;
  readonly score: number;
  readonly position: number;
}

/** The limit if none is given. */
const DEFAULT_MAX_TOKENS = 400;
const CHARACTERS_PER_TOKEN = 4;
/** Sentences of the old summary are weighted by this factor, so that only clearly better ones replace them. */
const OLD_FACTOR = 1.5;
/** Maximum length of each input; the end of a longer one is read. */
const MAX_INPUT_CHARACTERS = 100_000;

/**
 * Returns a summary of verbatim sentences in their order. Prefers sentences with facts about the user, then those
 * with other facts, names and numbers, and avoids sentences that are alike. Deterministic.
 */
export async function extractiveSummary(
  { summary, newLines, maxTokens = DEFAULT_MAX_TOKENS, signal }: Parameters<Extractor['summarize']>[0],
  tagger: Tagger,
): Promise<string> {
  const limit = Math.max(20, maxTokens * CHARACTERS_PER_TOKEN);
  const reader = new DialogueReader(tagger, [], []);
  const lines: Line[] = [];
  for (const [text, factor] of [
    [summary, OLD_FACTOR],
    [newLines, 1],
  ] as const) {
    for (const { label, ...part } of dialogueParts(text.slice(-MAX_INPUT_CHARACTERS))) {
      for await (const reading of yieldBetween(reader.read({ ...part, createdAt: 0 }, signal), signal)) {
        const score = scoreOf(reading, part.role) * factor;
        lines.push({ label, text: reading.quote, score, position: lines.length });
      }
    }
  }
  const text = render(choose(lines, limit));
  if (text !== '') return text;
  const [first] = lines.toSorted(byScore);
  const rest = first ? render([first]) : `${summary} ${newLines}`.trim();
  return rest === '' ? 'Nothing has been said yet.' : rest.slice(0, limit).toWellFormed();
}

function scoreOf({ quote, facts, names, isQuestion }: SentenceReading, role: DialoguePart['role']): number {
  const ofUser = facts.filter(({ subject }) => /^user(?:$|'s )/u.test(subject)).length;
  const numbers = quote.match(/\d+/gu)?.length ?? 0;
  const score =
    Math.min(ofUser, 2) * 8 +
    Math.min(facts.length - ofUser, 2) * 3 +
    Math.min(names.length, 3) +
    Math.min(numbers, 2) * 0.8 +
    (role === 'user' ? 0.7 : 0) +
    (isQuestion ? -1.5 : 0.5);
  return Math.max(0.05, score);
}

function byScore(one: Line, other: Line): number {
  return other.score - one.score || one.position - other.position;
}

/** Picks the line with the highest value per length, repeatedly. Words of lines already picked count little. */
function choose(lines: readonly Line[], limit: number): Line[] {
  const kept: Line[] = [];
  const seen = new Set<string>();
  let left = limit;
  const ranked = lines.toSorted(byScore);
  // Two rounds, so that lines with few new words are added only if space is left.
  for (const least of [0.5, 0.25]) {
    for (const line of ranked) {
      const cost = line.text.length + (line.label?.length ?? 0) + 3;
      if (cost > left || kept.includes(line)) continue;
      const words = [...contentWords(line.text)].filter((word) => !/^\d/u.test(word));
      const isNew = words.filter((word) => !seen.has(word)).length;
      // "I'm 34" has no content words; it is new unless an equal line was picked.
      if (words.length === 0 ? kept.some(({ text }) => text === line.text) : isNew / words.length < least)
        continue;
      kept.push(line);
      for (const word of words) seen.add(word);
      left -= cost;
    }
  }
  return kept.toSorted((a, b) => a.position - b.position);
}

function render(lines: readonly Line[]): string {
  const parts = lines.map(({ label, text }, index) => {
    if (index > 0 && lines[index - 1]?.label === label) return ` ${text}`;
    return `${index === 0 ? '' : '\n'}${label === undefined ? '' : `${label}: `}${text}`;
  });
  return parts.join('');
}

/** Returns the content words of a sentence. A repetition has the same ones. */
function contentWords(sentence: string): ReadonlySet<string> {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter((word) => word.length > 2 && !COMMON.has(word))
      .map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|s)$/u, '')),
  );
}

const COMMON = new Set(
  `the and for are was were you your with that this have has had not but can could would will from what when where which
  who how about there here they them their his her its our out all any some very just also into than then too did does
  been being should may might more most one`.split(/\s+/u),
);
