import { nameKey } from '../graph/entity-name.ts';
import { predicateForm } from '../graph/predicate.ts';
import { hasMarkup } from '../language/quotable-text.ts';
import { clauseBefore } from '../language/people.ts';
import { isQuestion, splitSentences } from '../language/sentences.ts';
import { analyze, contentTerms } from '../language/terms.ts';
import { dayOf } from '../model/clock.ts';
import type { ExtractionInput } from './extractor.ts';
import { MAX_NOTE_CHARACTERS, USER_NAME, type FirstPerson } from './first-person.ts';
import type { ParsedTriple } from './parse-replies.ts';
import { isEnding } from './claims/endings.ts';
import { isSameMatter } from './claims/same-matter.ts';
import { lineCheck, type LineCheck, type SaidLine } from './support/line-support.ts';
import { readRelations, RELATIONS } from './support/relations.ts';
import { states, whyUnsaid, type UnsaidReason } from './support/says-fact.ts';

/** Why a quote does not support a fact. */
export type UnsupportedReason = 'quote-too-short' | 'object-not-in-quote' | 'unknown-subject' | UnsaidReason;

const DENIALS = ['not', 'no', 'never'];
/** Shorter quotes mean nothing out of context, unless they are the whole message. */
const QUOTE_WORDS = 3;
/** Limits of what is read to find out who "she" is. */
const MESSAGES_BEFORE = 8;
const MAX_BEFORE_CHARACTERS = 1000;
/** In scripts without spaces between words, every character counts as a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}\p{M}'’-]+/gu;

/** What a fact is said to come from. */
export interface Cited {
  /** The words of the message; absent if the whole message counts. */
  readonly quote: string | undefined;
  readonly speaker: FirstPerson;
  /** When the fact stops, in milliseconds since 1970, if the model says so. */
  readonly validTo: number | undefined;
}

/** Words from which a fact was read, and the claim that they stand in. */
export interface Quoted {
  readonly quote: string;
  readonly claim: string;
}

/** Checks a model's proposals against the messages that it was shown. */
export interface Support {
  /**
   * Returns why a fact is not supported, or undefined if it is. All content words of the object must be in the quote,
   * the subject must have been mentioned, and the quote's clause must say the predicate: see {@link whyUnsaid}. Without
   * a quote the whole message is used. To negate a known fact, a negation is enough.
   */
  readonly whyUnsupported: (
    fact: ParsedTriple,
    messageId: string,
    cited: Cited,
  ) => UnsupportedReason | undefined;
  /**
   * Whether words may end a known fact: they state something of the same subject and matter. What a supported fact says
   * in place of another value of the same relation is about the same matter, too. Of words about another time only a
   * change ends anything.
   */
  readonly mayEnd: (
    factId: string,
    messageId: string,
    quote: string | undefined,
    said: ParsedTriple | UnsupportedReason,
  ) => boolean;
  /** Returns the fact in the wording in which it is known, or undefined if it is new. */
  readonly inKnownWording: (fact: ParsedTriple) => ParsedTriple | undefined;
  /** Returns a duplicate key, equal for facts of one message that say the same in nearly the same words. */
  readonly keyOf: (fact: ParsedTriple & { readonly messageId: string }) => string;
  /** Whether the messages, or what is already known, support every sentence of a note. */
  readonly isSourced: (note: string) => boolean;
  /** Returns the first sentence of a message that contains a name and is not a question, or an empty string. */
  readonly statement: (messageId: string, name: string) => string;
}

/**
 * @param relations the relations that may be stated in other words
 * @param wordsOf returns the words from which a known fact was read
 * @throws MnemoraError `invalid-option`
 */
