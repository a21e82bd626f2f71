import type { Memory, MemoryFact, RecalledContext, StoredMessage } from '../../src/index.ts';
import type { FactWords } from '../memory/fact-sentence.ts';
import { acknowledgmentText, type AnswerPart, answerText } from './answer-text.ts';
import { fold } from './concepts.ts';
import { factsThatAnswer, namesSomebodyKnown } from './facts-that-answer.ts';
import { isAboutUser, isFragment, type Question, readInput, readQuestion } from './question.ts';
import { isChange, type Quote, sentenceThatAnswers } from './sentence-that-answers.ts';
import { clausesBeside } from './clauses-beside.ts';
import { understoodFacts } from './understood-facts.ts';

/** What the page answers while no model is connected. */
export interface OfflineAnswer {
  /** Markdown. */
  readonly text: string;
  /** Ids of the messages that the answer is based on. */
  readonly sources: readonly string[];
}

/** What an answer without a model needs. */
export interface OfflineRequest {
  readonly memory: Memory;
  readonly input: string;
  /** Id of the message that holds the input. */
  readonly messageId: string;
  /** What was recalled for the input. */
  readonly context: RecalledContext;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Answers a message from what the memory holds: with the facts that answer it, else with the sentence of the user that
 * does, else by saying that it does not know. A statement is acknowledged with the facts that the rules understood.
 */
export async function offlineAnswer(request: OfflineRequest): Promise<OfflineAnswer> {
  const { kind } = await request.memory.intent(request.input);
  if (kind === 'forget') return FORGETS_IN_PANEL;
  const { questions, statement, isTask } = readInput(request.input);
  if (isTask || (questions.length === 0 && statement === '')) return NEEDS_MODEL;
  const facts = statement === '' ? [] : await understoodFacts(request.memory, request.input, request.signal);
  const acknowledgment = {
    text: acknowledgmentText(facts, facts.length === 0 ? [] : clausesBeside(facts, statement)),
    sources: facts.length === 0 ? [] : [request.messageId],
  };
  if (questions.length === 0) return statesNothing(statement, facts) ? NEEDS_MODEL : acknowledgment;
  const answers = await Promise.all(
    questions.slice(0, MAX_QUESTIONS).map((question) => answerQuestion(request, question)),
  );
  // A statement beside a question is acknowledged only if a fact was understood from it.
  const all = facts.length === 0 ? answers : [acknowledgment, ...answers];
  const texts = new Set(all.map(({ text }) => text));
  return { text: [...texts].join('\n\n'), sources: all.flatMap(({ sources }) => sources) };
}

/** Further questions of a message are not answered. */
const MAX_QUESTIONS = 5;

/** Whether a text without a question states nothing either. */
function statesNothing(text: string, facts: readonly FactWords[]): boolean {
  return facts.length === 0 && isFragment(text) && !isAboutUser(text);
}

const NEEDS_MODEL: OfflineAnswer = {
  text: 'Without a model I only know what you have told me. Connect a model to answer this.',
  sources: [],
};
const FORGETS_IN_PANEL: OfflineAnswer = {
  text: 'A message cannot make me forget. Open “Memory”, find the entry, and choose “Forget”.',
  sources: [],
};
const UNKNOWN: OfflineAnswer = { text: 'I do not know that yet.', sources: [] };

async function answerQuestion(request: OfflineRequest, text: string): Promise<OfflineAnswer> {
  const { memory, now, signal } = request;
  const question = readQuestion(text);
  if (question.isAboutAssistant) return NEEDS_MODEL;
  const facts = await memory.facts.list({ signal });
  const isAboutKnown = question.isAboutUser || namesSomebodyKnown(question, facts);
  const fitting = factsThatAnswer(question, facts);
  let parts: AnswerPart[] = fitting.map((fact) => ({ fact }));
  if (question.asksForAll) {
    parts.push(...(await profileQuotes(request, fitting)).map((quote) => ({ quote })));
  } else {
    const history = await memory.facts.list({ includeHistory: true, includeUnconfirmed: true, signal });
    const messages = await messagesFor(request, text);
    const quote = sentenceThatAnswers(question, messages, outdatedAmong(history, facts));
    if (quote && (parts.length === 0 || isNewer(quote, question, fitting))) parts = [{ quote }];
  }
  if (parts.length === 0) return isAboutKnown ? UNKNOWN : NEEDS_MODEL;
  return { text: answerText(parts, now), sources: parts.flatMap(sourcesOf) };
}

/** Whether the user said later than these facts that something has changed, and the user themselves if they are asked about. */
function isNewer(quote: Quote, question: Question, facts: readonly MemoryFact[]): boolean {
  if (!isChange(quote) || (question.isAboutUser && !isAboutUser(quote.text))) return false;
  return facts.every(({ source, validFrom }) => source !== 'user' && validFrom < quote.saidAt);
}

/** Profile lines from messages that none of these facts comes from. They complete an answer about everything known. */
async function profileQuotes(
  { memory, signal }: OfflineRequest,
  facts: readonly MemoryFact[],
): Promise<Quote[]> {
  const quoted = new Set(facts.flatMap(({ sources }) => sources.map(({ messageId }) => messageId)));
  const lines = await memory.profile({ signal });
  return lines.flatMap(({ text, sources: [messageId], createdAt, factId }) =>
    messageId === undefined || factId !== undefined || quoted.has(messageId)
      ? []
      : [{ text, messageId, saidAt: createdAt }],
  );
}

/** Messages of the user that may answer the question: those that search finds, then those that were recalled. */
async function messagesFor(
  { memory, context, signal }: OfflineRequest,
  text: string,
): Promise<StoredMessage[]> {
  const ids = new Set(context.items.flatMap(({ sources }) => sources));
  const sessionIds = new Set(context.items.flatMap(({ sessionId }) => sessionId || []));
  const [found, ...histories] = await Promise.all([
    memory.search(text, { limit: MAX_MESSAGES, role: 'user', signal }),
    ...[...sessionIds].map((id) => memory.history({ sessionId: id })),
  ]);
  const messages = found.map(({ message }) => message);
  const isFound = new Set(messages.map(({ id }) => id));
  return [...messages, ...histories.flat().filter(({ id }) => ids.has(id) && !isFound.has(id))];
}

/** Limit of the messages in which an answer is looked for. */
const MAX_MESSAGES = 32;

function sourcesOf({ fact, quote }: AnswerPart): string[] {
  return quote ? [quote.messageId] : fact.sources.map(({ messageId }) => messageId);
}

/** Facts that have ended and that no current fact states again. */
function outdatedAmong(history: readonly MemoryFact[], current: readonly MemoryFact[]): MemoryFact[] {
  const words = ({ subject, predicate, object }: MemoryFact): string =>
    fold(JSON.stringify([subject, predicate, object]));
  const held = new Set(current.map(words));
  return history.filter((fact) => fact.validTo !== undefined && !held.has(words(fact)));
}
