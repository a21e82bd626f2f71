import type { Tagger } from '../compromise.ts';
import type { KnownEntity, SourceMessage } from '../extractor.ts';
import { answeredStatements, openQuestion, type OpenQuestion } from './offline-answers.ts';
import { isQuestion, statedClauses } from './offline-clauses.ts';
import { deny, type StatedFact, type StatementContext } from './offline-facts.ts';
import { makersIn } from './offline-makers.ts';
import { findNames, type FoundName } from './offline-names.ts';
import type { ParsedTriple } from '../parse-triples.ts';
import { USER_NAME } from '../first-person.ts';
import { Referents } from './offline-referents.ts';
import { relativesIn } from './offline-relatives.ts';
import { sentencesOf } from './offline-sentences.ts';
import { statedFacts } from './offline-statements.ts';
import { subjectOf } from './offline-subjects.ts';
import { isMainVerb, verbGroupAt } from './offline-verbs.ts';
import { wordsOf, type Word } from './offline-words.ts';

/** What a sentence names and states. */
export interface SentenceReading {
  /** As it stands in the message. */
  readonly quote: string;
  readonly names: readonly FoundName[];
  readonly facts: readonly StatedFact[];
  readonly isQuestion: boolean;
  /** Whether any of it is stated as true. */
  readonly isStated: boolean;
}

/** Reads messages one after the other, and keeps in mind who was spoken of. */
export class DialogueReader {
  readonly #tagger: Tagger;
  readonly #referents = new Referents();
  #question: { readonly asked: OpenQuestion; readonly role: SourceMessage['role'] } | undefined;
  /** What the assistant said last of the user, for "I'm not". */
  #claims: readonly StatedFact[] = [];

  constructor(
    tagger: Tagger,
    entities: readonly Pick<KnownEntity, 'name' | 'aliases'>[],
    facts: readonly ParsedTriple[],
  ) {
    this.#tagger = tagger;
    for (const { name, aliases } of entities)
      for (const known of [name, ...aliases]) this.#referents.learn(known);
    for (const { subject, predicate, object } of facts) {
      const noun = /^has (\p{L}[\p{L} ]{0,30})$/u.exec(predicate)?.[1];
      if (noun !== undefined && /^\p{Lu}/u.test(object)) this.#referents.relate(subject, noun, object);
    }
  }

