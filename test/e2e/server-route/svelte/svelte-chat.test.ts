import { join } from 'node:path';
import { it } from 'vitest';
import { chatContract } from '../chat-contract.ts';
import { expectFollowedFacts } from '../followed-facts.ts';
import { openRouteSite } from '../route-site.ts';
import { compileSvelte } from './compile-svelte.ts';

const opened = chatContract(() =>
  openRouteSite(join(import.meta.dirname, 'page'), 'ai 6', { plugins: [compileSvelte()] }),
);

it('RCP-8: the facts in a component of Svelte follow what another tab remembers and forgets', () =>
  expectFollowedFacts(opened()));
