import type { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';

/** A chat model of LangChain's that streams these chunks as they are; its own fake leaves out pieces of tool calls. */
export class ChunkedChatModel extends FakeStreamingChatModel {
  constructor(chunks: AIMessageChunk[]) {
    super({ chunks });
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    for (const message of this.chunks) yield new ChatGenerationChunk({ message, text: message.text });
  }
}
