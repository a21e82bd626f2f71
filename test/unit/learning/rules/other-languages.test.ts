import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../../src/index.ts';
import { factsInLanguages } from '../../../../src/learning/rules/languages/read-languages.ts';

/** A sentence, and the facts that it states. */
const STATED: readonly (readonly [string, ...string[]])[] = [
  ['Ich wohne seit drei Jahren in Bad Homburg.', 'user | lives in | Bad Homburg'],
  ['Letzte Woche bin ich nach Mainz gezogen, alles steht voll.', 'user | lives in | Mainz'],
  ['Ich arbeite als Koch und wohne in Bonn.', 'user | works as | Koch', 'user | lives in | Bonn'],
  ['Meine Schwester Johanna heiratet am 12. Juni.', 'user | has sister | Johanna'],
  ['Unsere Katze heißt Minka.', 'user | has cat | Minka'],
  [
    'Gegen Soja und Nüsse bin ich allergisch.',
    'user | is allergic to | Soja',
    'user | is allergic to | Nüsse',
  ],
  ['Ich habe am 3. Mai Geburtstag.', 'user | has birthday | 3. Mai'],
  ['Ich mag keine Pilze.', 'user | does not like | Pilze'],
  ['Mein Sohn Emil spielt Geige.', 'user | has son | Emil', 'Emil | plays | Geige'],
  ["J'ai 42 ans et je vis à Nantes.", 'user | has age | 42', 'user | lives in | Nantes'],
  ["Au fait, je suis infirmière à l'hôpital.", 'user | is a | infirmière'],
  ['Notre chien Filou a mangé mes chaussures.', 'user | has dog | Filou'],
  ['Je suis allergique aux noix et au soja.', 'user | is allergic to | noix', 'user | is allergic to | soja'],
  ['Je ne mange pas de porc.', 'user | does not eat | porc'],
  ['Je suis à la retraite depuis peu.', 'user | is | à la retraite'],
  ['Vivo en Lima y trabajo como chef.', 'user | lives in | Lima', 'user | works as | chef'],
  ['Mi amiga María Luisa se casa.', 'user | has friend | María Luisa'],
  ['Tengo una perra que se llama Luna.', 'user | has dog | Luna'],
  ['Me encanta el jazz.', 'user | loves | jazz'],
  ['Mi chiamo Paolo e ho 50 anni.', 'user | is named | Paolo', 'user | has age | 50'],
  ['Sono allergico alle noci.', 'user | is allergic to | noci'],
  ['Mia moglie Giulia suona il violino.', 'user | has wife | Giulia', 'Giulia | plays | violino'],
  ['Moro no Porto há dois anos.', 'user | lives in | Porto'],
  ['Minha filha Clara começou a escola.', 'user | has daughter | Clara'],
  ['Não como carne.', 'user | does not eat | carne'],
];

const NOT_STATED: readonly string[] = [
  'Ich wohne in Miete.',
  'Ich wohne bald in Ulm.',
  'Früher wohnte ich in Ulm.',
  'Wenn ich in Köln wohne, bin ich Lehrer.',
  'Er sagt, ich wohne in Köln.',
  'Stell dir vor, ich wohne in Rom.',
  'Ich arbeite als Letzter am Projekt.',
  'Ich bin aus Versehen hier.',
  'Ich mag Leute, die lachen.',
  'Heute hat meine Tochter Geburtstag.',
  'Mein Bruder Student ist klug.',
  'Ich wohne nicht in Köln.',
  'Meine Frau Sabine und ich haben uns getrennt.',
  'Mi novia Ana y yo nos separamos.',
  'Wohne ich in Köln?',
  "J'habite à côté.",
  "J'adore ce film.",
  "J'aimerais vivre à Lyon.",
  'Je travaille comme un fou.',
  "Mon frère dit que j'habite à Lyon.",
  'Vivo en las nubes.',
  'Trabajo de noche.',
  'Me gusta esa idea.',
  'Soy médico en mis sueños.',
  'Ojalá viva en Lima.',
  'Lavoro come un matto.',
  'Suono il campanello.',
  'Amo mia moglie.',
  'Moro na filosofia.',
  'Gosto de você.',
  'Studio Ghibli makes films.',
];

async function told(text: string): Promise<string[]> {
  const facts = await factsInLanguages(text);
  return facts.map(({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`);
}

describe('facts in other languages', () => {
  it.each(STATED)('RULE-87: a statement becomes facts: %s', async (text, ...facts) => {
    expect(await told(text)).toEqual(facts);
  });

  it.each(NOT_STATED)('RULE-88: no fact is made of: %s', async (text) => {
    expect(await told(text)).toEqual([]);
  });

  it('RULE-88: each sentence of a message in two languages is read in its own', async () => {
    const memory = await createMemory({ storage: 'memory', embedder: false });
    const user =
      'I live in Oslo. Meine Schwester Anna ist mit uns nach Norwegen gekommen. Wir arbeiten im Zoo.';
    await memory.remember({ user, assistant: 'OK.' });
    await memory.work.settled();
    const facts = await memory.facts.list();
    expect(facts.map(({ predicate, object }) => `${predicate} ${object}`)).toEqual([
      'lives in Oslo',
      'has sister Anna',
    ]);
    await memory.close();
  });

  it.each([
    ['Ich wohne in Köln, gleich am Dom.', 'Ich bin nach Mainz gezogen.', 'user lives in Mainz'],
    ["J'habite à Lyon.", "Je n'habite plus à Lyon.", ''],
    ['Trabajo como camarero.', 'Ahora trabajo como panadero.', 'user works as panadero'],
    ['Abito a Torino.', 'Mi sono trasferita a Genova.', 'user lives in Genova'],
    ['Moro em Recife.', 'Me mudei para o Porto.', 'user lives in Porto'],
    ['Ich arbeite als Koch.', 'Ich arbeite jetzt an einem Bild.', 'user works as Koch'],
    ['Vivo en Lima.', 'Mi hermana se mudó a Cusco.', 'user lives in Lima'],
    ['Il mio ragazzo si chiama Marco.', 'Mi sono lasciata con Marco.', ''],
    ['Mi novio se llama Raúl.', 'Rompí con Raúl.', ''],
  ])('RULE-89: "%s" and then "%s" leaves "%s"', async (before, after, fact) => {
    let now = Date.UTC(2026, 2, 1);
    const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
    for (const user of [before, after]) {
      now += 86_400_000;
      await memory.remember({ user, assistant: 'OK.' });
      await memory.work.settled();
    }
    const facts = await memory.facts.list();
    const own = facts.filter(({ subject }) => subject === 'user');
    expect(own.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`)).toEqual(
      fact === '' ? [] : [fact],
    );
    await memory.close();
  });
});
