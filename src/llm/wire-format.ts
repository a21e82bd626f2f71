import { newId } from '../model/id.ts';
import type { ToolCall } from '../model/message.ts';
import type { LLMReply, LLMRequest } from './llm.ts';

/** Converts requests and replies to and from the format of one HTTP API. */
export interface WireFormat {
  /**
   * Returns the JSON body.
   *
   * @param options.stream whether to request a stream
   * @throws MnemoraError `invalid-input` if the API does not support a message
   */
  requestBody(
    request: LLMRequest,
    options: { model?: string | undefined; stream: boolean },
  ): Record<string, unknown>;
  /** Adds a whole reply. @throws MnemoraError `llm-reply` if the body is not a valid reply */
  addReply(reply: ReplyParts, body: Readonly<Record<string, unknown>>): void;
  /** Splits the text of a stream, whose pieces may end anywhere, into the data for `addData`. */
  splitStream(texts: AsyncIterable<string>): AsyncIterable<string>;
  /** Adds one piece of data of a stream. @throws MnemoraError `llm-reply` if it is invalid or an error object */
  addData(reply: ReplyParts, data: string): void;
}

/** Collects the parts of a reply. A whole reply is added as a single piece. */
export class ReplyParts {
  /** The text in the pieces in which it came. */
  readonly texts: string[] = [];
  finishReason: string | undefined;
  /** Whether the stream has ended. */
  isClosed = false;
  readonly #calls = new Map<number, ToolCall>();
  #usage: LLMReply['usage'];

  /** Whether the endpoint has marked the reply as complete. */
  get isFinished(): boolean {
    return this.isClosed || this.finishReason !== undefined;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** Adds to the tool call at a position: the first id and name are kept, pieces of the arguments are joined. */
  addToCall(position: number, { id = '', name = '', arguments: text = '' }: Partial<CallPiece>): void {
    const call = this.#calls.get(position) ?? {
      id: '',
      type: 'function',
      function: { name: '', arguments: '' },
    };
    call.id ||= id;
    call.function.name ||= name;
    call.function.arguments += text;
    this.#calls.set(position, call);
  }

  /** Sets the token counts. Values that are not numbers are ignored; a later count replaces an earlier one. */
  addUsage(inputTokens: unknown, outputTokens: unknown): void {
    if (typeof inputTokens === 'number') this.#usage = { ...this.#usage, inputTokens };
    if (typeof outputTokens === 'number') this.#usage = { ...this.#usage, outputTokens };
  }

  toReply(): LLMReply {
    const toolCalls = [...this.#calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    for (const call of toolCalls) {
      // Some endpoints send no ids, but a tool result must name the id of its call.
      call.id ||= `call_${newId()}`;
      call.function.arguments ||= '{}';
    }
    return {
      text: this.texts.join(''),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.finishReason !== undefined && { finishReason: this.finishReason }),
    };
  }
}

type CallPiece = ToolCall['function'] & Pick<ToolCall, 'id'>;
