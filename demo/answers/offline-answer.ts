import type { Memory, MemoryFact, RecalledContext, StoredMessage } from '../../src/index.ts';
import type { FactWords } from '../memory/fact-sentence.ts';
import { notedWords, type Told, toldWords } from './answer-text.ts';
import { fold } from './concepts.ts';
import { factsThatAnswer, namesSomebodyKnown } from './facts-that-answer.ts';
import { isAboutUser, isFragment, readInput, readQuestion } from './question.ts';
import { type Quote, sentenceThatAnswers } from './sentence-that-answers.ts';
import { understoodFacts } from './understood-facts.ts';

/** What the page itself says where no model is connected. */
export interface OfflineAnswer {
  /** Markdown. */
  readonly text: string;
  /** Ids of the messages that it tells of. */
  readonly sources: readonly string[];
}

/** What an answer without a model is made from. */
export interface OfflineRequest {
  readonly memory: Memory;
  readonly input: string;
  /** Id of the message with the input. */
  readonly messageId: string;
  /** What was recalled for the input. */
  readonly context: RecalledContext;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Answers a message from what the memory holds, and from nothing else: with the facts that answer it, or the sentence of
 * the user that does, or by saying that it does not know. What is told is acknowledged by what the rules understood.
 */
export async function offlineAnswer(request: OfflineRequest): Promise<OfflineAnswer> {
  const { kind } = await request.memory.intent(request.input);
  if (kind === 'forget') return FORGETS_IN_PANEL;
  const { asked, told, isTask } = readInput(request.input);
  if (isTask || (asked.length === 0 && told === '')) return NEEDS_MODEL;
  const facts = told === '' ? [] : await understoodFacts(request.memory, request.input, request.signal);
  // An acknowledgment repeats what it was understood from.
  const noted = { text: notedWords(facts), sources: facts.length === 0 ? [] : [request.messageId] };
  if (asked.length === 0) return statesNothing(told, facts) ? NEEDS_MODEL : noted;
  const answers = await Promise.all(
    asked.slice(0, MAX_QUESTIONS).map((question) => answered(request, question)),
  );
  // A remark beside a question needs no word of its own where nothing was understood of it.
  const all = facts.length === 0 ? answers : [noted, ...answers];
  const texts = new Set(all.map(({ text }) => text));
  return { text: [...texts].join('\n\n'), sources: all.flatMap(({ sources }) => sources) };
}

/** Questions of one message that are answered. */
const MAX_QUESTIONS = 5;

/** Whether a text that asks nothing states nothing either. */
function statesNothing(told: string, facts: readonly FactWords[]): boolean {
  return facts.length === 0 && isFragment(told) && !isAboutUser(told);
}

const NEEDS_MODEL: OfflineAnswer = {
  text: 'Without a model I can only tell what you have told me. Connect a model to have this answered.',
  sources: [],
};
const FORGETS_IN_PANEL: OfflineAnswer = {
  text: 'I forget nothing by a message. Open “Memory”, find it there, and choose “Forget”.',
  sources: [],
};
const UNKNOWN: OfflineAnswer = { text: 'I do not know that yet.', sources: [] };

async function answered(request: OfflineRequest, asked: string): Promise<OfflineAnswer> {
  const { memory, now, signal } = request;
  const question = readQuestion(asked);
  if (question.isAboutAssistant) return NEEDS_MODEL;
  const facts = await memory.facts({ signal });
  const isKnownMatter = question.isAboutUser || namesSomebodyKnown(question, facts);
  const fitting = factsThatAnswer(question, facts);
  const told: Told[] = fitting.map((fact) => ({ fact }));
  if (question.asksForAll) {
    told.push(...(await profileQuotes(request, fitting)).map((quote) => ({ quote })));
  } else if (fitting.length === 0) {
    const history = await memory.facts({ includeHistory: true, includeUnconfirmed: true, signal });
    const messages = await messagesFor(request, asked);
    const quote = sentenceThatAnswers(question, messages, endedAmong(history, facts));
    if (quote) told.push({ quote });
  }
  if (told.length === 0) return isKnownMatter ? UNKNOWN : NEEDS_MODEL;
  return { text: toldWords(told, now), sources: told.flatMap(sourcesOf) };
}

/** Sentences of the user beside the facts where all is asked for: those of messages that the facts do not tell of. */
async function profileQuotes(
  { memory, signal }: OfflineRequest,
  facts: readonly MemoryFact[],
): Promise<Quote[]> {
  const told = new Set(facts.flatMap(({ sources }) => sources.map(({ messageId }) => messageId)));
  const lines = await memory.profile({ signal });
  return lines.flatMap(({ text, sources: [messageId], createdAt, factId }) =>
    messageId === undefined || factId !== undefined || told.has(messageId)
      ? []
      : [{ text, messageId, saidAt: createdAt }],
  );
}

/** Messages of the user that may answer: what search finds, and what was recalled where words find nothing. */
async function messagesFor(
  { memory, context, signal }: OfflineRequest,
  asked: string,
): Promise<StoredMessage[]> {
  const ids = new Set(context.items.flatMap(({ sources }) => sources));
  const sessionIds = new Set(context.items.flatMap(({ sessionId }) => sessionId || []));
  const [found, ...histories] = await Promise.all([
    memory.search(asked, { k: LOOKED_AT, role: 'user', signal }),
    ...[...sessionIds].map((id) => memory.history(id)),
  ]);
  const isFound = new Set(found.map(({ id }) => id));
  return [...found, ...histories.flat().filter(({ id }) => ids.has(id) && !isFound.has(id))];
}

/** Messages in which a sentence that answers is looked for. */
const LOOKED_AT = 32;

function sourcesOf({ fact, quote }: Told): string[] {
  return quote ? [quote.messageId] : fact.sources.map(({ messageId }) => messageId);
}

/** Facts that no longer hold, and that nothing that holds says again. */
function endedAmong(history: readonly MemoryFact[], holding: readonly MemoryFact[]): MemoryFact[] {
  const words = ({ subject, predicate, object }: MemoryFact): string =>
    fold(JSON.stringify([subject, predicate, object]));
  const held = new Set(holding.map(words));
  return history.filter((fact) => fact.validTo !== undefined && !held.has(words(fact)));
}
