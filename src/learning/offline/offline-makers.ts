import type { Referents } from './offline-referents.ts';
import { fullName, type SlotContext } from './offline-slots.ts';
import { nameAt } from './offline-names.ts';
import type { StatedFact } from './offline-statements.ts';
import type { Word } from './offline-words.ts';

/**
 * Returns who made the works that a sentence mentions: `"Interstellar" and "Inception", both films directed by
 * Christopher Nolan`, `He also directed "Memento"`. This is a fact even if the rest of the sentence is only a
 * suggestion.
 */
export function makersIn(words: readonly Word[], referents: Referents, context: SlotContext): StatedFact[] {
  return words.flatMap((word, index) => {
    const made = word.kind === 'word' ? MAKING[word.lower] : undefined;
    if (made === undefined || words.slice(0, index).some(({ lower }) => DOUBT.test(lower))) return [];
    const isPassive = words[index + 1]?.lower === 'by';
    const maker = isPassive ? makerAt(words, index + 2, referents) : makerBefore(words, index, referents);
    if (maker === undefined) return [];
    const works = isPassive
      ? worksIn(words.slice(0, index), context, true)
      : worksIn(words.slice(index + 1), context, false);
    return works.map((work) => ({ subject: maker, predicate: made, object: work }));
  });
}

function makerAt(words: readonly Word[], index: number, referents: Referents): string | undefined {
  const pronoun = words[index]?.lower ?? '';
  if (/^(?:him|her)$/u.test(pronoun)) {
    const [only, ...others] = referents.resolve(pronoun);
    return others.length > 0 ? undefined : only;
  }
  const name = nameAt(words, index, (lower) => referents.knows(lower));
  return name && name.kind !== 'date' ? referents.fullName(name.text) : undefined;
}

/** Returns the person right before the verb: `Nolan also directed`. */
function makerBefore(words: readonly Word[], verb: number, referents: Referents): string | undefined {
  let end = verb;
  while (/^(?:also|has|later|then|even)$/u.test(words[end - 1]?.lower ?? '')) end -= 1;
  const last = words[end - 1];
  if (last && /^(?:he|she)$/u.test(last.lower)) {
    const [only, ...others] = referents.resolve(last.lower);
    return others.length > 0 ? undefined : only;
  }
  for (let start = Math.max(0, end - 4); start < end; start++) {
    const name = nameAt(words, start, (lower) => referents.knows(lower));
    if (name?.end === end && name.kind !== 'date' && name.kind !== 'title')
      return referents.fullName(name.text);
  }
  return undefined;
}

/** Returns the titles or names next to the verb, with at most their kind in between: `, both sci-fi films`. */
function worksIn(words: readonly Word[], context: SlotContext, isBefore: boolean): string[] {
  const works: string[] = [];
  let isList = false;
  for (let index = 0; index < words.length;) {
    const name = nameAt(words, index, context.isKnown);
    const word = words[index];
    const isWork = name && name.kind !== 'date' && (name.kind === 'title' || name.kind !== 'person');
    if (isWork) {
      if (!isList) works.length = 0;
      works.push(name.text);
      isList = true;
      index = name.end;
      continue;
    }
    if (
      word?.isCapital === true &&
      word.kind === 'word' &&
      fullName([word], context) !== undefined &&
      (!isBefore || index === 0) &&
      works.length === 0
    ) {
      works.push(word.text);
      isList = true;
      index += 1;
      continue;
    }
    const isLink = word?.kind === 'mark' ? /^[,()–—-]$/u.test(word.text) : LINK.test(word?.lower ?? '');
    const isKind =
      isBefore &&
      word?.kind === 'word' &&
      (index === words.length - 1 || !word.tags.has('Verb')) &&
      words.length - index <= MAX_KIND_WORDS;
    if (!isLink && !isKind) {
      if (!isBefore) return works;
      isList = false;
      works.length = 0;
    }
    index += 1;
  }
  return works;
}

const MAX_KIND_WORDS = 5;
const LINK = /^(?:and|or|both|all|also|each|a|an|the|are|is|was|were|which|that)$/u;
const DOUBT = /^(?:not|if|whether|never|think|thinks|thought|believe|guess|maybe|perhaps|who|which|what)$/u;
/** Verb forms, with the predicate that they state. */
const MAKING: Readonly<Record<string, string>> = {
  directed: 'directed',
  written: 'wrote',
  wrote: 'wrote',
  composed: 'composed',
  painted: 'painted',
  founded: 'founded',
  created: 'created',
  invented: 'invented',
  produced: 'produced',
  designed: 'designed',
  discovered: 'discovered',
  sung: 'sang',
  drawn: 'drew',
};
