import {
  trimMessages,
  type TextSplitter,
  type TrimMessagesOptions,
} from '../../src/components/chain/trim-messages.ts';
import type { Given } from './case.ts';
import { roleOf, toMessages } from './message-rows.ts';
import type { Subject } from './subject.ts';
import { tokenCounter } from './token-counters.ts';
import type { World } from './world.ts';

export function trimSubject(given: Given, world: World): Subject {
  const { startOn, endOn, textSplitter, ...rest } = given.options ?? {};
  const options = {
    ...rest,
    ...(startOn === undefined ? {} : { startOn: rolesOf(startOn) }),
    ...(endOn === undefined ? {} : { endOn: rolesOf(endOn) }),
    ...(textSplitter === undefined ? {} : { textSplitter: TEXT_SPLITTERS[String(textSplitter)] }),
    tokenizer: tokenCounter(given.tokenCounter ?? 'contentWords'),
    onWarning: world.onWarning,
  };
  return {
    userName: 'human',
    operations: {
      trim: ({ messages }) =>
        trimMessages(toMessages(messages ?? given.messages ?? []), options as unknown as TrimMessagesOptions),
    },
  };
}

const TEXT_SPLITTERS: Readonly<Record<string, TextSplitter>> = {
  lines: (text) => text.split(/(?<=\n)/),
  words: (text) => text.split(/(?<= )/),
  characters: (text) => [...text],
};

function rolesOf(names: unknown): TrimMessagesOptions['startOn'] {
  return Array.isArray(names) ? names.map((name) => roleOf(String(name))) : roleOf(String(names));
}
