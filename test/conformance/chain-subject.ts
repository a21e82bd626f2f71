import { ConversationBufferMemory } from '../../src/strategies/buffer-memory.ts';
import { ConversationChain, type ConversationChainOptions } from '../../src/strategies/conversation-chain.ts';
import type { Values } from '../../src/strategies/memory.ts';
import type { Given } from './case.ts';
import { buildMemory } from './memory-subject.ts';
import type { Subject } from './subject.ts';
import type { World } from './world.ts';

export async function chainSubject(given: Given, world: World): Promise<Subject> {
  const { memoryKey, promptVariables } = given;
  const memory = given.memory
    ? (await buildMemory(given.memory, world)).memory
    : new ConversationBufferMemory(memoryKey === undefined ? {} : { memoryKey });
  const options: ConversationChainOptions = { llm: world.newLLM(given), memory, onWarning: world.onWarning };
  if (given.template !== undefined) options.prompt = given.template;
  if (promptVariables) options.prompt = `A prompt. ${promptVariables.map((name) => `{${name}}`).join(' ')}`;
  if (given.inputKey !== undefined) options.inputKey = given.inputKey;
  if (given.outputKey !== undefined) options.outputKey = given.outputKey;
  const chain = new ConversationChain(options);
  return {
    userName: 'human',
    operations: {
      construct: () => undefined,
      invoke: ({ inputs, input }) => chain.invoke((inputs ?? input) as string | Values),
      predict: ({ inputs, input }) => chain.predict((inputs ?? input) as string | Values),
      memoryLoad: ({ inputs }) => memory.loadMemoryVariables((inputs ?? {}) as Values),
    },
  };
}
