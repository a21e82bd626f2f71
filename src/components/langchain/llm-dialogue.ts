import { MAX_PROPOSALS } from '../../learning/extractor.ts';
import { askModel, type ModelSettings } from '../../learning/llm/ask-model.ts';
import {
  entityExtractionPrompt,
  entitySummarizationPrompt,
  kgExtractionPrompt,
  updatesMessages,
} from '../../learning/llm/prompts.ts';
import { cleanReply, isUnchanged, replyProse } from '../../learning/llm/reply-text.ts';
import { parseEntities, parseTriples } from '../../learning/parse-replies.ts';
import type { LLM } from '../../llm/llm.ts';
import { messageText, type ChatMessage } from '../../model/message.ts';
import type { Dialogue, DialogueExtractor } from './dialogue-extractor.ts';

export type DialoguePrompt = 'entityExtraction' | 'entitySummarization' | 'kgExtraction';

export interface LlmDialogueOptions extends ModelSettings<DialoguePrompt> {
  /** Renders messages as lines with speakers. */
  readonly toText: (messages: readonly ChatMessage[]) => string;
}

/**
 * Asks a model with LangChain's prompts, which the caller can replace. Errors of `llm` are passed through unchanged.
 *
 * @throws MnemoraError `invalid-option` if a prompt does not have exactly its variables. The methods reject with
 *   `llm-reply` if a reply contains no usable text.
 */
export function llmDialogue(llm: LLM, options: LlmDialogueOptions): Required<DialogueExtractor> {
  const model = askModel(llm, options, PROMPT_VARIABLES);
  const textsOf = ({ history, input }: Dialogue) => ({
    history: options.toText(history),
    input: typeof input === 'string' ? input : saidByUser(input),
  });
  return {
    async findEntities(dialogue) {
      const { signal } = dialogue;
      const reply = await model.askFor('entityExtraction', textsOf(dialogue), entityExtractionPrompt, signal);
      return parseEntities(cleanReply(reply)).slice(0, MAX_PROPOSALS);
    },
    async extractTriples(dialogue) {
      const { signal } = dialogue;
      const reply = await model.askFor('kgExtraction', textsOf(dialogue), kgExtractionPrompt, signal);
      return parseTriples(cleanReply(reply)).slice(0, MAX_PROPOSALS);
    },
    summaries: {
      async updateEntity(dialogue, { name, summary }) {
        const values = { entity: name, summary, ...textsOf(dialogue) };
        const reply = await model.askFor(
          'entitySummarization',
          values,
          entitySummarizationPrompt,
          dialogue.signal,
        );
        const text = replyProse(reply);
        return text === undefined || isUnchanged(text) || text === summary.trim() ? undefined : text;
      },
      async updateEntities(dialogue, entities) {
        if (entities.length === 0) return new Map();
        const messages = updatesMessages(
          { ...textsOf(dialogue), entities },
          model.labels,
          model.maxCharacters,
        );
        return model.askForNotes('notes on entities', entities, messages, dialogue.signal);
      },
    },
  };
}

/** The prompts that can be replaced, and the variables that each of them must contain. */
const PROMPT_VARIABLES: Readonly<Record<DialoguePrompt, readonly string[]>> = {
  entityExtraction: ['history', 'input'],
  entitySummarization: ['entity', 'summary', 'history', 'input'],
  kgExtraction: ['history', 'input'],
};

function saidByUser(messages: readonly ChatMessage[]): string {
  return messages
    .filter(({ role }) => role === 'user')
    .map(messageText)
    .join('\n');
}
