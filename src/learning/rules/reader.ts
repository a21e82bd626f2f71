import { isLimitedInTime } from '../../language/limited-times.ts';
import { mayBeEnglish } from '../../language/other-languages.ts';
import { isOneOf, textOf, wordsOf, type Word } from '../../language/sentence-words.ts';
import { sentencesOf } from '../../language/sentences.ts';
import type { Tagger } from '../../language/tagging/tagger.ts';
import { isPersonKin } from '../../language/words/lexicon.ts';
import type { KnownEntity, KnownFact, SourceMessage } from '../extractor.ts';
import { USER_NAME } from '../first-person.ts';
import {
  answeredStatements,
  makersIn,
  readAnswers,
  openQuestion,
  relatedBy,
  type OpenQuestion,
} from './asides.ts';
import {
  LACKED,
  isDroppedUser,
  isQuestion,
  piecesOf,
  withBe,
  withoutLead,
  withVerb,
  type Piece,
} from './clauses.ts';
import {
  changedBy,
  deniedClaims,
  newValue,
  remeasured,
  takeBack,
  withEnd,
  type Changed,
} from './corrections.ts';
import { clausesAt } from './joined-clauses.ts';
import { endedBy, replacedBy, soldBy, TAKEN_BACK } from './fact-endings.ts';
import { findNames, type FoundName } from './names.ts';
import { Referents } from './referents.ts';
import {
  statedFacts,
  timeless,
  type ClauseContext,
  type StatedFact,
  type Subject,
} from './rule-statements.ts';
import { oppositesOf, presentFacts } from './rivals.ts';
import { factsInLanguages } from './languages/read-languages.ts';
import { hereFacts, passingFacts } from './passing-facts.ts';
import { kinAt, kinBehind, subjectOf, type FoundSubject, type Speaking } from './subjects.ts';

/** The names and facts in a sentence. */
export interface SentenceReading {
  /** The sentence as it is in the message. */
  readonly quote: string;
  readonly names: readonly FoundName[];
  /** The earlier names that its pronouns refer to. */
  readonly meant: readonly string[];
  readonly facts: readonly StatedFact[];
  /** The known facts that the sentence ends. */
  readonly ended: readonly KnownFact[];
  /** Whether it takes back the statements of the sentence before. */
  readonly isTakenBack: boolean;
  readonly isQuestion: boolean;
  /** Whether any of it is stated as true. */
  readonly isStated: boolean;
}

/** The message that a sentence is part of. */
interface Reading {
  readonly speaking: Speaking;
  readonly context: ClauseContext;
  /** What the assistant has just said about the user. */
  readonly claims: readonly StatedFact[];
}

/** Reads messages one after the other, and keeps track of the people mentioned. */
export class DialogueReader {
  readonly #tagger: Tagger;
  readonly #known: readonly KnownFact[];
  readonly #referents = new Referents();
  #question: { readonly asked: OpenQuestion; readonly role: SourceMessage['role'] } | undefined;
  /** What this message says to have changed. */
  #changed: Changed | undefined;
  /** The last statements of the user's last message, for "scratch that". */
  #last: readonly StatedFact[] = [];
  /** The assistant's last statements about the user, for "I'm not". */
  #claims: readonly StatedFact[] = [];

  constructor(
    tagger: Tagger,
    entities: readonly Pick<KnownEntity, 'name' | 'aliases'>[],
    facts: readonly KnownFact[],
  ) {
    this.#tagger = tagger;
    this.#known = facts;
    for (const { name, aliases } of entities)
      for (const known of [name, ...aliases]) this.#referents.learn(known);
    for (const { subject, predicate, object } of facts) {
      const noun = /^has (\p{L}[\p{L} ]{0,30})$/u.exec(predicate)?.[1];
      if (noun !== undefined && /^\p{Lu}/u.test(object)) this.#referents.relate(subject, noun, object);
    }
  }

