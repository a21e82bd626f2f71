import { ConversationBufferMemory } from '../../src/components/langchain/buffer-memories.ts';
import {
  ConversationChain,
  type ConversationChainOptions,
} from '../../src/components/chain/conversation-chain.ts';
import type { Values } from '../../src/components/langchain/base-memory.ts';
import type { Given } from './case.ts';
import type { BuiltMemory, Subject } from './subject.ts';
import { buildMemory, memoryOperations } from './memory-subject.ts';
import type { World } from './world.ts';

export async function chainSubject(given: Given, world: World): Promise<Subject> {
  const {
    memory: givenMemory,
    template,
    promptVariables,
    memoryKey,
    inputKey,
    outputKey,
  }: Given = {
    // The name that LangChain's own conversation chain gives to its answer; a plain chain's is ours.
    ...(given.component === 'ConversationChain' ? { outputKey: 'response' } : {}),
    ...given,
    ...given.options,
  };
  const built: BuiltMemory = givenMemory
    ? await buildMemory(givenMemory, world)
    : { memory: new ConversationBufferMemory(memoryKey === undefined ? {} : { memoryKey }) };
  const { memory } = built;
  const options: ConversationChainOptions = { llm: world.newLLM(given), memory, onWarning: world.onWarning };
  if (template !== undefined) options.prompt = template;
  else if (promptVariables)
    options.prompt = `A prompt. ${promptVariables.map((name) => `{${name}}`).join(' ')}`;
  if (inputKey !== undefined) options.inputKey = inputKey;
  if (outputKey !== undefined) options.outputKey = outputKey;
  const chain = new ConversationChain(options);
  return {
    userName: 'human',
    operations: {
      ...memoryOperations(built),
      construct: () => undefined,
      invoke: ({ inputs, input }) => chain.invoke((inputs ?? input) as string | Values),
      predict: ({ inputs, input }) => chain.predict((inputs ?? input) as string | Values),
      run: ({ inputs, input }) => chain.predict((inputs ?? input) as string | Values),
      stream: async ({ inputs, input }) => {
        let text = '';
        for await (const piece of chain.stream((inputs ?? input) as string | Values)) text += piece;
        return text;
      },
    },
  };
}
