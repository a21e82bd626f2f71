import { analyze } from '../terms.ts';

/** Everyday words that stand for each other in a summary, a set a line. Not for words that differ in degree or truth. */
const SETS = `mother mum mom mama mommy
father dad papa daddy
grandmother grandma granny nan
grandfather grandpa grandad granddad
husband hubby
girlfriend gf
boyfriend bf
child kid
couple we us our partner wife husband
parents mum mom dad
raise rise increase hike
reduce lower cut decrease
answer reply respond write
write draft compose
begin start
end finish complete stop
leave quit resign
buy purchase get
rent lease let
flat apartment
house home
job work position role employment
doctor physician gp
photo picture
film movie
bike bicycle cycling
car auto automobile
phone telephone mobile
holiday vacation trip
trip travel journey
child kid toddler
well successful successfully fine good
big large huge
small little tiny
fast quick quickly
buy order
meet see
learn study
teach instruct
repair fix mend
sick ill unwell
happy glad pleased
sad unhappy
angry annoyed upset
afraid scared fear
tired exhausted
hungry starving
cheap inexpensive affordable
choose pick select decide
prefer rather lean
compare debate weigh consider
plan intend going will
try attempt
need require
allow permit
show display
send mail email
call phone ring
talk speak discuss
program code programming developer
cook prepare make
colleague coworker
boss manager supervisor
neighbor neighbour
town city
exam test
school class
university uni college
euro eur
dollar usd
pound gbp
year annual yearly
month monthly
week weekly
day daily
kilo kg kilogram
refuse decline no
vegan plant-based
allergic allergy
wedding marry marriage
birthday bday
dog puppy pup
cat kitten kitty
medication medicine meds pills tablets
surgery operation
pain hurt ache
weekend saturday sunday
evening night tonight
morning breakfast`;

const sets: readonly (readonly string[])[] = SETS.split('\n').map((line) =>
  line.split(' ').map((word) => analyze(word)[0] ?? word),
);
const byTerm = new Map<string, Set<string>>();
for (const set of sets) {
  for (const term of set) {
    const known = byTerm.get(term) ?? new Set();
    for (const other of set) known.add(other);
    byTerm.set(term, known);
  }
}

/** Returns the index terms of the words that stand for a word, itself among them. */
export function standingFor(term: string): ReadonlySet<string> {
  return byTerm.get(term) ?? new Set([term]);
}
