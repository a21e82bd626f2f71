import { USER_NAME } from '../first-person.ts';
import { ownerAt, type Speaking } from './offline-owners.ts';
import { NOBODY, readSlot } from './offline-slots.ts';
import type { ClauseContext, StatedFact } from './offline-statements.ts';
import type { FoundSubject } from './offline-subjects.ts';
import { textOf, type Word } from './offline-words.ts';

/**
 * Returns where the user lives if it is mentioned in passing: `my flat in Leeds`, `here in Leeds`; and `as a nurse,
 * I`.
 */
export function homesIn(words: readonly Word[], context: ClauseContext): StatedFact[] {
  const text = words.map(({ text: each }) => each.replaceAll(/\s/gu, '_')).join(' ');
  return AT_HOME.flatMap(([pattern, predicate, slot]) => {
    const match = pattern.exec(text);
    const [from, to] = match?.indices?.groups?.['what'] ?? [0, 0];
    const found =
      to > from
        ? readSlot(
            slot,
            words.slice(text.slice(0, from).split(' ').length - 1, text.slice(0, to).split(' ').length),
            context,
          )
        : undefined;
    return (found ?? []).map((object) => ({ subject: USER_NAME, predicate, object }));
  });
}

const AT_HOME: readonly (readonly [RegExp, string, string])[] = [
  [
    /\b(?:my|our) (?:own |new |little |small |old |tiny )?(?:flat|house|home|apartment|garden|shop|farm|studio|cottage|allotment|kitchen|bakery|salon|cafe) in (?<what>\p{Lu}[\p{L}'-]+)(?= |$)/du,
    'is based in',
    'city',
  ],
  [/\bhere in (?<what>\p{Lu}[\p{L}'-]+)(?= |$)/du, 'is based in', 'city'],
  [
    /^(?:(?:hi|hello|hey),? )?(?:,? ?this is|it is|its|it 's) (?<what>\p{Lu}\p{Ll}+)(?: here| again| from .{2,30})?[ .!]*$/du,
    'is named',
    'self',
  ],
  [/^(?:(?:hi|hello|hey) ,? ?)?(?<what>\p{Lu}\p{Ll}+) here\b/du, 'is named', 'self'],
  [/^as (?<what>an? [\p{L} -]+?) ,? ?(?:i|we) /diu, 'is a', 'job'],
];

/** Returns the relation stated by `Emma is my sister` or `Sam is a friend of mine`. */
export function relatedBy(subject: FoundSubject, speaking: Speaking): StatedFact[] {
  const [be, ...rest] = subject.rest;
  if (!/^(?:is|are)$/u.test(be?.lower ?? '') || subject.kin || subject.property) return [];
  const isMine = rest.length > 2 && textOf(rest.slice(-2)).toLowerCase() === 'of mine';
  const owner = isMine ? { name: USER_NAME, end: 0 } : ownerAt(rest, speaking);
  const nouns = isMine ? rest.slice(0, -2) : rest.slice(owner?.end ?? 0);
  const [noun] = owner ? (readSlot('kin', nouns, NOBODY) ?? []) : [];
  if (owner?.name === undefined || noun === undefined) return [];
  const name = owner.name;
  return subject.names
    .filter((each) => each !== USER_NAME)
    .map((object) => ({ subject: name, predicate: `has ${noun}`, object }));
}
