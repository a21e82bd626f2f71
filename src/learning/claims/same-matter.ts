import { isLimitedInTime, isOfTheseDays } from '../../language/limited-times.ts';
import { isSameStem } from '../../language/matters.ts';
import { haveOtherNames, isSameSubject } from '../../language/people.ts';
import { isSomeShared } from './individuals.ts';
import { readClaim, readParts, reportsChange, type ClaimReading, type Said } from './claim-reading.ts';

/**
 * Whether a later clause is about the subject and the matter of some words of an earlier one, so that it can say that
 * they are over: a thing or somebody that both name, or a matter like a home, which a person has one of at a time. A health
 * condition has to be named.
 */
export function isSameMatter(later: Said, claim: string, quote: string): boolean {
  const read = readClaim(later);
  const isForNow = isLimitedInTime(read.folded) || (isOfTheseDays(read.folded) && !reportsChange(read));
  if (read.isBygone || isForNow) return false;
  const parts = readParts({ text: claim });
  const quoted = parts.filter(({ part }) => part.text.includes(quote) || quote.includes(part.text));
  return (quoted.length > 0 ? quoted : parts).some((target) => isAbout(read, target));
}

function isAbout(later: ClaimReading, target: ClaimReading): boolean {
  const [roles, before] = [later.people.roles, target.people.roles];
  // "My cousin Mia" is not "my cat Mia", and what a friend does is not what the user does.
  if (roles.size > 0 && !isSomeShared(roles, before)) return false;
  const isNamed = haveSharedStem(later.people.names, target.people.names);
  const isSameThing = isNamed || haveSharedStem(later.things, target.things);
  if (!isSameThing && haveOtherNames(later.people.names, target.people.names)) return false;
  if (!isNamed && !isSameSubject(later.people, target.people)) return false;
  if (target.conditions.size > 0) return isSomeShared(later.conditions, target.conditions);
  return isSameThing || isSomeShared(roles, before) || isOneMatter(later, target);
}

function isOneMatter(later: ClaimReading, target: ClaimReading): boolean {
  return (
    target.matters.some(
      (isOfMatter, at) => isOfMatter && (later.matters[at] === true || later.changes[at] !== undefined),
    ) ||
    later.wishes.some((side) => target.wishes.includes(side)) ||
    later.attributes.replaced.some((noun) => target.attributes.held.includes(noun))
  );
}

function haveSharedStem(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((stem) => [...other].some((each) => isSameStem(stem, each)));
}
