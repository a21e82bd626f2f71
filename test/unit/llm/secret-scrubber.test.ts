import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretScrubber } from '../../../src/llm/secret-scrubber.ts';

const KEY = 'sk-proj-9fQ2<x>&Zt7/Lw4+Rb8_kM3e';
const scrub = secretScrubber([KEY]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const entities = (text: string, encode: (code: number) => string): string =>
  [...text].map((unit) => encode(unit.charCodeAt(0))).join('');

/** A secret in another form, and the part of that form that would give it away. */
const FORMS: Readonly<Record<string, string>> = {
  plain: KEY,
  'in capitals': KEY.toUpperCase(),
  'URL-encoded': encodeURIComponent(KEY),
  'in JSON': JSON.stringify({ key: KEY }),
  base64: base64(KEY),
  'base64 with a user': base64(`me:${KEY}`),
  'base64 in a sentence': base64(`Bearer ${KEY} is wrong`),
  base64url: Buffer.from(`x${KEY}`).toString('base64url'),
  'base64 in lines': base64(KEY).replaceAll(/.{12}/g, '$&\n'),
  hexadecimal: Buffer.from(KEY).toString('hex'),
  'hexadecimal with colons': Buffer.from(KEY).toString('hex').toUpperCase().replaceAll(/..\B/g, '$&:'),
  'with spaces': [...KEY].join(' '),
  'with zero-width spaces': [...KEY].join('\u200b'),
  'HTML with names': KEY.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'HTML with numbers': KEY.replaceAll(/[^a-z0-9]/gi, (unit) => `&#${unit.charCodeAt(0)};`),
  'HTML in numbers': entities(KEY, (code) => `&#${code};`),
  'HTML in hexadecimal': entities(KEY, (code) => `&#x${code.toString(16)};`),
  'only its beginning': KEY.slice(0, 14),
  'only its middle': `…${KEY.slice(5, 20)}…`,
  'only its end': KEY.slice(-14),
  'partly masked': `${KEY.slice(0, 14)}****${KEY.slice(-10)}`,
};

it.each(Object.entries(FORMS))('LLM-17: a key is hidden %s', (_name, form) => {
  const hidden = scrub(`The key ${form} is not known here.`);
  expect(hidden).toContain('[hidden]');
  const letters = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
  // Nothing of seven characters of the form is left.
  const left = letters(hidden);
  const secret = letters(form);
  const pieces = Array.from({ length: secret.length - 6 }, (_, at) => secret.slice(at, at + 7));
  expect(pieces.filter((piece) => left.includes(piece))).toEqual([]);
});

it('LLM-17: what stands around a key is shown, and a text without it is not changed', () => {
  expect(scrub(`Incorrect API key provided: ${KEY}. Get one at example.com.`)).toBe(
    'Incorrect API key provided: [hidden]. Get one at example.com.',
  );
  fc.assert(
    fc.property(fc.lorem({ maxCount: 40 }), (text) => {
      expect(scrub(text)).toBe(text);
    }),
  );
});

it('LLM-17: the address of the page in a header does not hide the address of the endpoint', () => {
  const hide = secretScrubber(['http://localhost:5173/', 'sk-123456789']);
  expect(hide('http://localhost:11434/v1 is down')).toBe('http://localhost:11434/v1 is down');
});

it('LLM-17: short keys are hidden as they are given', () => {
  expect(secretScrubber(['k-1'])('wrong: K-1, k1')).toBe('wrong: [hidden], k1');
});
