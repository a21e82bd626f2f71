import type { Tagger } from '../pos-tagger.ts';
import type { KnownEntity, KnownFact, SourceMessage } from '../extractor.ts';
import { USER_NAME } from '../first-person.ts';
import { answeredStatements, openQuestion, type OpenQuestion } from './offline-answers.ts';
import { deny, isQuestion, type Piece, piecesOf } from './offline-clauses.ts';
import { endedBy, replacedBy, soldBy, TAKEN_BACK } from './offline-endings.ts';
import { noteMentions, resolvePronouns, noteNameless } from './offline-mentions.ts';
import { genderOf, isPersonKin } from './offline-lexicon.ts';
import { makersIn } from './offline-makers.ts';
import { findNames, type FoundName } from './offline-names.ts';
import { Referents } from './offline-referents.ts';
import { sentencesOf } from './offline-sentences.ts';
import {
  type ClauseContext,
  type StatedFact,
  statedFacts,
  type Subject,
  timeless,
} from './offline-statements.ts';
import { type FoundSubject, subjectOf } from './offline-subjects.ts';
import { homesIn, relatedBy } from './offline-asides.ts';
import { isDroppedUser, withoutLead, withVerb } from './offline-openings.ts';
import type { Speaking } from './offline-owners.ts';
import { kinAt, kinBehind } from './offline-relatives.ts';
import { readSlot } from './offline-slots.ts';
import { textOf, type Word, wordsOf } from './offline-words.ts';

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

/** Maximum number of pieces in a clause, so that long lists do not take quadratic time. */
const LONGEST_CLAUSE = 5;

