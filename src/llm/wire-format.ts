import { newId } from '../model/id.ts';
import type { ToolCall } from '../model/message.ts';
import type { LLMReply, LLMRequest } from './llm.ts';
import { defined } from '../model/defined.ts';

/**
 * Converts requests and replies to and from the format of one HTTP API. `fetchLLM` does the rest: it sends the request,
 * retries it, enforces the time limits, limits the size of the reply and checks that it is complete. An error that a
 * method throws rejects the call with `llm-reply`, without the API key that its message may quote.
 *
 * @example
 * const plainText: WireFormat = {
 *   requestBody: ({ messages }, { model, stream }) => ({ model, stream, prompt: messages }),
 *   addReply: (reply, body) => reply.texts.push(String(body.answer)),
 *   addData(reply, data) {
 *     const { token, done } = JSON.parse(data);
 *     reply.texts.push(token);
 *     reply.isClosed = done;
 *   },
 * };
 * const llm = fetchLLM({ url: 'https://llm.example.com/answer', api: plainText });
 */
export interface WireFormat {
  /**
   * Returns the JSON body of a request.
   *
   * @param options.model name of the model, as given to `fetchLLM`
   * @param options.stream whether to request a stream
   */
  requestBody(
    request: LLMRequest,
    options: { model?: string | undefined; stream: boolean },
  ): Record<string, unknown>;
  /** Adds a whole reply, given its JSON body. */
  addReply(reply: ReplyParts, body: Readonly<Record<string, unknown>>): void;
  /**
   * How a stream is divided into pieces of data: `events` for the `data` of server-sent events, `lines` for one piece in
   * each line that is not blank.
   * @default 'events'
   */
  readonly framing?: 'events' | 'lines';
  /** Adds one piece of data of a stream. Must set `reply.isClosed` or `reply.finishReason` at the end of the reply. */
  addData(reply: ReplyParts, data: string): void;
}

/** Collects the parts of a reply. A whole reply is added as a single piece. */
export class ReplyParts {
  /** The pieces of the text, as received. */
  readonly texts: string[] = [];
  /** Reason why the reply ended, with the values of {@link LLMReply.finishReason}. */
  finishReason: string | undefined;
  /** Whether the stream has ended. Nothing is read after that. */
  isClosed = false;
  /** Tool calls by position. Some endpoints give the same position to all calls of a reply. */
  readonly #calls = new Map<number, ToolCall[]>();
  #usage: LLMReply['usage'];

  /** Whether the endpoint has marked the reply as complete. */
  get isFinished(): boolean {
    return this.isClosed || this.finishReason !== undefined;
  }

  /** Number of tool calls so far. */
  get callCount(): number {
    return [...this.#calls.values()].flat().length;
  }

  /** @internal Returns whether there is a tool call at a position. */
  hasCall(position: number): boolean {
    return this.#calls.has(position);
  }

  /**
   * Adds to the last tool call at a position: the first id and name are kept, pieces of the arguments are joined. A name
   * with another id, or without ids another name, begins a further call.
   */
  addToCall(
    position: number,
    { id = '', name = '', arguments: text = '' }: { id?: string; name?: string; arguments?: string },
  ): void {
    const calls = this.#calls.get(position) ?? [];
    const last = calls.at(-1);
    const isOther =
      last !== undefined &&
      ![name, last.function.name].includes('') &&
      ([id, last.id].includes('') ? name !== last.function.name : id !== last.id);
    const call: ToolCall =
      last && !isOther ? last : { id: '', type: 'function', function: { name: '', arguments: '' } };
    if (call !== last) calls.push(call);
    call.id ||= id;
    call.function.name ||= name;
    call.function.arguments += text;
    this.#calls.set(position, calls);
  }

  /** Sets the token counts. Values that are not numbers are ignored; a later count replaces an earlier one. */
  addUsage(inputTokens: unknown, outputTokens: unknown): void {
    if (typeof inputTokens === 'number') this.#usage = { ...this.#usage, inputTokens };
    if (typeof outputTokens === 'number') this.#usage = { ...this.#usage, outputTokens };
  }

  /** @internal Returns the whole reply. */
  toReply(): LLMReply {
    const toolCalls = [...this.#calls].toSorted(([a], [b]) => a - b).flatMap(([, calls]) => calls);
    for (const call of toolCalls) {
      // Some endpoints send no ids, but a tool result must name the id of its call.
      call.id ||= `call_${newId()}`;
      call.function.arguments ||= '{}';
    }
    return defined({
      text: this.texts.join(''),
      toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
      usage: this.#usage,
      finishReason: this.finishReason,
    });
  }
}
