// What makes facts, entities and summaries of turns.
export { llmExtractor } from './learning/llm/llm-extractor.ts';
export type { LlmExtractorOptions } from './learning/llm/llm-extractor.ts';
export type { SpeakerLabels } from './learning/llm/prompts.ts';
export { offlineExtractor } from './learning/offline/offline-extractor.ts';
export type { OfflineExtractorOptions } from './learning/offline/offline-extractor.ts';
export type { Extraction, Extractor, ProposedMention, ProposedTriple } from './learning/extractor.ts';
export type { ConsolidationInput, ExtractionInput, SummaryInput } from './learning/extractor.ts';
export type { KnownEntity, KnownFact, SourceMessage } from './learning/extractor.ts';

// What reads them out of a model's reply.
export { parseTriples, type ParsedTriple } from './learning/parse-replies.ts';
export { parseEntities } from './learning/parse-replies.ts';

// How they read a text.
export { sentencesOf } from './learning/offline/offline-words.ts';
export { pastedParts } from './model/pasted-parts.ts';

// What never gets into them.
export { redactSecrets } from './model/secrets.ts';

// What their options take.
export type { LLM, LLMReply, LLMRequest } from './llm/llm.ts';
export { promptTemplate, type PromptTemplate } from './llm/prompt-template.ts';
export type { ChatMessage, ContentPart, StoredMessage, ToolCall, TurnState } from './model/message.ts';

// Errors.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';
