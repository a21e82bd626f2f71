import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

// cspell:disable
it.each([
  ['a bread recipe says 3 cups of flour and 2 sticks of butter. how much is that in grams', []],
  ['a bag holds five red marbles and four blue ones. what is the chance of two reds?', []],
  ['Kannst du mir sagen, warum die Formel 0 ergibt, obwohl Zahlen in den Zellen stehen?', []],
  ['hola, me puedes ayudar con sql? hay una tabla clientes con columnas nombre y ciudad', []],
  ['hired a girl. started on monday. payroll options cheap?', ['started on monday.']],
  [
    'Flight to Oslo leaves at 6:40 on Monday. best way to the airport?',
    ['Flight to Oslo leaves at 6:40 on Monday.'],
  ],
  ["Mina's recital is on 12 May at 4. What's a good gift?", ["Mina's recital is on 12 May at 4."]],
  [
    'Der Klempner kommt am Freitag um neun. Was ist vorzubereiten?',
    ['Der Klempner kommt am Freitag um neun.'],
  ],
  ['car is a 2012 Skoda diesel. oil type?', ['car is a 2012 Skoda diesel.']],
  ['The Smiths are allergic to nuts. Dessert ideas?', ['The Smiths are allergic to nuts.']],
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
