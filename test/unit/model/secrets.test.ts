import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSecret, redactSecrets, secretFinder, withoutSecrets } from '../../../src/language/secrets.ts';
import { secretSpans } from '../../../src/language/secret-shapes.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHABET = LOWER + LOWER.toUpperCase() + DIGITS;

const textOf = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

/** Appends the digit that makes the Luhn sum a multiple of ten. */
function withLuhnDigit(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

/** Computes the check digits of an IBAN. */
function ibanOf(country: string, account: string): string {
  const moved = Array.from(`${account}${country}00`, (character) => Number.parseInt(character, 36)).join('');
  return `${country}${String(98n - (BigInt(moved) % 97n)).padStart(2, '0')}${account}`;
}

const inGroups = (text: string, size: number, separator: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []).join(separator);

const cards = textOf(DIGITS, 14).map((digits) => withLuhnDigit(`4${digits}`));
const ibans = fc
  .tuple(fc.constantFrom('DE', 'GB', 'FR', 'NL'), textOf(LOWER.toUpperCase() + DIGITS, 18))
  .map(([country, account]) => ibanOf(country, account));

describe('redactSecrets', () => {
  it.each([
    ['My password is hunter2.', 'My password is [secret].'],
    ['my password is swordfish and I like it', 'my password is [secret] and I like it'],
    ['My passphrase is correct horse battery staple.', 'My passphrase is [secret].'],
    ['The wifi password at home: Blue-Monkey_42', 'The wifi password at home: [secret]'],
    ['I changed my password to Tr0ub4dor&3', 'I changed my password to [secret]'],
    ['I use hunter2 as my password', 'I use [secret] as my password'],
    ['I use swordfish as my password', 'I use [secret] as my password'],
    ['{"password": "let me in"}', '{"password": "[secret]"}'],
    ['DB_PASSWORD=abcdef', 'DB_PASSWORD=[secret]'],
    ['mein Passwort ist Hund123', 'mein Passwort ist [secret]'],
    ['我的密码是 hunter2', '我的密码是 [secret]'],
    ['the PIN for my debit card is 4821', 'the PIN for my debit card is [secret]'],
    ['4821 is the PIN of the garage', '[secret] is the PIN of the garage'],
    ["What's your PIN? 4821", "What's your PIN? [secret]"],
    ['the door code is 1379#', 'the door code is [secret]#'],
    ['My API key is 12345abcde.', 'My API key is [secret].'],
    ['postgres://bob:s3cret@host/db', 'postgres://bob:[secret]@host/db'],
    ['https://a.b/?access_token=AbCd1234EfGh5678IjKl', 'https://a.b/?access_token=[secret]'],
    ['card 4111-1111-1111-1111 exp 12/27', 'card [secret] exp 12/27'],
    ['order 1234 4111 1111 1111 1111 today', 'order 1234 [secret] today'],
    ['378282246310005', '[secret]'],
    ['SSN 123-45-6789', 'SSN [secret]'],
    ['my social security number is 123456789', 'my social security number is [secret]'],
    ['DE89 3704 0044 0532 0130 00 Thanks', '[secret] Thanks'],
    ['BE68 5390 0754 7034 AND MORE', '[secret] AND MORE'],
    ['a -----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY----- z', 'a [secret] z'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123456', '[secret]'],
    ['sk-proj-AbCd1234EfGh5678IjKl9012', '[secret]'],
    ['xoxb-222222222222-333333333333-AbCdEfGhIjKlMnOp12345678', '[secret]'],
    ['key-3ax6xnjp29jd6fds4gc373sgvjxteol0', '[secret]'],
    ['AKIAIOSFODNN7EXAMPLE', '[secret]'],
    ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '[secret]'],
  ])('SECR-1: a secret is replaced: %s', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
    expect(hasSecret(text)).toBe(true);
    expect(redactSecrets(expected)).toBe(expected);
  });

  it.each([
    'I forgot my password, and my password is too long.',
    'The password is wrong. A password is required. The password was changed yesterday.',
    'I use a password manager, I use Bitwarden as my password manager, and I keep my PIN number in my head.',
    'The PIN is on the map; pin the tail on the donkey.',
    'I need a new API key for the weather service; the token limit is 2000.',
    'The key is to be patient, and the secret is patience.',
    'Order 1234567890123456, ISBN 9783161484100, tracking 1Z999AA10123456784.',
    'Call +49 170 1234567 or 555-123-4567 or (212) 555-0100.',
    'On 2026-01-31 at 12:30, at 1700000000000000 microseconds.',
    'commit 3f2a9c1b4d5e6f708192a3b4c5d6e7f809182736',
    '550e8400-e29b-41d4-a716-446655440000',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
    'src/learning/check-extraction.ts, getElementById2WithXhr, nginx-deployment-66b6c48dd5-abcde',
    'how-to-cook-rice-in-10-minutes-2024-edition, iPhone-15-Pro-Max-256GB-Blue',
    'My name is Max, I was born on 12.05.1987, my zip code is 90210, and error code 1234 came.',
  ])('SECR-2: what is not a secret stays: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('SECR-3: a card or account number is found by its check digits, in one or in groups', () => {
    const separator = fc.constantFrom('', ' ', '-');
    fc.assert(
      fc.property(cards, separator, (card, between) => {
        expect(redactSecrets(`It is ${inGroups(card, 4, between)}, yes.`)).toBe('It is [secret], yes.');
        const wrong = `${card.slice(0, -1)}${(Number(card.at(-1)) + 1) % 10}`;
        expect(redactSecrets(`It is ${wrong}, yes.`)).toBe(`It is ${wrong}, yes.`);
      }),
    );
    fc.assert(
      fc.property(ibans, fc.constantFrom('', ' '), (iban, between) => {
        expect(redactSecrets(`To ${inGroups(iban, 4, between)}.`)).toBe('To [secret].');
      }),
    );
  });

  it('SECR-3: random keys are found and hashes are not', () => {
    const keys = fc.sample(textOf(ALPHABET, 40), { numRuns: 1000, seed: 7 });
    expect(
      keys.filter((key) => redactSecrets(`use ${key} here`) === 'use [secret] here').length,
    ).toBeGreaterThan(980);
    fc.assert(
      fc.property(
        fc.constantFrom(32, 40, 64).chain((length) => textOf('0123456789abcdef', length)),
        (hash) => {
          expect(hasSecret(`commit ${hash} fixes it`)).toBe(false);
        },
      ),
    );
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(hasSecret(`turn ${id}`)).toBe(false);
      }),
    );
  });

  it('SECR-4: any text is read: spans are in order, inside the text and apart', () => {
    const pieces = [
      'password is ',
      'PIN 48',
      'my ',
      'eyJ',
      '4111 1111 ',
      '"',
      'sk-',
      'A1b',
      'DE89 ',
      '\n',
      '😀',
      ': ',
    ];
    const words = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...pieces));
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        let at = 0;
        for (const { start, end } of secretSpans(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('SECR-5: a secret that is told as one in the sources is found without its introduction', () => {
    const isSecret = secretFinder(['My password is swordfish.', 'My card is 4111 1111 1111 1111.']);
    expect(['user has Swordfish', 'pays with 4111111111111111'].map(isSecret)).toEqual([true, true]);
    expect(isSecret('user likes fish')).toBe(false);
    expect(withoutSecrets('They log in with swordfish.', ['my password is swordfish'])).toBe(
      'They log in with [secret].',
    );
  });
});
