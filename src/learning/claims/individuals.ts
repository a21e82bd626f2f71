import { contentStems } from '../../language/matters.ts';
import type { People } from '../../language/people.ts';
import type { ClaimReading } from './claim-reading.ts';

/** Whether a claim is about one person or pet that the later one can mean: not about a kind or somebody else's. */
export function isMeant({ names, roles }: People, later: ClaimReading, target: ClaimReading): boolean {
  const { people, possessors, folded } = target;
  if (isSomeShared(names, people.names)) return true;
  const isOthers =
    possessors.size > 0 ||
    (!people.isUser && [...people.roles].some((role) => !later.people.roles.has(role)));
  // "My cat" is not the cat that my neighbor has.
  const isDistinct = isOthers && later.possessors.size === 0 && /\b(?:my|our)\b/u.test(later.folded);
  const stems = contentStems([...roles].join(' '));
  const said = Array.from(folded.matchAll(WITH_NEIGHBORS), ({ groups }) => groups ?? {}).filter(
    ({ word = '' }) => isSomeShared(contentStems(word), stems),
  );
  if (said.length === 0) return !isDistinct;
  return said.some(({ before = '', word = '', next = '' }) => {
    const isKind = word.endsWith('s') && !roles.has(word) && !DETERMINED.test(before);
    const isPart = next !== '' && !people.names.has(next) && contentStems(next).size > 0;
    return !isKind && !isPart && (!isDistinct || MINE.test(before));
  });
}

/** Words with up to two in front of them and, behind an article, the word that they may describe: "a dog shelter". */
const WITH_NEIGHBORS =
  /(?<!\p{L})(?<=(?<before>(?:[\p{L}\p{N}']+ ){0,2}))(?<word>\p{L}+)(?:(?<=\b(?:an?|the) \p{L}+)(?= (?!\p{L}+ly\b|(?:called|named|aged)\b)(?<next>\p{L}+))|)/gu;
const DETERMINED =
  /\b(?:my|our|his|her|their|the|these|those|both|all|two|three|four|five|\p{N}+|\p{L}+'s) (?:\p{L}+ )?$/u;
const MINE = /\b(?:my|our) (?:\p{L}+ )?$/u;

/** Whether two sets have a value in common. */
export function isSomeShared<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): boolean {
  return [...one].some((each) => other.has(each));
}
