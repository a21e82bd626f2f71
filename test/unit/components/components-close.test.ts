import { expect, it, vi } from 'vitest';
import { CombinedMemory } from '../../../src/components/langchain/composed-memories.ts';
import { ConversationEntityMemory } from '../../../src/components/langchain/entity-memory.ts';
import { ConversationKGMemory } from '../../../src/components/langchain/kg-memory.ts';
import {
  ConversationSummaryBufferMemory,
  ConversationSummaryMemory,
} from '../../../src/components/langchain/summary-memories.ts';
import { jobsOf } from '../../../src/storage/jobs/job-store.ts';
import { runnerFor } from '../../../src/jobs/job-runner.ts';
import { offlineExtractor } from '../../../src/learning/rules/offline-extractor.ts';
import type { ChatMessageHistory } from '../../../src/sessions/chat-message-history.ts';
import { TranscriptHistory } from '../../../src/sessions/transcript-history.ts';
import { InMemoryTranscript } from '../../fixtures/in-memory-transcript.ts';
import { fakeSummarizer } from '../../fakes/fake-summarizer.ts';

/** Counts the handlers and listeners that are registered with the runner of a database. */
function watchedDatabase(): { chatHistory: ChatMessageHistory; registered: () => number } {
  const transcript = new InMemoryTranscript();
  const { summaries, engine } = transcript;
  const chatHistory = new TranscriptHistory(
    (use) => use({ transcript, summaries }),
    ['user', 's'],
    Date.now,
    engine,
  );
  const runner = runnerFor(jobsOf(engine));
  const registered = new Set<object>();
  const { handle, onEvent } = runner;
  vi.spyOn(runner, 'handle').mockImplementation((...given) => {
    const entry = {};
    registered.add(entry);
    const stop = handle.apply(runner, given);
    return async () => {
      registered.delete(entry);
      await stop();
    };
  });
  vi.spyOn(runner, 'onEvent').mockImplementation((listener) => {
    const entry = {};
    registered.add(entry);
    const stop = onEvent.call(runner, listener);
    return () => {
      registered.delete(entry);
      stop();
    };
  });
  return { chatHistory, registered: () => registered.size };
}

it('CMP-24: a hundred components opened and closed over one database leave no handler and no listener', async () => {
  const { chatHistory, registered } = watchedDatabase();
  const options = { chatHistory, extractor: offlineExtractor(), enrichment: 'background' } as const;
  for (let n = 0; n < 25; n += 1) {
    const members = [
      new ConversationSummaryMemory({ ...options, memoryKey: 'summary' }),
      new ConversationSummaryBufferMemory({ ...options, memoryKey: 'recent' }),
      new ConversationKGMemory({ ...options, memoryKey: 'facts' }),
    ];
    await using entities = new ConversationEntityMemory({ ...options, memoryKey: 'turns' });
    const combined = new CombinedMemory({ memories: members });
    expect(registered()).toBe(8);
    await combined.close();
    await combined.close();
    expect(entities.memoryKeys).toEqual(['entities', 'turns']);
  }
  expect(registered()).toBe(0);
});

it('CMP-25: a second unclosed memory of the same session does not double the work', async () => {
  const { chatHistory } = watchedDatabase();
  const extractor = fakeSummarizer(['S1', 'S2', 'S3']);
  const options = { chatHistory, extractor, enrichment: 'background' } as const;
  const forgotten = new ConversationSummaryMemory(options);
  const memory = new ConversationSummaryMemory(options);
  await memory.saveContext({ input: 'I am Jack.' }, { output: 'Hello Jack!' });
  await Promise.all([memory.settled(), forgotten.settled()]);
  expect(extractor.calls).toHaveLength(1);
  await memory.close();
  // The turn that is saved now is summarized by the one that is still open.
  await memory.saveContext({ input: 'I live in Bern.' }, { output: 'Nice.' });
  await forgotten.settled();
  expect(extractor.calls).toHaveLength(2);
  await forgotten.close();
});
