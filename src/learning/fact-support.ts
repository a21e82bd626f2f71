import { predicateForm } from '../graph/predicate.ts';
import { nameKey } from '../graph/entity-name.ts';
import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import { MAX_NOTE_CHARACTERS } from './check-names.ts';
import { USER_NAME } from './first-person.ts';
import { splitSentences } from './near-copies.ts';
import type { ExtractionInput } from './extractor.ts';
import { unsourcedWords } from './llm/unsourced-words.ts';
import type { ParsedTriple } from './parse-triples.ts';

/** Why quoted words do not support a fact. */
export type LackOfSupport = 'quote-too-short' | 'object-not-in-quote' | 'unknown-subject';

const DENIALS = ['not', 'no', 'never'];
const ASKS = /[?？]["'”’)\]]*$/u;
/** Fewer say nothing without what stands around them, unless they are all that was said. */
const QUOTE_WORDS = 3;
/** Scripts without spaces between words count by the character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}\p{M}'’-]+/gu;

/** Holds what a model proposes against what it was shown. */
export interface Support {
  /**
   * What a fact lacks. All words of its object that mean something must stand in the quote, or in the question to which
   * an assistant's message is the answer, and its subject must be somebody or something that was named. Without a quote
   * the whole message is one. What denies a known fact needs a negation alone.
   */
  readonly lackOf: (
    fact: ParsedTriple,
    messageId: string,
    quote: string | undefined,
  ) => LackOfSupport | undefined;
  /** The same fact in the words in which it is known; undefined where it is new. */
  readonly asKnown: (fact: ParsedTriple) => ParsedTriple | undefined;
  /** The same for facts of one message that say the same in nearly the same words. */
  readonly keyOf: (fact: ParsedTriple & { readonly messageId: string }) => string;
  /** Whether a note has no name and no number but those that were said or known. */
  readonly isSourced: (note: string) => boolean;
  /** The first sentence of a message that has a name and does not ask; empty where there is none. */
  readonly statement: (messageId: string, name: string) => string;
}

export function supportOf({ messages, context, entities, facts }: ExtractionInput): Support {
  const read = [...context, ...messages];
  const texts = new Map(messages.map(({ id, text }) => [id, text]));
  const sources = [
    ...read.map(({ text, name, createdAt }) => `${dateOf(createdAt)} ${name ?? ''}\n${text}`),
    ...entities.map(({ name, aliases, summary }) => [name, ...aliases, summary].join('\n')),
    ...facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`),
  ];
  const knownFacts = new Map(facts.map((fact) => [factSignature(fact), fact]));
  /** What the user said right before, for an answer of the assistant is told in the words of the question, too. */
  const askedBefore = (messageId: string): string => {
    const at = read.findIndex(({ id }) => id === messageId);
    const before = read[at - 1];
    return read[at]?.role === 'assistant' && before?.role === 'user' ? before.text : '';
  };
  let terms: ReadonlySet<string> | undefined;
  const isKnown = (term: string): boolean => (terms ??= new Set(sources.flatMap(analyze))).has(term);
  return {
    lackOf: (fact, messageId, given) => {
      const { subject, object } = fact;
      const message = texts.get(messageId) ?? '';
      const quote = given ?? message;
      // "I'm not" says enough where it denies what is known.
      const isDenial = predicateForm(fact.predicate).isNegated && knownFacts.has(factSignature(fact, true));
      if (isDenial && analyze(quote).some((term) => DENIALS.includes(term))) return undefined;
      const words = wordCount(quote);
      if (words < QUOTE_WORDS && words < wordCount(message)) return 'quote-too-short';
      const quoted = new Set(analyze(`${quote}\n${askedBefore(messageId)}`));
      if (!tellingTerms(object).every((term) => quoted.has(term))) return 'object-not-in-quote';
      const named = tellingTerms(subject);
      return named.length > 0 && !named.some(isKnown) ? 'unknown-subject' : undefined;
    },
    asKnown: (fact) => {
      const known = knownFacts.get(factSignature(fact));
      return known && { subject: known.subject, predicate: known.predicate, object: known.object };
    },
    keyOf: (fact) => `${fact.messageId} ${factSignature(fact)}`,
    isSourced: (note) => unsourcedWords(note, sources).length === 0,
    statement: (messageId, name) => {
      const needed = tellingTerms(name);
      const sentences = splitSentences(texts.get(messageId) ?? '').map((sentence) => sentence.trim());
      const found = sentences.find((sentence) => {
        const said = new Set(analyze(sentence));
        return !ASKS.test(sentence) && needed.every((term) => said.has(term));
      });
      return found !== undefined && found.length <= MAX_NOTE_CHARACTERS ? found : '';
    },
  };
}

/**
 * The same for facts, or with `isDenied` for a fact and its denial, that say the same in nearly the same words: `has cat / Miso`, `has / a cat named Miso` and
 * `has / the cat Miso`.
 */
function factSignature({ subject, predicate, object }: ParsedTriple, isDenied = false): string {
  const { key, isNegated } = predicateForm(predicate);
  const said = analyze(`${key} ${object}`).filter((term) => !IDLE_TERMS.has(term));
  return JSON.stringify([nameKey(subject), isNegated !== isDenied, said]);
}

const IDLE_TERMS: ReadonlySet<string> = new Set(
  analyze('a an the to my his her its our your their named called'),
);

/** The model is told the day of each message, and may name it. */
function dateOf(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString().slice(0, 10) : '';
}

function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** Words that mean something; all of a name that has no others. The user needs no word: "I" is enough. */
function tellingTerms(name: string): string[] {
  const terms = analyze(name).filter((term) => term !== USER_NAME);
  const telling = terms.filter((term) => !ENGLISH_STOP_WORDS.has(term));
  return telling.length > 0 || terms.length < analyze(name).length ? telling : terms;
}
