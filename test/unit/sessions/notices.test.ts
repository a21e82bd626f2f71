import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isNotice, type CountedMessage, type StoredMessage } from '../../../src/model/message.ts';
import type { ChatMessageHistory } from '../../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../../src/sessions/in-memory-history.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';

/** Messages of which some are notices of the page. */
const messages = fc
  .array(fc.boolean(), { maxLength: 24 })
  .map((areOfPage) =>
    areOfPage.map((isOfPage, at): CountedMessage =>
      isOfPage
        ? { role: 'assistant', content: `notice ${at}`, origin: 'notice' }
        : { role: 'user', content: `${at}` },
    ),
  );

const contentsOf = (rows: readonly StoredMessage[]): unknown[] => rows.map(({ content }) => content);

it('HIST-15: a page of a history has as many messages as without the notices of the page', async () => {
  const database = await openDatabase({ storage: 'memory' });
  let sessions = 0;
  const histories: readonly (() => ChatMessageHistory)[] = [
    () => new InMemoryChatMessageHistory(),
    () => database.chatHistory(`s${sessions++}`),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...histories),
      messages,
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 25 }),
      async (open, said, last, beforeSeq) => {
        const history = open();
        await history.addMessages(said);
        const read = said.filter((message) => !isNotice(message)).map(({ content }) => content);
        expect(contentsOf(await history.list())).toEqual(read);
        const earlier = read.filter((content) => Number(content) < beforeSeq);
        const page = await history.list({ last, beforeSeq });
        expect(contentsOf(page)).toEqual(last === 0 ? [] : earlier.slice(-last));
      },
    ),
    { numRuns: 200 },
  );
});
