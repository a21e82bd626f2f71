import type { PromptPart } from './prompt-messages.ts';
import type { TurnEnd } from './turn-in-progress.ts';

/** Parts of a model's stream that all versions of the SDK have. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly finishReason?: unknown;
}

/**
 * Forwards a model's stream, and passes what was generated to `end` before the final part or when the stream breaks
 * off. So an answer that a page has read to its end is already stored.
 */
export function watched<Part extends StreamPart>(
  stream: ReadableStream<Part>,
  end: (content: readonly PromptPart[], state: TurnEnd) => Promise<void>,
  signal: AbortSignal | undefined,
): ReadableStream<Part> {
  const reader = stream.getReader();
  const generated = new Generated();
  let isFailed = false;
  let ending: Promise<void> | undefined;
  const endOnce = (state: TurnEnd): Promise<void> => {
    signal?.removeEventListener('abort', onAbort);
    return (ending ??= end(generated.parts(), state));
  };
  const cutShort = (): Promise<void> => endOnce(signal?.aborted ? 'cancelled' : 'failed');
  const onAbort = (): void => void cutShort();
  signal?.addEventListener('abort', onAbort);
  return new ReadableStream<Part>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          await cutShort();
          controller.close();
          return;
        }
        generated.add(value);
        isFailed ||= value.type === 'error';
        if (value.type === 'finish') await endOnce(isFailed ? 'failed' : stateAfter(value.finishReason));
        controller.enqueue(value);
      } catch (error) {
        await cutShort();
        controller.error(error);
      }
    },
    async cancel(reason) {
      await Promise.all([endOnce('cancelled'), reader.cancel(reason)]);
    },
  });
}

/** Returns the state of a turn that ends with this finish reason. */
export function stateAfter(finishReason: unknown): TurnEnd {
  return reasonOf(finishReason) === 'error' ? 'failed' : 'complete';
}

/** Returns the name of a finish reason, which since specification V3 is an object. */
export function reasonOf(finishReason: unknown): unknown {
  return (Object(finishReason) as { unified?: unknown }).unified ?? finishReason;
}

/** Texts, tool calls and files of a stream, in order. */
export class Generated {
  readonly #parts: (PromptPart | string)[] = [];
  readonly #texts = new Map<string, string>();

  add(part: StreamPart): void {
    const { type, id = '', delta = '' } = part;
    if (type === 'text-delta') {
      if (!this.#texts.has(id)) this.#parts.push(id);
      this.#texts.set(id, (this.#texts.get(id) ?? '') + delta);
    } else if (type === 'tool-call' || type === 'tool-result' || type === 'file') {
      this.#parts.push(part as unknown as PromptPart);
    }
  }

  parts(): PromptPart[] {
    return this.#parts.map((part) =>
      typeof part === 'string' ? { type: 'text', text: this.#texts.get(part) ?? '' } : part,
    );
  }
}
