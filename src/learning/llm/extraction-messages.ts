import type { ChatMessage } from '../../model/message.ts';
import type { ConsolidationInput, DialogueInput, ExtractionInput, SourceMessage } from '../extractor.ts';
import {
  consolidationInstructions,
  dataLines,
  entityUpdatesInstructions,
  extractionInstructions,
  speakerOf,
  type SpeakerLabels,
} from './prompts.ts';
import type { AskedEntity } from './read-updates.ts';
import { fairShare, shorten } from '../shorten-text.ts';

/**
 * Returns the prompt that asks for the entities and facts in some turns. Messages and facts are numbered, because ids
 * would take twenty tokens each.
 */
export function extractionMessages(
  input: ExtractionInput,
  labels: SpeakerLabels,
  maxCharacters: number,
): ChatMessage[] {
  const messageShare = shareOf(input.messages, maxCharacters);
  // Known entities and facts help to understand the messages, but must not crowd them out.
  const contextShare = shareOf(input.context, maxCharacters / 4);
  const knownShare = Math.max(80, Math.floor(maxCharacters / 4 / Math.max(1, input.entities.length)));
  const lines = [
    ...input.entities.map(({ name, aliases, summary }) => ({
      entity: shorten(name, 300),
      ...(aliases.length === 0 ? {} : { aliases: aliases.slice(0, 10).map((alias) => shorten(alias, 300)) }),
      ...(summary === '' ? {} : { note: shorten(summary, knownShare) }),
    })),
    ...input.facts.map(({ subject, predicate, object }, index) => ({
      id: `f${index + 1}`,
      fact: [subject, predicate, object].map((part) => shorten(part, 300)),
    })),
    ...input.context.map((message, index) => messageLine(`c${index + 1}`, message, labels, contextShare)),
    ...input.messages.map((message, index) => messageLine(`m${index + 1}`, message, labels, messageShare)),
  ];
  return [
    { role: 'system', content: extractionInstructions(labels) },
    { role: 'user', content: dataLines(lines) },
  ];
}

/** Returns the prompt that asks for the notes on several entities at once. */
export function updatesMessages(
  { entities, history, input }: DialogueInput & { readonly entities: readonly AskedEntity[] },
  labels: SpeakerLabels,
  maxCharacters: number,
): ChatMessage[] {
  const share = fairShare(
    entities.map((entity) => entity.summary.length),
    maxCharacters,
  );
  return [
    { role: 'system', content: entityUpdatesInstructions(labels) },
    {
      role: 'user',
      content: dataLines([
        ...entities.map(({ name, summary }) => ({ name, note: shorten(summary, share) })),
        { earlier: shorten(history, maxCharacters) },
        { last: shorten(input, maxCharacters) },
      ]),
    },
  ];
}

/** Returns the prompt that asks to merge the notes of each of several entities. */
export function consolidationMessages(
  { entities }: ConsolidationInput,
  labels: SpeakerLabels,
  maxCharacters: number,
): ChatMessage[] {
  const share = fairShare(
    entities.flatMap(({ notes, facts }) => [...notes, ...facts].map((text) => text.length)),
    maxCharacters,
  );
  const lines = entities.map(({ name, notes, facts }) => ({
    name,
    notes: notes.map((note) => shorten(note, share)),
    ...(facts.length === 0 ? {} : { facts: facts.map((fact) => shorten(fact, share)) }),
  }));
  return [
    { role: 'system', content: consolidationInstructions(labels) },
    { role: 'user', content: dataLines(lines) },
  ];
}

function messageLine(id: string, message: SourceMessage, labels: SpeakerLabels, share: number): object {
  const date = Number.isFinite(message.createdAt) ? new Date(message.createdAt) : undefined;
  return {
    id,
    from: speakerOf(message, labels),
    ...(message.name === undefined ? {} : { name: shorten(message.name, 100) }),
    ...(date === undefined || Number.isNaN(date.getTime()) ? {} : { date: date.toISOString().slice(0, 10) }),
    text: shorten(message.text, share),
  };
}

function shareOf(messages: readonly SourceMessage[], space: number): number {
  return fairShare(
    messages.map((message) => message.text.length),
    Math.floor(space),
  );
}