  /** Yields the next message sentence by sentence. It must be consumed to the end. */
  async *read(
    message: Pick<SourceMessage, 'role' | 'text' | 'createdAt' | 'pasted' | 'isApart'>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<SentenceReading, void> {
    const { role, text, createdAt, pasted = [] } = message;
    const isUsers = role === 'user';
    if (message.isApart) this.#leave();
    let justSaid: readonly StatedFact[] = isUsers ? this.#last : [];
    if (isUsers) this.#last = [];
    const context: ClauseContext = {
      now: createdAt,
      isKnown: (lower) => this.#referents.knows(lower),
      isSmall: !/(?:^|[^.!?\s])\s+(?!I\b)\p{Lu}\p{Ll}/u.test(text.replaceAll(/"[^"]*"/gu, '')),
    };
    const reading: Reading = {
      speaking: { role, referents: this.#referents },
      context,
      claims: isUsers ? this.#claims : [],
    };
    const question = this.#question;
    this.#question = undefined;
    if (role !== 'tool') this.#claims = [];
    this.#changed = undefined;
    let isMaterial = false;
    const sentences = sentencesOf(text);
    const tagged = await this.#tagger(sentences, signal);
    for (const [index, quote] of sentences.entries()) {
      const words = wordsOf(quote, tagged[index]);
      this.#referents.nextSentence();
      const names = findNames(words, context.isKnown);
      const meant = this.#referents.resolveAll(words);
      const isAsked = isQuestion(words);
      const isAnswer = index === 0 && question !== undefined && question.role !== role;
      const answers = isAnswer ? answeredStatements(question.asked, words) : [];
      const isOwn = !isMaterial && !OTHERS_TEXT.test(quote) && !pasted.some((part) => part.includes(quote));
      const pieces = piecesOf(withoutLead(words));
      const found: StatedFact[] = [];
      const ended: KnownFact[] = [];
      if (isAnswer && answers.length > 0) {
        const terms = await this.#tagger(answers, signal);
        found.push(...readAnswers(answers, terms, { ...reading.speaking, role: question.role }, context));
      } else if (isOwn && role !== 'tool' && mayBeEnglish(quote, text)) {
        if (!isAsked) found.push(...makersIn(words, this.#referents, context));
        if (isUsers) {
          found.push(...this.#kinIn(words, pieces, reading.speaking));
          found.push(...passingFacts(words, this.#referents, context, isAsked));
        }
        this.#readPieces(pieces, reading, found, ended);
        if (isUsers && !isAsked) this.#readCorrections(words, pieces, reading, found, ended);
      }
      if (isUsers && isOwn) found.push(...(await factsInLanguages(quote)));
      // "Translate this:" is followed by somebody else's text.
      isMaterial ||= isUsers && /:\s*$/u.test(quote) && !OWN_TEXT.test(quote);
      // "No coffee after 3" says nothing of the morning.
      const isLimited = isLimitedInTime(quote);
      const lasting = found.filter(({ predicate }) => !(isLimited && predicate.startsWith('does not ')));
      const present = presentFacts(lasting, quote, this.#known);
      const facts = present.map((fact) => withEnd(fact, quote, createdAt));
      // The user is unlikely to continue about things that an assistant mentions in passing, such as a cake.
      if (role !== 'assistant' || facts.length > 0 || isAnswer) this.#referents.noteMentions(names, facts);
      else for (const { text: name } of names) this.#referents.learn(name);
      if (isUsers) this.#referents.noteNameless(words);
      const isRequest = /^(?:please |now )*(?:name|list|tell|give)\b/iu.test(quote);
      const asked = isAsked || isRequest ? openQuestion(words) : undefined;
      if (asked) this.#question = { asked, role };
      if (role === 'assistant')
        this.#claims = [...this.#claims, ...facts.filter(({ subject }) => subject === USER_NAME)];
      const isStated = pieces.some(
        (piece) => !piece.isUnstated && piece.words.some(({ tags }) => tags.has('Verb')),
      );
      const said = textOf(words).replaceAll(/[.!…]+$/gu, '');
      const isTakenBack = isUsers && !isAsked && TAKEN_BACK.test(said.trim());
      if (isTakenBack) ended.push(...this.#knownAs(justSaid));
      if (isUsers && isOwn && !isAsked) {
        const sold = pieces.flatMap((piece) => soldBy(textOf(withoutLead(piece.words)), text, this.#known));
        ended.push(
          ...oppositesOf(facts, this.#known),
          ...replacedBy(quote, this.#known),
          ...sold,
          ...remeasured(quote, facts, this.#known),
        );
      }
      if (isUsers && (facts.length > 0 || isTakenBack)) this.#last = justSaid = facts;
      yield { quote, names, meant, facts, ended, isTakenBack, isQuestion: isAsked, isStated };
    }
  }

  /** What follows does not refer to what was said before. */
  #leave(): void {
    this.#referents.leave();
    this.#question = undefined;
    this.#last = [];
    this.#claims = [];
    this.#changed = undefined;
  }

  /** Reads what the user takes back, and the new value of what has changed. */
  #readCorrections(
    words: readonly Word[],
    pieces: readonly Piece[],
    reading: Reading,
    facts: StatedFact[],
    ended: KnownFact[],
  ): void {
    const takenBack = takeBack(words, reading, facts, (said) => this.#knownAs(said));
    facts.splice(0, facts.length, ...takenBack.facts);
    ended.push(...takenBack.ended);
    for (const { words: piece } of pieces) {
      const clause = withoutLead(piece);
      if (this.#changed) facts.push(...newValue(clause, this.#changed));
      const change = changedBy(textOf(timeless(clause)), this.#known);
      if (!change) continue;
      this.#changed = change.changed;
      facts.push(...change.told);
      ended.push(...change.ended);
    }
  }

  #knownAs(facts: readonly StatedFact[]): KnownFact[] {
    const key = ({ subject, predicate, object }: StatedFact): string =>
      `${subject} ${predicate} ${object}`.toLowerCase();
    const keys = new Set(facts.map(key));
    return this.#known.filter((fact) => keys.has(key(fact)));
  }

  /** Returns relations mentioned in passing, which hold in a question or report as well. */
  #kinIn(words: readonly Word[], pieces: readonly Piece[], speaking: Speaking): StatedFact[] {
    if (words.some((word) => isOneOf(word, 'imagine pretend suppose story novel fictional character if')))
      return [];
    const isDoubted = pieces.some(({ isUnstated }) => isUnstated);
    return words.flatMap((word, index) => {
      // "She thinks that Ana is her sister Jean" is only what she thinks.
      if (isDoubted && isOneOf(word, 'his her their its')) return [];
      const named = kinAt(words, speaking, index);
      const found = named ?? kinBehind(words, speaking, index);
      if (!found) return [];
      const { fact, noun } = found;
      this.#referents.relate(fact.subject, noun, fact.object);
      if (isPersonKin(noun)) this.#referents.notePerson(fact.object, noun, index === 0);
      return [fact, ...(named?.others ?? [])];
    });
  }

  /** Reads a sentence clause by clause, each as long as it can be understood. */
  #readPieces(pieces: readonly Piece[], reading: Reading, facts: StatedFact[], ended: KnownFact[]): void {
    const { speaking, context } = reading;
    const isUsers = speaking.role === 'user';
    let before: Subject | undefined;
    // Whether the piece before is not a clause about somebody else.
    let isOpenBefore = true;
    let next = 0;
    for (const [at, first] of pieces.entries()) {
      if (at < next) continue;
      next = at + 1;
      const subjectBefore: Subject | undefined = first.isContinued ? before : undefined;
      before = undefined;
      if (isUsers) ended.push(...this.#usedTo(first.words, speaking, context));
      for (const { words, length } of first.isUnstated ? [] : clausesAt(pieces, at)) {
        const isWhole = length === 1 && !isLimitedInTime(textOf(words));
        const over = isUsers && isWhole ? endedBy(words, this.#known) : undefined;
        const subject = subjectOf(words, speaking);
        const [name = ''] = subject?.names ?? [];
        if (subject?.kin && isPersonKin(subject.kin.noun) && name.startsWith(`${USER_NAME}'s `))
          this.#referents.notePerson(name, subject.kin.noun, true);
        const mayDrop = at === 0 || subjectBefore?.isUser === true || (isOpenBefore && !first.isContinued);
        const told = over?.told ?? this.#readClause(words, subject, subjectBefore, mayDrop, reading);
        ended.push(...(over?.ended ?? []));
        if (isWhole && subject?.isUser) facts.push(...deniedClaims(subject.rest, reading.claims));
        if (told.length === 0 && length > 1) continue;
        facts.push(...told);
        if (told.length > 0 && subject && subject.names.length > 1) this.#referents.noteGroup(subject.names);
        const isUnderstood = told.length > 0 || isDroppedUser(words);
        before = subject ?? (isUnderstood ? (subjectBefore ?? USER) : undefined);
        const isDescribed = told.some(({ predicate }) => DESCRIBING.test(predicate));
        if (before && isDescribed) before = { ...before, isDescribed };
        next = at + length;
        isOpenBefore = !subject || subject.isUser === true;
        // A "he" in a later clause may mean somebody in this one.
        const named = findNames(words, context.isKnown);
        if (told.length > 0) this.#referents.noteMentions(named, told);
        else for (const each of named) this.#referents.note(each, false);
        break;
      }
    }
  }

  /** Returns what "I used to play tennis" ends. It says nothing about now. */
  #usedTo(words: readonly Word[], speaking: Speaking, context: ClauseContext): KnownFact[] {
    const at = words.findIndex(({ lower }, index) => lower === 'used' && words[index + 1]?.lower === 'to');
    const subject = at > 0 ? subjectOf(withoutLead(words.toSpliced(at, 2)), speaking) : undefined;
    return subject ? this.#knownAs(statedFacts(subject, subject.rest, context, false)) : [];
  }

  #readClause(
    words: readonly Word[],
    subject: FoundSubject | undefined,
    before: Subject | undefined,
    mayDrop: boolean,
    { speaking, context }: Reading,
  ): StatedFact[] {
    const isUsers = speaking.role === 'user';
    if (subject) {
      const related = isUsers ? relatedBy(subject, speaking) : [];
      if (related.length > 0) return related;
      // General knowledge that an assistant explains is not a fact about the people of this chat.
      const isOfUser = subject.names[0]?.startsWith(USER_NAME) === true;
      return isUsers || isOfUser ? statedFacts(subject, subject.rest, context) : [];
    }
    if (!isUsers) return [];
    const [first, second, name] = words;
    const here = hereFacts(words, context);
    if (here.length > 0) return here;
    const isCalled = first?.lower === 'call' && second?.lower === 'me' && words.length === 3;
    if (isCalled && name?.isCapital)
      return [{ subject: USER_NAME, predicate: 'is named', object: name.text }];
    const isPart = before?.isDescribed === true;
    if (before)
      return statedFacts(before, isPart ? withBe(words) : before.isUser ? withVerb(words) : words, context);
    const isLack = timeless(words).length === 2 && first?.lower === 'no' && isOneOf(second, LACKED);
    if (isLack && first)
      return statedFacts(USER, [{ ...first, text: 'have', lower: 'have' }, ...words], context);
    return mayDrop && isDroppedUser(words) ? statedFacts(USER, withVerb(words), context) : [];
  }
}

const DESCRIBING = /^(?:is|is a|is named|is from|has age)$/u;
const USER: Subject = { names: [USER_NAME], isUser: true };

/** What follows on the same line is text to work on. */
const OTHERS_TEXT =
  /^(?:(?:please|pls|can you|could you|now|and|hi|hey),? )*(?:translate|proofread|paraphrase|rephrase|rewrite)\b[^:]{0,60}: ?\S/iu;

const OWN_TEXT =
  /\b(?:about me|myself|i|i.m|my (?:background|situation|details|profile|context|setup|family))\b/iu;
