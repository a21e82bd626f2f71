// Extractors, which make facts, entities and summaries from turns.
export { llmExtractor } from './learning/llm/llm-extractor.ts';
export type { LlmExtractorOptions } from './learning/llm/llm-extractor.ts';
export { RELATIONS } from './learning/support/relations.ts';
export type { SpeakerLabels } from './learning/llm/prompts.ts';
export { offlineExtractor } from './learning/rules/offline-extractor.ts';
export type { OfflineExtractorOptions } from './learning/rules/offline-extractor.ts';
export type { Extraction, Extractor, ProposedMention, ProposedTriple } from './learning/extractor.ts';
export type { ConsolidationInput, ExtractionInput, SummaryInput } from './learning/extractor.ts';
export type { KnownEntity, KnownFact, SourceMessage } from './learning/extractor.ts';

// Parsers of a model's reply.
export { parseTriples, type ParsedTriple } from './learning/parse-replies.ts';
export { parseEntities } from './learning/parse-replies.ts';

// Text analysis of the rules.
export { sentencesOf } from './language/sentences.ts';
export { pastedParts } from './language/pasted-parts.ts';

// Secrets, which are never learned.
export { redactSecrets } from './language/secrets.ts';

// Types of their options.
export type { LLM, LLMReply, LLMRequest } from './llm/llm.ts';
export { promptTemplate, type PromptTemplate } from './llm/prompt-template.ts';
export type { ChatMessage, ContentPart, StoredMessage, ToolCall, TurnState } from './model/message.ts';

// Errors.
export { MnemoraError, type MnemoraErrorCode } from './model/error.ts';
