import { trimMessages } from '../../src/strategies/trim-messages.ts';
import type { TrimMessagesOptions } from '../../src/strategies/trim-options.ts';
import type { Given } from './case.ts';
import { roleOf, toMessages } from './message-rows.ts';
import type { Subject } from './subject.ts';
import { tokenCounter } from './token-counters.ts';
import type { World } from './world.ts';

export function trimSubject(given: Given, world: World): Subject {
  const { startOn, endOn, ...rest } = given.options ?? {};
  const options = {
    ...rest,
    ...(startOn === undefined ? {} : { startOn: rolesOf(startOn) }),
    ...(endOn === undefined ? {} : { endOn: rolesOf(endOn) }),
    tokenizer: tokenCounter(given.tokenCounter ?? 'contentWords'),
    onWarning: world.onWarning,
  };
  return {
    userName: 'human',
    operations: {
      trim: () => trimMessages(toMessages(given.messages ?? []), options as unknown as TrimMessagesOptions),
    },
  };
}

function rolesOf(names: unknown): TrimMessagesOptions['startOn'] {
  return Array.isArray(names) ? names.map((name) => roleOf(String(name))) : roleOf(String(names));
}
