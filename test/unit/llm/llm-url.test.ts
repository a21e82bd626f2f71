import { expect, it } from 'vitest';
import { fetchLLM } from '../../../src/index.ts';

it.each([
  ['http://localhost:1234/v1', 'http://localhost:1234/v1/chat/completions'],
  ['http://localhost:1234/v1/chat/completions', 'http://localhost:1234/v1/chat/completions'],
  ['http://localhost:1234/v1/chat/completions/?key=1', 'http://localhost:1234/v1/chat/completions?key=1'],
  ['HTTPS://llm.example.com/answer', 'HTTPS://llm.example.com/answer'],
  ['/api/chat', '/api/chat'],
  ['./v1', './v1/chat/completions'],
  ['../answer', '../answer'],
  ['//llm.example.com/v1', '//llm.example.com/v1/chat/completions'],
])('LLM-81: %s is sent to %s', async (url, sentTo) => {
  const urls: unknown[] = [];
  const fetch = async (input: unknown): Promise<Response> => {
    urls.push(input);
    return Response.json({ choices: [{ message: { role: 'assistant', content: 'hi' } }] });
  };
  await fetchLLM({ url, fetch: fetch as typeof globalThis.fetch })({
    messages: [{ role: 'user', content: 'hi' }],
  });
  expect(urls.map(String)).toEqual([sentTo]);
});