  /** Reads the next message, sentence by sentence as they are asked for. It has to be read to its end. */
  *read(message: Pick<SourceMessage, 'role' | 'text' | 'createdAt'>): Generator<SentenceReading, void> {
    const context: StatementContext = {
      role: message.role,
      referents: this.#referents,
      now: message.createdAt,
    };
    const question = this.#question;
    this.#question = undefined;
    const claims = message.role === 'user' ? this.#claims : [];
    if (message.role !== 'tool') this.#claims = [];
    for (const [index, quote] of sentencesOf(message.text).entries()) {
      const words = wordsOf(quote, this.#tagger);
      const isAnswer = index === 0 && question !== undefined && question.role !== message.role;
      const statements = isAnswer ? answeredStatements(question.asked, words) : [];
      this.#referents.nextSentence();
      const names = findNames(words, (lower) => this.#referents.knows(lower));
      const isAsked = isQuestion(words);
      const facts =
        statements.length > 0
          ? this.#readAnswers(statements, { ...context, role: question?.role ?? message.role })
          : this.#readStatements(words, context, claims, isAsked);
      this.#keepInMind(names, facts);
      const asked =
        isAsked || /^(?:please |now )*(?:name|list|tell|give)\b/iu.test(quote)
          ? openQuestion(words)
          : undefined;
      if (asked) this.#question = { asked, role: message.role };
      if (message.role === 'assistant')
        this.#claims = [...this.#claims, ...facts.filter(({ subject }) => subject === USER_NAME)];
      const isStated = statedClauses(words).some((clause) => clause.words.some(isMainVerb));
      yield { quote, names, facts, isQuestion: isAsked, isStated };
    }
  }

  #readAnswers(statements: readonly string[], context: StatementContext): StatedFact[] {
    return statements.flatMap((statement) => {
      const words = wordsOf(statement, this.#tagger);
      return statedFacts(words, subjectOf(words, context.role, context.referents), context);
    });
  }

  #readStatements(
    words: readonly Word[],
    context: StatementContext,
    claims: readonly StatedFact[],
    isAsked: boolean,
  ): StatedFact[] {
    const facts = isAsked ? [] : makersIn(words, this.#referents);
    let previous: ReturnType<typeof subjectOf> = { names: [], end: 0 };
    for (const { words: clause, isContinued } of statedClauses(words)) {
      facts.push(...relativesIn(clause, context));
      const subject = isContinued
        ? { names: previous.names, end: 0 }
        : subjectOf(clause, context.role, this.#referents);
      const said = statedFacts(clause, subject, context);
      facts.push(
        ...said,
        ...namedByOthers(clause, context),
        ...deniedClaims(clause, subject.names, subject.end, claims),
      );
      if (said.length > 0 && subject.names.length > 1) this.#referents.noteGroup(subject.names);
      // A later clause may say "he" of whom this one names.
      this.#keepInMind(
        findNames(clause, (lower) => this.#referents.knows(lower)),
        said,
      );
      previous = subject;
    }
    const seen = new Set<string>();
    return facts.filter((fact) => {
      const key = JSON.stringify([fact.subject, fact.predicate, fact.object]).toLowerCase();
      return !seen.has(key) && seen.add(key);
    });
  }

  #keepInMind(names: readonly FoundName[], facts: readonly StatedFact[]): void {
    for (const name of names) {
      const isSubject = facts.some(({ subject }) => subject.toLowerCase() === name.text.toLowerCase());
      this.#referents.note(name, isSubject || (facts.length === 0 && name === names[0] && name.start === 0));
    }
    for (const { subject, predicate, object } of facts) {
      const isNamed =
        subject === USER_NAME ||
        subject.includes("'s ") ||
        names.some(({ text }) => text.toLowerCase() === subject.toLowerCase());
      if (!isNamed) this.#referents.note({ text: subject, kind: 'name' }, true);
      if (predicate === 'is a' && PERSON.test(object)) this.#referents.specify(subject, 'person');
      if (/^has \p{L}+$/u.test(predicate) && /^\p{Lu}/u.test(object)) {
        const noun = predicate.slice(4);
        if (PERSON.test(noun))
          this.#referents.specify(
            object,
            'person',
            MALE.test(noun) ? 'male' : FEMALE.test(noun) ? 'female' : undefined,
          );
        else this.#referents.note({ text: object, kind: 'name' }, true);
      }
    }
    for (const { subject, predicate, object } of facts) {
      if (/^is (?:married|engaged) to$/u.test(predicate) && subject !== USER_NAME)
        this.#referents.noteGroup([subject, object]);
    }
    if (facts.length === 0) {
      const titles = names.filter(({ kind }) => kind === 'title');
      if (titles.length > 1) this.#referents.noteGroup(titles.map(({ text }) => text));
    }
  }
}

/** "Call me Jack", "everybody calls me Jack". */
function namedByOthers(clause: readonly Word[], { role }: StatementContext): StatedFact[] {
  const at = clause.findIndex(
    ({ lower }, index) => /^calls?$/u.test(lower) && clause[index + 1]?.lower === 'me',
  );
  const name = clause[at + 2];
  const isPlain =
    at >= 0 &&
    role === 'user' &&
    name?.isCapital &&
    clause.length === at + 3 &&
    !clause.some(({ lower }) => lower === 'not');
  return isPlain ? [{ subject: USER_NAME, predicate: 'is named', object: name.text }] : [];
}

/** "I'm not" denies what was just said of the user. */
function deniedClaims(
  clause: readonly Word[],
  names: readonly string[],
  start: number,
  claims: readonly StatedFact[],
): StatedFact[] {
  const verb = names[0] === USER_NAME && claims.length > 0 ? verbGroupAt(clause, start) : undefined;
  if (!verb || !verb.isNegated || verb.main !== 'be' || verb.end < clause.length) return [];
  const claim = claims.findLast(({ predicate }) => /^is (?!not\b)/u.test(predicate));
  return claim ? [{ ...claim, predicate: deny(claim.predicate, verb) }] : [];
}

const PERSON =
  /(?:^| )(?:friend|wife|husband|partner|girlfriend|boyfriend|sister|brother|mother|father|mom|mum|dad|son|daughter|boss|colleague|coworker|manager|teacher|neighbou?r|cousin|aunt|uncle|nephew|niece|doctor|nurse|actor|actress|singer|director|writer|author|engineer|developer|student|man|woman|girl|boy|guy|person|lawyer|artist|musician|designer|chef|scientist|professor)$/iu;
const MALE = /^(?:husband|boyfriend|brother|father|dad|son|uncle|nephew)$/u;
const FEMALE = /^(?:wife|girlfriend|sister|mother|mom|mum|daughter|aunt|niece)$/u;
