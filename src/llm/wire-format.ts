import type { LLMReply, LLMRequest } from './llm.ts';

/** Converts requests and replies to and from the format of one HTTP API. */
export interface WireFormat {
  /** Returns the JSON body. @throws MnemoraError `invalid-input` if the API does not support a message */
  requestBody(request: LLMRequest, options: BodyOptions): Record<string, unknown>;
  /** Reads a whole reply. @throws MnemoraError `llm-reply` if the body is not a valid reply */
  parseReply(body: unknown): LLMReply;
  /** Returns a parser that splits the bytes of a stream into the data for `openReply`. */
  openStream(): StreamParser;
  openReply(): ReplyStream;
}

export interface BodyOptions {
  model?: string | undefined;
  /** Whether to request a stream. */
  stream: boolean;
}

/** Parses a stream in pieces, which may be split at any byte. */
export interface StreamParser {
  /** Returns the data completed by these bytes. */
  push(bytes: Uint8Array): string[];
  /** Returns the remaining data at the end of the stream, which has no closing line. */
  end(): string[];
}

/** Assembles a streamed reply. */
export interface ReplyStream {
  /**
   * Adds one piece of data and returns its text, which may be empty.
   *
   * @throws MnemoraError `llm-reply` if the data is invalid or an error object
   */
  push(data: string): string;
  /** Whether the endpoint has marked the reply as complete. */
  readonly isFinished: boolean;
  /** Whether the stream has ended. */
  readonly isClosed: boolean;
  reply(): LLMReply;
}
