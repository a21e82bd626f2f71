import { regex } from '../words/lists.ts';

/** Whether a statement ends where what somebody else says begins: "My cousin says". */
export function opensQuotation(text: string): boolean {
  return OPENS_QUOTATION.test(text);
}

/** Whether a statement is what a relative or friend thinks, or what the user only supposes: neither may be so. */
export function isOpinion(text: string): boolean {
  return OTHERS_THINK.test(text) || UNSURE.test(text);
}

/** Whether a statement compares something with what is not so: "it's as if I were deaf". */
export function isCompared(text: string): boolean {
  return COMPARED.test(text);
}

const COMPARED = /^(?:[\p{L}'’]+ ){1,3}(?:like|as) if (?:i|we|my|our)\b/iu;
const OPENS_QUOTATION =
  /(?<!\b(?:i|we)(?: have|['’]ve)?(?: just| already)?) (?:says|said|tells (?:me|us)|told (?:me|us)|thinks|asks|asked|reckons|swears)[^\p{L}\p{N}]*$/iu;
const OTHERS_THINK = regex(
  String.raw`^(?:\p{L}+ )?(?:{my}) (?:\p{L}+ ){1,3}(?:says?|thinks?|reckons|jokes|swears|dice|diz|dit|pense|meint|sagt|findet)(?!\p{L})`,
  'iu',
);
const UNSURE =
  /(?<![\p{L}'’])(?:i (?:just )?(?:think|guess|suppose|suspect|feel like)|i['’]?m thinking|ich (?:glaube|denke|vermute)|creo que|supongo que|je (?:pense|crois)|eu? acho que|credo che|penso che)(?!\p{L})/iu;
