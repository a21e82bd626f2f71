import { invalidInput, invalidOption, type MnemoraError } from '../model/error.ts';

export interface PromptTemplate {
  /** Names of the variables, each once, in order of first appearance. */
  readonly variables: readonly string[];
  /**
   * Returns the text with every variable replaced by its value. Values are strings, numbers or booleans and are inserted
   * verbatim, even if they contain "{x}". Values of unknown names are ignored.
   *
   * @throws MnemoraError `invalid-input` if a variable has no value, or a value of another type
   */
  format(values: Readonly<Record<string, unknown>>): string;
}

/**
 * Returns a template of a text with `{name}` variables. `{{` and `}}` stand for single braces.
 *
 * @throws MnemoraError `invalid-option` if a brace is neither part of a variable nor doubled
 * @example promptTemplate('Hello {name}').format({ name: 'Ada' }) // 'Hello Ada'
 */
export function promptTemplate(text: string): PromptTemplate {
  const pieces = parsePieces(text);
  const names = pieces.flatMap(({ name }) => name ?? []);
  return {
    variables: Object.freeze([...new Set(names)]),
    format: (values) =>
      pieces.map((piece) => (piece.name === undefined ? piece.text : valueOf(values, piece.name))).join(''),
  };
}

/** A piece of plain text, or the name of a variable. */
type Piece = { text: string; name?: never } | { name: string };

/** Matches plain text, a doubled brace, a variable, or (last) any other brace, which is an error. */
const PIECE = /([^{}]+)|(\{\{|\}\})|\{([\p{L}_][\p{L}\p{N}_-]*)\}|([{}])/gu;

function parsePieces(text: string): Piece[] {
  if (typeof text !== 'string') throw malformed(`must be a string, not ${typeof text}`);
  return Array.from(text.matchAll(PIECE), (match): Piece => {
    const [, plain, doubled, name] = match;
    if (plain !== undefined) return { text: plain };
    if (doubled !== undefined) return { text: doubled.slice(1) };
    if (name !== undefined) return { name };
    const excerpt = text.slice(match.index, match.index + 20);
    throw malformed(
      `has a brace at position ${match.index} ("${excerpt}") that belongs to no variable; double it to mean the brace itself`,
    );
  });
}

function valueOf(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (INSERTED.includes(typeof value)) return String(value);
  throw invalidInput(
    value === undefined
      ? `The prompt's variable "${name}" has no value; got: ${Object.keys(values).join(', ') || 'none'}.`
      : `The prompt's variable "${name}" must be text, a number or a boolean, not ${value === null ? 'null' : typeof value}.`,
  );
}

/** Types of the values that can be inserted. */
const INSERTED: readonly string[] = ['string', 'number', 'bigint', 'boolean'];

function malformed(what: string): MnemoraError {
  return invalidOption(`A prompt template ${what}.`);
}
