import type {
  LanguageModelApi,
  LanguageModelCreateOptions,
  LanguageModelMessage,
} from '../../src/llm/prompt-api.ts';

export type FakeAnswer =
  | { kind: 'reply'; text: string }
  /** These pieces, so long apart. */
  | { kind: 'stream'; tokens: readonly unknown[]; delayMs?: number }
  /** These pieces, then a failure. */
  | { kind: 'cut'; tokens: readonly unknown[]; error?: Error }
  /** No session is made. */
  | { kind: 'refuse'; error: Error };

export interface FakeLanguageModel extends LanguageModelApi {
  readonly asked: {
    create: LanguageModelCreateOptions;
    input: LanguageModelMessage[];
    responseConstraint?: object;
  }[];
  readonly availabilityOptions: unknown[];
  /** Sessions that are not destroyed. */
  readonly openSessions: number;
  /** Adds answers; without one the last message is echoed. */
  enqueue(...answers: FakeAnswer[]): void;
}

export interface FakeLanguageModelOptions {
  availability?: 'unavailable' | 'downloadable' | 'available';
}

/** The browser's built-in model, from a script. */
export function fakeLanguageModel({
  availability = 'available',
}: FakeLanguageModelOptions = {}): FakeLanguageModel {
  const answers: FakeAnswer[] = [];
  const asked: FakeLanguageModel['asked'] = [];
  const availabilityOptions: unknown[] = [];
  let openSessions = 0;
  return {
    asked,
    availabilityOptions,
    get openSessions() {
      return openSessions;
    },
    enqueue: (...more) => void answers.push(...more),
    availability: async (options) => {
      availabilityOptions.push(options);
      return availability;
    },
    async create(create = {}) {
      create.signal?.throwIfAborted();
      const answer = answers.shift();
      if (answer?.kind === 'refuse') throw answer.error;
      if (availability === 'downloadable') download(create.monitor);
      openSessions += 1;
      return {
        promptStreaming(input, { signal, ...rest } = {}) {
          asked.push({ create, input, ...rest });
          return speak(answer ?? { kind: 'reply', text: input.at(-1)?.content ?? '' }, signal);
        },
        destroy: () => {
          openSessions -= 1;
        },
      };
    },
  };
}

function download(monitor: LanguageModelCreateOptions['monitor']): void {
  const target = new EventTarget();
  monitor?.(target);
  for (const loaded of [0, 0.5, 1]) {
    target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }));
  }
}

function speak(
  answer: Exclude<FakeAnswer, { kind: 'refuse' }>,
  signal?: AbortSignal,
): ReadableStream<unknown> {
  const pieces: unknown[] = answer.kind === 'reply' ? [answer.text] : [...answer.tokens];
  return new ReadableStream({
    start: (controller) =>
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true }),
    async pull(controller) {
      if (answer.kind === 'stream' && answer.delayMs) {
        await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
        if (signal?.aborted) return;
      }
      if (pieces.length > 0) controller.enqueue(pieces.shift());
      else if (answer.kind === 'cut') controller.error(answer.error ?? new Error('the model has crashed'));
      else controller.close();
    },
  });
}
