import { expect, it } from 'vitest';
import { createMemory, openDatabase } from '../../../src/index.ts';

it('FENCE-31: quote fences messages by their ids or a text, and leaves out what is gone or of another scope', async () => {
  const database = await openDatabase({ storage: 'memory' });
  const open = (scope: string) => createMemory({ database, scope, embedder: false, learning: false });
  await using memory = await open('mine');
  await using other = await open('theirs');
  const [kept, old, theirs] = [
    await memory.remember({ user: 'My boat is red.', assistant: 'Noted.' }),
    await memory.remember({ user: 'My boat is blue.', assistant: 'Noted.' }, { turnId: 'old' }),
    await other.remember({ user: 'My boat is green.', assistant: 'Noted.' }),
  ];
  await memory.remember({ user: 'My boat is black.', assistant: 'Noted.' }, { replaces: 'old' });
  const ids = [kept, old, theirs].flatMap(({ messageIds }) => messageIds.slice(0, 1));
  const quoted = await memory.quote([...ids, 'unknown', ids[0] ?? '']);
  expect(quoted).toMatch(/^<memory-([\da-f]{24})>\n\[.+\]\n> My boat is red\.\n<\/memory-\1>$/u);
  expect(await memory.session('next').quote(ids)).toBe(quoted);
  expect(await memory.quote(ids.slice(1))).toBe('');
  expect(await memory.quote('')).toBe('');
  expect(await memory.quote(`one\n${quoted}`)).toMatch(
    /^<memory-([\da-f]{24})>\n> one\n> < memory-[^<]*\n> < \/memory- [^<]*\n<\/memory-\1>$/u,
  );
  for (const wrong of [undefined, 1, [1], {}]) {
    await expect(memory.quote(wrong as never)).rejects.toMatchObject({ code: 'invalid-input' });
  }
  await expect(memory.quote([], { sessionId: 1 } as never)).rejects.toMatchObject({ code: 'invalid-option' });
});

it('FENCE-33: quote returns well-formed text, whatever text it is given', async () => {
  await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
  expect(await memory.quote('The \ud83d cat')).toMatch(/\n> The \ufffd cat\n/u);
  for (const text of ['\ud800', 'cut in \ud83d', '\ude00 cut out', '\ude00\ud83d']) {
    expect((await memory.quote(text)).isWellFormed()).toBe(true);
  }
  expect(await memory.quote('A whole \ud83d\ude00')).toContain('> A whole \ud83d\ude00\n');
});
