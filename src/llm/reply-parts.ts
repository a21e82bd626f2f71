import { newId } from '../model/id.ts';
import type { ToolCall } from '../model/message.ts';
import type { LLMReply } from './llm.ts';

/** What has come of a reply so far. A whole reply is one that comes in a single piece. */
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

  /** Returns the text, for passing it on. */
  addText(text: string): string {
    this.#texts.push(text);
    return text;
  }

  /** Adds to the call at a position: the first id and name count, pieces of the arguments are joined. */
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

  /** Counts that are no numbers are left out; a later count replaces an earlier one. */
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
      // Some endpoints give calls no id, but a tool's result must name one.
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
