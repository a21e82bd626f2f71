import { join } from 'node:path';
import { it } from 'vitest';
import { chatContract } from '../chat-contract.ts';
import { expectFollowedFacts } from '../followed-facts.ts';
import { openRouteSite } from '../route-site.ts';

/** Vue asks bundlers to set these. */
const FLAGS = {
  __VUE_OPTIONS_API__: 'false',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
};

const opened = chatContract(() =>
  openRouteSite(join(import.meta.dirname, 'page'), 'ai 6', { define: FLAGS }),
);

it('RCP-7: the facts in a component of Vue follow what another tab remembers and forgets', () =>
  expectFollowedFacts(opened()));
