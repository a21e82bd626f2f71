import type { LLMReply, LLMRequest } from './llm.ts';

/** How one HTTP API says what a request and a reply say. */
export interface WireFormat {
  /** The JSON body. @throws MnemoraError `invalid-input` on a message that the API cannot carry */
  requestBody(request: LLMRequest, options: BodyOptions): Record<string, unknown>;
  /** Reads a whole reply. @throws MnemoraError `llm-reply` where it is not a reply. */
  parseReply(body: unknown): LLMReply;
  /** Cuts the bytes of a stream into the data that `openReply` takes. */
  openStream(): StreamParser;
  openReply(): ReplyStream;
}

export interface BodyOptions {
  model?: string | undefined;
  /** Whether the reply is asked for piece by piece. */
  stream: boolean;
}

/** Reads a stream piece by piece: the pieces may be cut anywhere. */
export interface StreamParser {
  /** The data that these bytes complete. */
  push(bytes: Uint8Array): string[];
  /** The data that the end of the stream left without its closing line. */
  end(): string[];
}

/** Puts a streamed reply together. */
export interface ReplyStream {
  /**
   * Takes one piece of data; returns the text in it, empty where there is none.
   *
   * @throws MnemoraError `llm-reply` on data that cannot be read and on an error object
   */
  push(data: string): string;
  /** Whether the endpoint has said that the reply is complete. */
  readonly isFinished: boolean;
  /** Whether nothing more will come. */
  readonly isClosed: boolean;
  reply(): LLMReply;
}
