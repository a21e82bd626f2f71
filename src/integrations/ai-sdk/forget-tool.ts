import { jsonSchema, tool, type Tool } from 'ai';
import { MnemoraError, type ForgetReceipt, type Memory } from '../../index.ts';
import { findMatches, type ForgetMatch } from './forget-matches.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { errorText, inputText, toolAnswer, type ToolFailure } from './tool-answer.ts';
import { untilAborted } from './until-aborted.ts';

/** What the page shows its user before anything is forgotten. */
export interface ForgetRequest {
  /** The words of the model. */
  readonly query: string;
  /** All that would be forgotten, and nothing else; 10 at most. */
  readonly matches: readonly ForgetMatch[];
  /** Number of rows that would be erased: the sum for all matches. */
  readonly receipt: ForgetReceipt;
  /** Whether more matches than these. They would be kept. */
  readonly hasMore: boolean;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Asks the user. Only `true` forgets; any other value or an error forgets nothing. */
export type ConfirmForget = (request: ForgetRequest) => boolean | Promise<boolean>;

export interface ForgetInput {
  query: string;
}

/**
 * What was forgotten: the number of matches, and for the model what it should know about the rest. With an error,
 * `forgotten` matches were already gone when it occurred.
 */
export type ForgetOutput =
  | { forgotten: number; note?: string }
  | { refused: true }
  | { found: 0 }
  | { forgotten: number; error: string }
  | ToolFailure;

const MAX_QUERY_CHARACTERS = 500;

const KEPT_TURNS =
  'The facts are forgotten. The messages in which they were said are kept. If the user wants these to be forgotten too, call this tool again with the same query.';
const HAS_MORE = 'More than these match. If the user wants all of it to be forgotten, call this tool again.';

const inTurn = oneAtATime();

/** Returns the tool that forgets what the user confirms. Requests on one memory are shown one after the other. */
export function forgetTool(memory: Memory, confirm: ConfirmForget): Tool<ForgetInput, ForgetOutput> {
  return tool({
    description:
      'Asks the user to confirm that something is forgotten, and then erases it from the long-term memory of their chats. Call it only if the user wants something to be forgotten. It selects facts that contain all words of the query; if there are none, it selects parts of earlier conversations that contain them.',
    inputSchema: jsonSchema<ForgetInput>({
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'The few words that must all occur in what is to be forgotten, such as a name or a place.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    }),
    execute: (input: ForgetInput, { abortSignal: signal }): Promise<ForgetOutput> =>
      toolAnswer(memory, signal, () => {
        const query = inputText(input, 'query', MAX_QUERY_CHARACTERS);
        const work = (): Promise<ForgetOutput> => forgetConfirmed(memory, confirm, query, signal);
        return untilAborted(inTurn(memory, work), signal);
      }),
  });
}

async function forgetConfirmed(
  memory: Memory,
  confirm: ConfirmForget,
  query: string,
  signal: AbortSignal | undefined,
): Promise<ForgetOutput> {
  signal?.throwIfAborted();
  const { matches, hasMore } = await findMatches(memory, query, signal);
  if (matches.length === 0) return { found: 0 };
  const receipt = await previewAll(memory, matches, signal);
  const request = { query, matches, receipt, hasMore, ...(signal ? { signal } : {}) };
  if (!(await isConfirmed(memory, confirm, request))) return { refused: true };
  let forgotten = 0;
  for (const match of matches) {
    try {
      if (await forgetMatch(memory, match, signal)) forgotten++;
    } catch (cause) {
      if (forgotten === 0 || signal?.aborted === true) throw cause;
      memory.warn({ code: 'memory-skipped', message: 'Not everything could be forgotten.', cause });
      return { forgotten, error: errorText(cause) };
    }
  }
  const notes = [...(matches[0]?.kind === 'fact' ? [KEPT_TURNS] : []), ...(hasMore ? [HAS_MORE] : [])];
  return { forgotten, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) };
}

async function previewAll(
  memory: Memory,
  matches: readonly ForgetMatch[],
  signal: AbortSignal | undefined,
): Promise<ForgetReceipt> {
  const sum: Partial<Record<keyof ForgetReceipt, number>> = {};
  for (const match of matches) {
    const receipt = await memory.forget(selectorOf(match), { preview: true, ...(signal ? { signal } : {}) });
    for (const [name, count] of Object.entries(receipt) as [keyof ForgetReceipt, number][])
      sum[name] = (sum[name] ?? 0) + count;
  }
  return sum as ForgetReceipt;
}

async function isConfirmed(memory: Memory, confirm: ConfirmForget, request: ForgetRequest): Promise<boolean> {
  const { signal } = request;
  try {
    const answer: unknown = await untilAborted(
      Promise.resolve().then(() => confirm(request)),
      signal,
    );
    return answer === true;
  } catch (cause) {
    signal?.throwIfAborted();
    memory.warn({
      code: 'memory-skipped',
      message: 'confirmForget has failed, and nothing was forgotten.',
      cause,
    });
    return false;
  }
}

/** Resolves to whether something was erased: another tab may have been faster. */
async function forgetMatch(
  memory: Memory,
  match: ForgetMatch,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const { facts, turns } = await memory.forget(selectorOf(match), signal ? { signal } : {});
    return facts + turns > 0;
  } catch (cause) {
    if (cause instanceof MnemoraError && cause.code === 'not-found') return false;
    throw cause;
  }
}

function selectorOf(match: ForgetMatch): { factId: string } | { turnId: string } {
  return match.kind === 'fact' ? { factId: match.fact.id } : { turnId: match.turnId };
}