export function supportOf(
  { messages, context, entities, facts: known }: ExtractionInput,
  relations: readonly string[] = RELATIONS,
  wordsOf: (factId: string) => readonly Quoted[] = () => [],
): Support {
  const facts = known.filter(({ isUnconfirmed }) => isUnconfirmed !== true);
  const read = [...context, ...messages];
  const wordings = readRelations(relations);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const sources = [
    ...read.map(({ text, name, createdAt }) => `${dayOf(createdAt) ?? ''} ${name ?? ''}\n${text}`),
    ...entities.map(({ name, aliases, summary }) => [name, ...aliases, summary].join('\n')),
    ...facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`),
  ];
  const knownFacts = new Map(facts.map((fact) => [factSignature(fact), fact]));
  /** Returns the user's message before an assistant's answer. */
  const askedBefore = (messageId: string): string => {
    const at = read.findIndex(({ id }) => id === messageId);
    const before = read[at - 1];
    return read[at]?.role === 'assistant' && before?.role === 'user' ? before.text : '';
  };
  const saidBefore = (messageId: string): string => {
    const at = read.findIndex(({ id }) => id === messageId);
    return read
      .slice(Math.max(0, at - MESSAGES_BEFORE), at)
      .map(({ text }) => text.slice(-MAX_BEFORE_CHARACTERS))
      .join('\n');
  };
  const lines: SaidLine[] = [
    ...read.map(({ role, text, name, createdAt }): SaidLine => {
      const speaker =
        role === 'user' && name === undefined ? 'user' : role === 'assistant' ? 'assistant' : 'note';
      return { speaker, text: `${text}\n${dayOf(createdAt) ?? ''} ${name ?? ''}` };
    }),
    ...sources.slice(read.length).map((text): SaidLine => ({ speaker: 'note', text })),
  ];
  let isSupported: LineCheck | undefined;
  let terms: ReadonlySet<string> | undefined;
  const isKnown = (term: string): boolean => (terms ??= new Set(sources.flatMap(analyze))).has(term);
  return {
    whyUnsupported: (fact, messageId, { quote: given, speaker, validTo }) => {
      const { text = '', createdAt = 0 } = byId.get(messageId) ?? {};
      const quote = given ?? text;
      // "I'm not" is enough if it negates a known fact.
      const isDenial = predicateForm(fact.predicate).isNegated && knownFacts.has(factSignature(fact, true));
      if (isDenial && analyze(quote).some((term) => DENIALS.includes(term))) return undefined;
      const words = wordCount(quote);
      if (words < QUOTE_WORDS && words < wordCount(text)) return 'quote-too-short';
      const quoted = new Set(analyze(quote));
      const isIn = (said: ReadonlySet<string>): boolean =>
        tellingTerms(fact.object).every((term) => said.has(term));
      // The words of the question belong to an assistant's answer, which is not the user's word anyway.
      if (!isIn(quoted))
        return isIn(new Set(analyze(`${quote}\n${askedBefore(messageId)}`)))
          ? undefined
          : 'object-not-in-quote';
      const named = tellingTerms(fact.subject);
      if (named.length > 0 && !named.some(isKnown)) return 'unknown-subject';
      const isOver = validTo !== undefined && validTo <= createdAt;
      return whyUnsaid(fact, { text, quote, earlier: saidBefore(messageId), speaker, isOver }, wordings);
    },
    mayEnd: (factId, messageId, given, said) => {
      const fact = known.find(({ id }) => id === factId);
      if (!fact) return false;
      const { text = '' } = byId.get(messageId) ?? {};
      const quote = given ?? text;
      if (!states(text, quote)) return false;
      if (typeof said === 'object' && isSameRelation(said, fact)) return true;
      if (said === 'other-time' && !isEnding(quote)) return false;
      const words = wordsOf(factId);
      const sentence = `${fact.subject} ${fact.predicate} ${fact.object}`;
      const before = words.length > 0 ? words : [{ quote: sentence, claim: sentence }];
      // A quote can leave out its subject: "[my neighbor] sold her Volvo".
      const later = { text: `${clauseBefore(text, Math.max(0, text.indexOf(quote)))}${quote}` };
      return before.some((each) => isSameMatter(later, each.claim, each.quote));
    },
    inKnownWording: (fact) => {
      const same = knownFacts.get(factSignature(fact));
      return same && { subject: same.subject, predicate: same.predicate, object: same.object };
    },
    keyOf: (fact) => `${fact.messageId} ${factSignature(fact)}`,
    isSourced: (note) => {
      if (hasMarkup(note)) return false;
      isSupported ??= lineCheck(lines);
      return splitSentences(note).every(isSupported);
    },
    statement: (messageId, name) => {
      const needed = tellingTerms(name);
      const sentences = splitSentences(byId.get(messageId)?.text ?? '').map((sentence) => sentence.trim());
      const found = sentences.find((sentence) => {
        const said = new Set(analyze(sentence));
        return !isQuestion(sentence) && needed.every((term) => said.has(term));
      });
      return found !== undefined && found.length <= MAX_NOTE_CHARACTERS ? found : '';
    },
  };
}

/**
 * Returns a key that is equal for facts that say the same in nearly the same words, such as `has cat / Miso`, `has /
 * a cat named Miso` and `has / the cat Miso`. With `isDenied`, it equals the key of the negated fact.
 */
function factSignature({ subject, predicate, object }: ParsedTriple, isDenied = false): string {
  const { key, isNegated } = predicateForm(predicate);
  const said = analyze(`${key} ${object}`).filter((term) => !IDLE_TERMS.has(term));
  return JSON.stringify([nameKey(subject), isNegated !== isDenied, said]);
}

function isSameRelation(one: ParsedTriple, other: ParsedTriple): boolean {
  const [said, before] = [predicateForm(one.predicate), predicateForm(other.predicate)];
  return nameKey(one.subject) === nameKey(other.subject) && said.key === before.key;
}

const IDLE_TERMS: ReadonlySet<string> = new Set(
  analyze('a an the to my his her its our your their named called'),
);

function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/**
 * Returns the content words of a name, or all of its words if it has none. Empty for the user, because "I" is enough.
 */
function tellingTerms(name: string): string[] {
  const all = analyze(name);
  const telling = contentTerms(name).filter((term) => term !== USER_NAME);
  return telling.length > 0 || all.includes(USER_NAME) ? telling : all;
}
