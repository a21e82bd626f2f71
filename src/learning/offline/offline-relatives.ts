import type { StatedFact, StatementContext } from './offline-facts.ts';
import { nameAt } from './offline-names.ts';
import { ownerAt } from './offline-subjects.ts';
import type { Word } from './offline-words.ts';

/** Facts on the relatives that a sentence names by the way: `my sister Emma`. */
export function relativesIn(words: readonly Word[], context: StatementContext): StatedFact[] {
  const facts: StatedFact[] = [];
  for (let index = 0; index < words.length; index++) {
    const owner = ownerAt(words, context.role, context.referents, index);
    if (owner?.name === undefined) continue;
    const noun = words[owner.end];
    const isRelative = noun?.kind === 'word' && RELATIVES.has(noun.lower);
    const comma = words[owner.end + 1]?.text === ',' ? 1 : 0;
    const name = isRelative ? nameAt(words, owner.end + 1 + comma, () => false) : undefined;
    if (!noun || !name || name.kind === 'date' || (comma === 1 && words[name.end]?.text !== ',')) continue;
    const full = context.referents.fullName(name.text);
    context.referents.relate(owner.name, noun.lower, full);
    if (PEOPLE.has(noun.lower))
      context.referents.note(
        { text: full, kind: 'person', ...(name.gender ? { gender: name.gender } : {}) },
        index === 0,
      );
    facts.push({ subject: owner.name, predicate: `has ${noun.lower}`, object: full });
  }
  return facts;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u));

const PEOPLE = words(
  `wife husband partner girlfriend boyfriend fiance fiancé fiancée fiancee sister brother mother father mom mum dad
  son daughter friend boss colleague coworker manager teacher neighbor neighbour cousin aunt uncle grandmother
  grandfather grandma grandpa roommate flatmate doctor dentist nephew niece twin mentor therapist`,
);
const RELATIVES: ReadonlySet<string> = new Set([
  ...PEOPLE,
  ...words('dog cat horse parrot hamster rabbit puppy kitten pet company startup'),
]);
