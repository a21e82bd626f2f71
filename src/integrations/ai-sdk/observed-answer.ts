import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { isRecord } from '../../model/is-record.ts';
import type { TurnEnd } from './turn-in-progress.ts';

/** What is told of an answer while it streams. */
export interface AnswerObserver {
  /** Id of the answer, unless its stream names one. */
  readonly id: string;
  /** The unfinished answer that the stream continues. */
  readonly before?: UIMessage | undefined;
  /** Metadata that the answer gets, besides what the stream sets. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the page has stopped the answer. */
  readonly isStopped: () => boolean;
  /** Called with the answer as it is so far, whenever some of it has arrived. */
  readonly grown: (answer: UIMessage) => void;
  /** Called once, with the whole answer. The stream ends after it has resolved. */
  readonly ended: (answer: UIMessage, state: TurnEnd) => Promise<void>;
}

/**
 * Forwards the stream of an answer, and reports the message that the page makes of it. Works with the stream of any
 * transport: one that breaks off without its last part has failed, or was stopped.
 */
export function observedAnswer(
  stream: ReadableStream<UIMessageChunk>,
  { id, before, metadata, isStopped, grown, ended }: AnswerObserver,
): ReadableStream<UIMessageChunk> {
  const reader = stream.getReader();
  let state: TurnEnd | undefined;
  let hasBegun = false;
  let answer: UIMessage = before ? copyOf(before) : { id, role: 'assistant', parts: [] };
  let copy: ReadableStreamDefaultController<UIMessageChunk> | undefined;
  const copied = new ReadableStream<UIMessageChunk>({ start: (controller) => void (copy = controller) });
  const read = readAnswer(copied, copyOf(answer), (now) => {
    answer = now;
    grown(now);
  });
  // The reader of the copy gives up at a part that it cannot read, as the page does.
  const follow = (use: (into: ReadableStreamDefaultController<UIMessageChunk>) => void): void => {
    try {
      if (copy) use(copy);
    } catch {
      copy = undefined;
      state = 'failed';
    }
  };
  // Put into the first metadata that the stream sets, or else into its last part: a page that checks the metadata of its
  // answers expects none of its own before that.
  let left = metadata;
  const withMetadata = (chunk: UIMessageChunk): UIMessageChunk => {
    const isPlace =
      chunk.type === 'finish' || ('messageMetadata' in chunk && isRecord(chunk.messageMetadata));
    if (!left || !isPlace) return chunk;
    const messageMetadata = { ...(chunk as { messageMetadata?: object }).messageMetadata, ...left };
    left = undefined;
    return { ...chunk, messageMetadata };
  };
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> =>
    (ending ??= (async () => {
      follow((into) => into.close());
      await read;
      await ended(answer, state ?? (isStopped() ? 'cancelled' : 'failed'));
    })());
  const pass = (chunk: UIMessageChunk, controller: ReadableStreamDefaultController<UIMessageChunk>): void => {
    const next = stateAfter(chunk);
    if (state === undefined || next === 'failed') state = next ?? state;
    follow((into) => into.enqueue(copyOf(chunk)));
    controller.enqueue(chunk);
  };
  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          // The page and what is stored must know the answer by the same id.
          const messageId = before?.id ?? id;
          if (!hasBegun && value.type !== 'start') pass({ type: 'start', messageId }, controller);
          const named =
            value.type === 'start' ? { ...value, messageId: value.messageId ?? messageId } : value;
          pass(withMetadata(named), controller);
          hasBegun = true;
          return;
        }
      } catch (error) {
        await end();
        controller.error(error);
        return;
      }
      await end();
      controller.close();
    },
    async cancel(reason) {
      state ??= 'cancelled';
      await Promise.all([end(), reader.cancel(reason)]);
    },
  });
}

/** Calls `grown` with each state of the answer that a stream builds. A stream with an unreadable part stops growing. */
async function readAnswer(
  stream: ReadableStream<UIMessageChunk>,
  message: UIMessage,
  grown: (answer: UIMessage) => void,
): Promise<void> {
  try {
    for await (const now of readUIMessageStream({ message, stream, onError: () => undefined })) grown(now);
  } catch {
    // The page reads the same parts, and reports the error.
  }
}

/** Returns the state of a turn whose answer ends with this part, or undefined if it does not end it. */
function stateAfter(chunk: UIMessageChunk): TurnEnd | undefined {
  if (chunk.type === 'abort') return 'cancelled';
  if (chunk.type === 'error') return 'failed';
  if (chunk.type !== 'finish') return undefined;
  return chunk.finishReason === 'error' ? 'failed' : 'complete';
}

/**
 * Returns a copy that the reader of the other one does not change. Tools may return what cannot be copied, such as
 * functions, and cannot be stored either: it is left out.
 */
function copyOf<T extends object>(given: T): T {
  try {
    return structuredClone(given);
  } catch {
    return JSON.parse(JSON.stringify(given)) as T;
  }
}
