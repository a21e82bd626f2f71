import { newId } from '../model/id.ts';
import type { ToolCall } from '../model/message.ts';
import type { LLMReply } from './llm.ts';

/** Collects the parts of a reply. A whole reply is added as a single piece. */
export class ReplyParts {
  readonly #texts: string[] = [];
  readonly #calls = new Map<number, ToolCall>();
  #usage: LLMReply['usage'];
  #finishReason: string | undefined;

  get hasEnded(): boolean {
    return this.#finishReason !== undefined;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** Adds text and returns it. */
  addText(text: string): string {
    this.#texts.push(text);
    return text;
  }

  /** Adds to the tool call at a position: the first id and name are kept, pieces of the arguments are joined. */
  addToCall(position: number, part: { id?: string; name?: string; arguments?: string }): void {
    const call = this.#calls.get(position) ?? {
      id: '',
      type: 'function',
      function: { name: '', arguments: '' },
    };
    call.id ||= part.id ?? '';
    call.function.name ||= part.name ?? '';
    call.function.arguments += part.arguments ?? '';
    this.#calls.set(position, call);
  }

  /** Sets the token counts. Values that are not numbers are ignored; a later count replaces an earlier one. */
  addUsage(inputTokens: unknown, outputTokens: unknown): void {
    if (typeof inputTokens !== 'number' && typeof outputTokens !== 'number') return;
    this.#usage = {
      ...this.#usage,
      ...(typeof inputTokens === 'number' ? { inputTokens } : {}),
      ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
    };
  }

  end(finishReason: string): void {
    this.#finishReason = finishReason;
  }

  toReply(): LLMReply {
    const calls = [...this.#calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    for (const call of calls) {
      // Some endpoints send no ids, but a tool result must name the id of its call.
      call.id ||= `call_${newId()}`;
      call.function.arguments ||= '{}';
    }
    return {
      text: this.#texts.join(''),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#finishReason === undefined ? {} : { finishReason: this.#finishReason }),
    };
  }
}
