import type { Clause } from './clauses.ts';
import { fold } from './fold.ts';
import { hasWord, wordPattern } from './words/life-words.ts';
import { regex } from './words/lists.ts';

/**
 * Whether a clause belongs to a request in front of it: it continues its sentence ("write a note, friendly and short") or
 * describes what is asked for in a message that says nothing of its author ("Write a dialogue. No gore.").
 */
export function isPartOfRequest(clauses: readonly Clause[], position: number): boolean {
  const clause = clauses[position];
  if (!clause || saysOfSomebody(clause.text)) return false;
  const lead = leadOf(clauses, position);
  const request = clauses[lead]?.text ?? '';
  if (lead !== position && isRequest(request)) return !OWN.test(fold(behindColon(request)));
  if (position === 0 || !isRequest(clauses[0]?.text ?? '')) return false;
  return clauses.every(({ text }) => !OWN.test(fold(text).replaceAll(ASKING, ' ')));
}

/** What a request is about: "help me plan my week: I study in the morning and work at night". */
function behindColon(text: string): string {
  const colon = text.search(/[:：](?:\s|$)/u);
  return colon < 0 ? '' : text.slice(colon + 1);
}

/** Returns the first clause of the sentence of a clause. */
function leadOf(clauses: readonly Clause[], position: number): number {
  let at = position;
  while (at > 0 && !SENTENCE_END.test(clauses[at - 1]?.text ?? '')) at -= 1;
  return at;
}

const SENTENCE_END = /[.!?…。！？]["”»)]?\s*$/u;

function isRequest(text: string): boolean {
  const folded = fold(text);
  const [opener = '', second = ''] = folded.match(/[\p{L}'-]+/gu) ?? [];
  return hasWord(`${opener} ${second}`, 'request') || ASKS.test(folded);
}

function saysOfSomebody(text: string): boolean {
  const folded = fold(text);
  const isOfLife = (['kin', 'others', 'pet', 'health', 'diet', 'date'] as const).some((each) =>
    hasWord(folded, each),
  );
  return isOfLife || OWN.test(folded.replaceAll(ASKING, ' ')) || NAME.test(text);
}

/** A name, but no word in capital letters as those of code. */
const NAME = /(?<=[\p{L}\p{N},;(:]['’]?\s+)(?!I\b|I['’])\p{Lu}\p{Ll}/u;

/** "Give me", "help me", "I need a script": the author of a request is in every request. */
const ASKING = regex(
  String.raw`\b(?:(?:give|help|tell|show|write|explain|make|send|find|draft|suggest|recommend|remind) me|i (?:need|want|would like|'d like) (?:an?|some|you)|(?:can|could|would|will) (?:you|u)
    ayudame|me (?:puedes|podrias)|puedes ayudarme|aide-moi|peux-tu m'\w+|kannst du mir|hilf mir|me ajud\w+)\b`,
  'gu',
);
const OWN = regex(
  String.raw`(?<![\p{L}'])(?:i|im|i'\p{L}+|ive|me|my|mine|myself|we|we'\p{L}+|us|our|ours|ich|mir|mich|mein\p{L}*|wir|uns|unser\p{L}*|yo|mi|mis|nosotr[ao]s|nuestr[ao]s?|je|moi|mon|ma|mes|nous|notre|nos|eu|meus?|minhas?|noss[ao]s?|io|mio|mia|miei|{iVerb})(?![\p{L}'])|(?<!\p{L})[jm]'|我|私|僕|俺`,
  'u',
);
const ASKS = wordPattern(
  String.raw`(?:can|could|would|will) (?:you|u)|i (?:need|want) (?:an?|some|you)|kannst du|puedes|podrias|peux-tu|pouvez-vous|pode / 帮我|教えて|ください`,
);