/** Reads messages one after the other, and keeps track of the people mentioned. */
export class DialogueReader {
  readonly #tagger: Tagger;
  readonly #known: readonly KnownFact[];
  readonly #referents = new Referents();
  #question: { readonly asked: OpenQuestion; readonly role: SourceMessage['role'] } | undefined;
  /** The user's last statements, for "scratch that". */
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
  *read(
    message: Pick<SourceMessage, 'role' | 'text' | 'createdAt' | 'pasted'>,
  ): Generator<SentenceReading, void> {
    const { role, text, createdAt, pasted = [] } = message;
    const speaking: Speaking = { role, referents: this.#referents };
    const context: ClauseContext = {
      now: createdAt,
      isKnown: (lower) => this.#referents.knows(lower),
      isSmall: !/(?:^|[^.!?\s])\s+(?!I\b)\p{Lu}\p{Ll}/u.test(text.replaceAll(/"[^"]*"/gu, '')),
    };
    const question = this.#question;
    this.#question = undefined;
    const claims = role === 'user' ? this.#claims : [];
    if (role !== 'tool') this.#claims = [];
    let isMaterial = false;
    for (const [index, quote] of sentencesOf(text).entries()) {
      const words = wordsOf(quote, this.#tagger);
      this.#referents.nextSentence();
      const names = findNames(words, context.isKnown);
      const meant = resolvePronouns(this.#referents, words);
      const isAsked = isQuestion(words);
      const isAnswer = index === 0 && question !== undefined && question.role !== role;
      const answers = isAnswer ? answeredStatements(question.asked, words) : [];
      const isOwn = !isMaterial && !pasted.some((part) => part.includes(quote));
      const pieces = piecesOf(withoutLead(words));
      const facts: StatedFact[] = [];
      const ended: KnownFact[] = [];
      if (answers.length > 0)
        facts.push(...this.#readAnswers(answers, { ...speaking, role: question?.role ?? role }, context));
      else if (isOwn && role !== 'tool') {
        if (!isAsked) facts.push(...makersIn(words, this.#referents, context));
        if (role === 'user') facts.push(...this.#kinIn(words, pieces, speaking), ...homesIn(words, context));
        this.#readPieces(pieces, speaking, context, claims, facts, ended);
      }
      // "Translate this:" is followed by somebody else's text.
      isMaterial ||=
        role === 'user' &&
        /:\s*$/u.test(quote) &&
        !/\b(?:about me|myself|i|i.m|my (?:background|situation|details|profile|context|setup|family))\b/iu.test(
          quote,
        );
      const unique = distinct(facts);
      // The user is unlikely to continue about things that an assistant mentions in passing, such as a cake.
      if (role !== 'assistant' || unique.length > 0 || isAnswer) noteMentions(this.#referents, names, unique);
      else for (const { text: name } of names) this.#referents.learn(name);
      if (role === 'user') noteNameless(this.#referents, words);
      const asked =
        isAsked || /^(?:please |now )*(?:name|list|tell|give)\b/iu.test(quote)
          ? openQuestion(words)
          : undefined;
      if (asked) this.#question = { asked, role };
      if (role === 'assistant')
        this.#claims = [...this.#claims, ...unique.filter(({ subject }) => subject === USER_NAME)];
      const isStated = pieces.some(
        (piece) => !piece.isUnstated && piece.words.some(({ tags }) => tags.has('Verb')),
      );
      const isTakenBack =
        role === 'user' &&
        !isAsked &&
        TAKEN_BACK.test(
          textOf(words)
            .replaceAll(/[.!…]+$/gu, '')
            .trim(),
        );
      if (isTakenBack) ended.push(...this.#knownAs(this.#last));
      if (role === 'user' && isOwn && !isAsked) {
        ended.push(...replacedBy(quote, this.#known));
        for (const piece of pieces)
          ended.push(...soldBy(textOf(withoutLead(piece.words)), text, this.#known));
      }
      if (role === 'user' && (unique.length > 0 || isTakenBack)) this.#last = unique;
      yield { quote, names, meant, facts: unique, ended, isTakenBack, isQuestion: isAsked, isStated };
    }
  }

  #knownAs(facts: readonly StatedFact[]): KnownFact[] {
    const key = ({ subject, predicate, object }: StatedFact): string =>
      `${subject} ${predicate} ${object}`.toLowerCase();
    const keys = new Set(facts.map(key));
    return this.#known.filter((fact) => keys.has(key(fact)));
  }

  #readAnswers(statements: readonly string[], speaking: Speaking, context: ClauseContext): StatedFact[] {
    return statements.flatMap((statement) => {
      const words = wordsOf(statement, this.#tagger);
      const subject = subjectOf(words, speaking);
      return subject ? statedFacts({ ...subject, isThird: true }, subject.rest, context) : [];
    });
  }

  /** Returns relations mentioned in passing, which hold in a question or report as well. */
  #kinIn(words: readonly Word[], pieces: readonly Piece[], speaking: Speaking): StatedFact[] {
    if (
      words.some(({ lower }) =>
        /^(?:imagine|pretend|suppose|story|novel|fictional|character|if)$/u.test(lower),
      )
    )
      return [];
    const isDoubted = pieces.some(({ isUnstated }) => isUnstated);
    return words.flatMap((word, index) => {
      // "She thinks that Ana is her sister Jean" is only what she thinks.
      const isTheirs = /^(?:his|her|their|its)$/u.test(word.lower);
      const found =
        isTheirs && isDoubted
          ? undefined
          : (kinAt(words, speaking, index) ?? kinBehind(words, speaking, index));
      if (!found) return [];
      const { fact, noun } = found;
      this.#referents.relate(fact.subject, noun, fact.object);
      if (isPersonKin(noun)) {
        const gender = genderOf(noun);
        this.#referents.note(
          { text: fact.object, kind: 'person', ...(gender ? { gender } : {}) },
          index === 0,
        );
      }
      return [fact];
    });
  }

  /** Reads a sentence clause by clause, each as long as it can be understood. */
  #readPieces(
    pieces: readonly Piece[],
    speaking: Speaking,
    context: ClauseContext,
    claims: readonly StatedFact[],
    facts: StatedFact[],
    ended: KnownFact[],
  ): void {
    let before: Subject | undefined;
    // Whether the piece before is not a clause about somebody else.
    let isOpenBefore = true;
    for (let at = 0; at < pieces.length;) {
      const first = pieces[at];
      if (!first) break;
      const subjectBefore: Subject | undefined = first.isContinued ? before : undefined;
      before = undefined;
      let length = 1;
      // "I used to play tennis" ends what is known about it, and says nothing about now.
      const usedTo = first.words.findIndex(
        ({ lower }, index) => lower === 'used' && first.words[index + 1]?.lower === 'to',
      );
      if (usedTo > 0 && speaking.role === 'user') {
        const present = withoutLead(first.words.toSpliced(usedTo, 2));
        const subject = subjectOf(present, speaking);
        if (subject)
          ended.push(...this.#knownAs(statedFacts({ ...subject, isThird: false }, subject.rest, context)));
      }
      if (!first.isUnstated) {
        for (let most = Math.min(LONGEST_CLAUSE, pieces.length - at); most >= 1; most--) {
          const joined = pieces.slice(at, at + most);
          if (joined.slice(1).some(({ joint, isUnstated }) => joint === undefined || isUnstated)) continue;
          const words = withoutLead(
            joined.flatMap(({ words: each, joint }, index) =>
              index === 0 ? each : [...(joint ?? []), ...each],
            ),
          );
          const over =
            speaking.role === 'user' && most === 1
              ? endedBy(textOf(timeless(words)), this.#known)
              : undefined;
          const subject = subjectOf(words, speaking);
          if (
            subject?.kin &&
            isPersonKin(subject.kin.noun) &&
            subject.names[0]?.startsWith(`${USER_NAME}'s `) === true
          ) {
            const gender = genderOf(subject.kin.noun);
            this.#referents.note(
              { text: subject.names[0], kind: 'person', ...(gender ? { gender } : {}) },
              true,
            );
          }
          const mayDrop = at === 0 || subjectBefore?.isUser === true || (isOpenBefore && !first.isContinued);
          const told =
            over && over.ended.length > 0
              ? over.told
              : this.#readClause(words, subject, subjectBefore, mayDrop, speaking, context);
          ended.push(...(over?.ended ?? []));
          if (most === 1 && subject?.isUser) facts.push(...deniedClaims(subject.rest, claims));
          if (told.length === 0 && most > 1) continue;
          facts.push(...told);
          if (told.length > 0 && subject && subject.names.length > 1)
            this.#referents.noteGroup(subject.names);
          before = subject ?? (told.length > 0 || isDroppedUser(words) ? (subjectBefore ?? USER) : undefined);
          length = most;
          isOpenBefore = !subject || subject.isUser;
          // A "he" in a later clause may mean somebody in this one.
          const named = findNames(words, context.isKnown);
          if (told.length > 0) noteMentions(this.#referents, named, told);
          else for (const name of named) this.#referents.note(name, false);
          break;
        }
      }
      at += length;
    }
  }

  #readClause(
    words: readonly Word[],
    subject: FoundSubject | undefined,
    before: Subject | undefined,
    mayDrop: boolean,
    { role }: Speaking,
    context: ClauseContext,
  ): StatedFact[] {
    if (subject) {
      // General knowledge that an assistant explains is not a fact about the people of this chat.
      const isOfUser = subject.names[0]?.startsWith(USER_NAME) === true;
      if (role === 'user') {
        const related = relatedBy(subject, { role, referents: this.#referents });
        if (related.length > 0) return related;
      }
      return role === 'assistant' && !isOfUser ? [] : statedFacts(subject, subject.rest, context);
    }
    if (role !== 'user') return [];
    const last = words.at(-1);
    // Matches "Nurse here, …".
    const job =
      last?.lower === 'here' && words.length <= 4 ? readSlot('job', words.slice(0, -1), context) : undefined;
    if (job) return job.map((object) => ({ subject: USER_NAME, predicate: 'is a', object }));
    const [first, second, name] = words;
    const isCalled =
      first?.lower === 'call' && second?.lower === 'me' && words.length === 3 && name?.isCapital === true;
    if (isCalled) return [{ subject: USER_NAME, predicate: 'is named', object: name.text }];
    if (before) return statedFacts(before, before.isUser ? withVerb(words) : words, context);
    const isLack =
      words.length === 2 &&
      first?.lower === 'no' &&
      /^(?:car|kids|children|pets|siblings)$/u.test(second?.lower ?? '');
    if (isLack) return statedFacts(USER, [{ ...first, text: 'have', lower: 'have' }, ...words], context);
    if (!mayDrop || !isDroppedUser(words)) return [];
    return statedFacts(USER, withVerb(words), context);
  }
}

const USER: Subject = { names: [USER_NAME], isUser: true, isThird: false };
/** Returns the negation of the assistant's last statement about the user for "I'm not". */
function deniedClaims(rest: readonly Word[], claims: readonly StatedFact[]): StatedFact[] {
  const isDenial = rest.length === 2 && rest[0]?.lower === 'am' && rest[1]?.lower === 'not';
  const claim = isDenial ? claims.findLast(({ predicate }) => /^is (?!not\b)/u.test(predicate)) : undefined;
  return claim ? [{ ...claim, predicate: deny(claim.predicate) }] : [];
}

function distinct(facts: readonly StatedFact[]): StatedFact[] {
  const seen = new Set<string>();
  return facts.filter(({ subject, predicate, object }) => {
    const key = JSON.stringify([subject, predicate, object]).toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
