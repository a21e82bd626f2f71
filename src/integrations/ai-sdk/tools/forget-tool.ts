import { tool, type Tool } from 'ai';
import type { Memory } from '../../../index.ts';
import { abortable } from '../../../model/abortable.ts';
import { oneAtATime } from '../../../model/named-queue.ts';
import type { ConfirmForget, ForgetAnswer } from './forget-confirmed.ts';
import { inputSchema, inputText, toolAnswer, type ToolFailure } from './tool-answer.ts';

export interface ForgetInput {
  query: string;
}

/**
 * Number of matches that were forgotten, and a note for the model about the rest. With an error, it is the number
 * forgotten before the error occurred.
 */
export type ForgetOutput = (ForgetAnswer & { readonly origin: 'memory' }) | ToolFailure;

const MAX_QUERY_CHARACTERS = 500;

/** Returns the tool that forgets what the user confirms. Requests on one memory are shown one at a time. */
export function forgetTool(memory: Memory, confirm: ConfirmForget): Tool<ForgetInput, ForgetOutput> {
  return tool({
    description:
      "Erases something from the long-term memory of the user's chats, after asking the user to confirm. Call it only if the user wants something to be forgotten. It selects facts that contain all words of the query; if there are none, it selects parts of earlier conversations that contain them.",
    inputSchema: inputSchema<ForgetInput>('query', {
      query: {
        type: 'string',
        description:
          'A few words, such as a name or a place, all of which must occur in what is to be forgotten.',
      },
    }),
    execute: (input: ForgetInput, { abortSignal }): Promise<ForgetOutput> =>
      toolAnswer(memory, abortSignal, (signal) => {
        const query = inputText(input, 'query', MAX_QUERY_CHARACTERS);
        const work = async (): Promise<ForgetAnswer> => {
          const { forgetConfirmed } = await import('./forget-confirmed.ts');
          return forgetConfirmed(memory, confirm, query, signal);
        };
        return abortable(oneAtATime(memory, 'forget', work), signal);
      }),
  });
}
