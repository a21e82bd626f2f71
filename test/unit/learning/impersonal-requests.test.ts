import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

// cspell:disable
it.each([
  ['a bread recipe says 3 cups of flour and 2 sticks of butter. how much is that in grams', []],
  ['a player draws seven cards from a deck without putting any back. what is the chance of two aces?', []],
  ['Kannst du mir sagen, warum die Formel 0 ergibt, obwohl Zahlen in den Zellen stehen?', []],
  ['hola, me puedes ayudar con sql? hay una tabla clientes con columnas nombre y ciudad', []],
  ['hired a girl. started on monday. payroll options cheap?', ['started on monday.']],
  ['My dog Rex died on Sunday. Which shelters are open?', ['My dog Rex died on Sunday.']],
  [
    'a recipe says 2 sticks of butter, and i am allergic to butter. what else works?',
    ['a recipe says 2 sticks of butter, and i am allergic to butter.'],
  ],
  // cspell:enable
] as const)('CLM-36: of "%s" is kept %j', async (user, kept) => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  await memory.remember({ user, assistant: 'Noted.' });
  await memory.work.settled();
  expect((await memory.claims.list()).map(({ text }) => text)).toEqual(kept);
  await memory.close();
});
