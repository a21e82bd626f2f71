import { simulateReadableStream, type LanguageModel } from 'ai';
import { scriptedAnswer } from './scripted-answer.ts';

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type Prompt = Parameters<Model['doStream']>[0]['prompt'];
type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** A model of the AI SDK that needs no network: it knows nothing but what its prompt says. */
export const scriptedModel: Model = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate({ prompt }) {
    return Promise.resolve({ content: [{ type: 'text', text: answerTo(prompt) }], ...END, warnings: [] });
  },
  doStream({ prompt }) {
    const words = answerTo(prompt).split(/(?<= )/u);
    const chunks: StreamPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: 'answer' },
      ...words.map((delta) => ({ type: 'text-delta' as const, id: 'answer', delta })),
      { type: 'text-end', id: 'answer' },
      { type: 'finish', ...END },
    ];
    return Promise.resolve({ stream: simulateReadableStream({ chunks }) });
  },
};

const END: Pick<Awaited<ReturnType<Model['doGenerate']>>, 'finishReason' | 'usage'> = {
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
};

function answerTo(prompt: Prompt): string {
  const texts = prompt.map(({ role, content }) =>
    role === 'user' ? content.map((part) => (part.type === 'text' ? part.text : '')).join('') : undefined,
  );
  return scriptedAnswer(texts.filter((text) => text !== undefined));
}
