/** A text that begins in the first person, perhaps behind a quotation mark. Folded and unfolded texts match. */
export const BEGINS_FIRST_PERSON: RegExp =
  /^\s*["'“„«]?(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|our|ich|mein\w*|wir|je|j'|mon|ma|mes|yo|mi|mis|eu|meu|minha|io|mio|mia|ho)(?![\p{L}])/iu;
