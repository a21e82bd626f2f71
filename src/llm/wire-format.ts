import type { LLMRequest } from './llm.ts';
import type { ReplyParts } from './reply-parts.ts';

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
