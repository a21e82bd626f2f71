import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../src/model/message.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';
import {
  countMessages,
  countMessageTokens,
  MAX_TOKENS_PER_OTHER_PART,
  TOKENS_PER_IMAGE,
  TOKENS_PER_SMALL_IMAGE,
} from '../../../src/tokens/tokenizer.ts';
import { tiktokenTokenizer } from '../../../src/tokens/tiktoken.ts';

const byLength = (text: string): number => text.length;

describe('countMessageTokens', () => {
  it('TOK-7: a message costs its text plus 3, a name its text plus 1', () => {
    expect(countMessageTokens({ role: 'user', content: 'four' }, byLength)).toBe(7);
    expect(countMessageTokens({ role: 'user', content: 'four', name: 'Ann' }, byLength)).toBe(11);
    expect(countMessageTokens({ role: 'assistant', content: null }, byLength)).toBe(3);
  });

  it('TOK-8: tool calls and the ids of tool results are counted', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } } as const;
    expect(countMessageTokens({ role: 'assistant', content: null, tool_calls: [call] }, byLength)).toBe(
      3 + 3 + 2 + 4 + 7,
    );
    expect(countMessageTokens({ role: 'tool', content: 'sun', tool_call_id: 'c1' }, byLength)).toBe(
      3 + 3 + 2,
    );
  });

  it('TOK-9: content parts that are not text have a fixed price', () => {
    const withPart = (part: { type: string; [field: string]: unknown }): number =>
      countMessageTokens({ role: 'user', content: [{ type: 'text', text: 'see' }, part] }, byLength) - 6;
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    expect(withPart({ type: 'image_url', image_url: { url } })).toBe(TOKENS_PER_IMAGE);
    expect(withPart({ type: 'image_url', image_url: { url, detail: 'low' } })).toBe(TOKENS_PER_SMALL_IMAGE);
    expect(withPart({ type: 'input_audio', data: url })).toBe(MAX_TOKENS_PER_OTHER_PART);
    expect(withPart({ type: 'file', id: 'x' })).toBeLessThan(20);
  });

  it('TOK-10: a request costs 3 plus the sum of its messages', () => {
    const tokenizer = approximateTokenizer();
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
    ];
    const sum = messages.reduce((total, message) => total + tokenizer.countMessage(message), 0);
    expect(countMessages(tokenizer, messages)).toBe(3 + sum);
    expect(countMessages(tokenizer, [])).toBe(3);
  });
});

const SAMPLES: Readonly<Record<string, string>> = {
  english:
    "I moved to Berlin last spring, and since then my sister has visited twice. She's allergic to nuts.",
  capitals: 'THIS IS ALL SHOUTING ABOUT UNBELIEVABLE THINGS',
  german: 'Gestern habe ich mit meiner Schwester über die Geburtstagsfeier gesprochen; draußen im Garten.',
  polish: 'Wczoraj rozmawiałem z siostrą o przyjęciu urodzinowym, chociaż prognoza zapowiada burze.',
  vietnamese: 'Hôm qua tôi đã nói chuyện với chị gái về bữa tiệc sinh nhật ngoài vườn.',
  russian: 'Вчера я разговаривал с сестрой о дне рождения; прогноз обещает грозу.',
  chinese: '昨天我和姐姐谈了生日聚会的事；她更想在花园里庆祝，虽然天气预报说会有雷阵雨。',
  japanese: '昨日、姉と誕生日パーティーについて話しました。庭でお祝いしたいそうです。',
  korean: '어제 언니와 생일 파티에 대해 이야기했어요. 정원에서 축하하고 싶어해요.',
  arabic: 'أمس تحدثت مع أختي عن حفلة عيد الميلاد في الحديقة.',
  json: '{"id":"call_1","values":[1,2.5,-3],"nested":{"ok":true,"none":null}}',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

describe('approximateTokenizer', () => {
  it('TOK-11: the approximate tokenizer overestimates, within a bound', async () => {
    const real = await tiktokenTokenizer();
    const approximate = approximateTokenizer();
    const ratios = Object.entries(SAMPLES).map(([name, text]) => ({
      name,
      ratio: approximate.countText(text) / real.countText(text),
    }));
    expect(ratios.filter(({ ratio }) => !(ratio >= 1 && ratio <= 3.2))).toEqual([]);
    expect(approximate.countText('')).toBe(0);
    expect(approximate.countText('x'.repeat(1_000_000))).toBeGreaterThan(0);
  });
});
