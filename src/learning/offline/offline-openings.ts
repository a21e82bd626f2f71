import type { Word } from './offline-words.ts';

/** Removes phrases that only introduce a clause: `well,`, `by the way,`, `I told you that`. */
export function withoutLead(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (;;) {
    const lead = LEADS.find((phrase) => phrase.every((lower, index) => rest[index]?.lower === lower));
    const taken = lead?.length ?? (rest[0]?.kind === 'mark' ? 1 : 0);
    if (taken === 0 || taken >= rest.length) return rest;
    rest = rest.slice(taken);
  }
}

/** Adds the verb that users leave out: `allergic to nuts` becomes `be allergic to nuts`. */
export function withVerb(words: readonly Word[]): readonly Word[] {
  return needsBe(words[0]?.lower === 'now' ? words[1] : words[0]) ? [BE, ...words] : words;
}

/** Whether a clause without a subject is about the user: "got 2 cats", "allergic to nuts", "can't swim". */
export function isDroppedUser(words: readonly Word[]): boolean {
  const [first, second, third] = words;
  if (first?.kind !== 'word') return false;
  if (/^(?:can|do)$/u.test(first.lower) && second?.lower === 'not')
    return /^(?:eat|drink|swim|drive|smoke|have|stand|like|cook)$/u.test(third?.lower ?? '');
  return (
    DROPPED.test(first.lower) || needsBe(first) || (/^(?:not|no)$/u.test(first.lower) && needsBe(second))
  );
}

function needsBe(word: Word | undefined): boolean {
  return (
    word?.kind === 'word' &&
    !word.isCapital &&
    /^(?:living|using|running|studying|learning|moving|allergic|intolerant|based|vegan|vegetarian|pescatarian|diabetic|pregnant|divorced|married|retired|widowed|engaged|dating|expecting|lactose|not|no)$/u.test(
      word.lower,
    )
  );
}

const DROPPED =
  /^(?:got|bought|adopted|moved|relocated|suffer|started|have|hate|love|work|live|hired|turned|retired|am|age|joined|born)$/u;

const BE: Word = {
  text: 'be',
  lower: 'be',
  kind: 'word',
  tags: new Set(['Verb']),
  isCapital: false,
  isFirst: false,
};

const LEADS: readonly (readonly string[])[] = [
  ...`by the way, as i said, as you know, for the record, just so you know, i told you that, i told you, i said that, i said, remember that, you know that, i mean, remember, please remember, please note, note,
  nice to meet you, the thing is, to be honest, in fact, at the moment, these days, right now, you are wrong, that is right, good morning, good evening, in case it helps,
  for context, for background, fun fact, long story short, turns out, it turns out, in my case, as for me, unlike you, once again, good news, bad news, big news, quick update, no worries`.split(
    /,\s+/u,
  ),
  ...`well yes no yeah yea nope yep yup ya hi hiya hello hey heyy yo oi oh ah aw aww ok okay k so and or but also now actually currently btw fyi honestly sadly luckily
  recently then sure right great thanks sorry unfortunately fortunately today still correction wrong correct indeed anyway anyways plus because background context update
  lol haha hmm um uh basically literally incidentally alas nvm ps edit finally first second ugh omg wow nah bc though tbh ngl just still`.split(
    /\s+/u,
  ),
].map((phrase) => phrase.trim().split(/\s+/u));
