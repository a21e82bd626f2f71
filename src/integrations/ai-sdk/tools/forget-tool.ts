import { jsonSchema, tool, type Tool } from 'ai';
import type { ForgetReceipt, Memory } from '../../../index.ts';
import type { ForgetMatch } from './forget-matches.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { inputText, toolAnswer, type ToolFailure } from './tool-answer.ts';
import { untilAborted } from '../until-aborted.ts';

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
        const work = async (): Promise<ForgetOutput> => {
          const { forgetConfirmed } = await import('./forget-confirmed.ts');
          return forgetConfirmed(memory, confirm, query, signal);
        };
        return untilAborted(inTurn(memory, work), signal);
      }),
  });
}
