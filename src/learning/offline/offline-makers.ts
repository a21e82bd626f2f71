import type { StatedFact } from './offline-facts.ts';
import { nameAt } from './offline-names.ts';
import type { Referents } from './offline-referents.ts';
import { pastForm } from './offline-verbs.ts';
import type { Word } from './offline-words.ts';

/**
 * Who made what a sentence names by the way: `"Interstellar" and "Inception", both films directed by Christopher Nolan`.
 * That holds even where the rest of the sentence is only a suggestion.
 */
export function makersIn(words: readonly Word[], referents: Referents): StatedFact[] {
  const facts: StatedFact[] = [];
  for (const [index, word] of words.entries()) {
    if (!MAKING.has(word.lower) || words[index + 1]?.lower !== 'by') continue;
    const maker = makerAt(words, index + 2, referents);
    if (maker === undefined || words.slice(0, index).some(({ lower }) => DOUBTS.has(lower))) continue;
    for (const work of worksBefore(words, index, referents)) {
      facts.push({ subject: maker, predicate: pastForm(word.lower), object: work });
    }
  }
  return facts;
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

/** The titles before a participle, with nothing between but what they are: `, both sci-fi films`. */
function worksBefore(words: readonly Word[], end: number, referents: Referents): string[] {
  const works: string[] = [];
  let isList = false;
  for (let index = 0; index < end;) {
    const name = nameAt(words, index, (lower) => referents.knows(lower));
    if (name && name.end <= end && name.kind !== 'date' && name.kind !== 'person') {
      if (!isList) works.length = 0;
      works.push(name.text);
      isList = true;
      index = name.end;
      continue;
    }
    const word = words[index];
    const isBetween =
      word?.kind === 'mark' ? /^[,()–—-]$/u.test(word.text) : word !== undefined && BETWEEN.has(word.lower);
    const isKind =
      word?.kind === 'word' &&
      (index === end - 1 || !word.tags.has('Verb')) &&
      words.slice(index, end).length <= MAX_KIND_WORDS;
    if (!isBetween && !isKind) {
      isList = false;
      works.length = 0;
    }
    index++;
  }
  return works;
}

const MAX_KIND_WORDS = 5;
const BETWEEN = new Set('and or both all also each a an the are is was were which that'.split(' '));
const MAKING = new Set(
  'directed written composed painted founded created invented produced designed developed built sung drawn'.split(
    ' ',
  ),
);
const DOUBTS = new Set('not if whether never'.split(' '));
