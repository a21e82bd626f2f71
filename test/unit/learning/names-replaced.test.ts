import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

/** Returns the words of the first message that the second one has ended. */
async function endedIn(first: string, second: string): Promise<string[]> {
  let now = Date.UTC(2026, 1, 1);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  for (const user of [first, second]) {
    await memory.remember({ user, assistant: 'Noted.' });
    now += 86_400_000;
  }
  await memory.work.settled();
  const claims = await memory.claims.list({ includeHistory: true });
  await memory.close();
  return claims.flatMap(({ status, endedText, text }) => (status === 'ended' ? (endedText ?? text) : []));
}

// cspell:disable
describe('a name in the place of another', () => {
  it.each([
    ['We start in Kyoto.', 'We changed it: Osaka instead of Kyoto.', 'in Kyoto'],
    ['We are staying at the Hilton in June.', 'Changed it: Ibis instead of Hilton, cheaper.', 'the Hilton'],
    ['We are staying in São Paulo.', 'Changed: Rio instead of São Paulo.', 'in São Paulo'],
    ['Wir fangen in Turin an.', 'Wir haben umgeplant: Mailand statt Turin.', 'in Turin'],
    ['On commence à Lille, j’ai déjà réservé l’hôtel.', 'On a changé : Lyon au lieu de Lille.', 'à Lille'],
    ['Nos vamos de vacaciones a Cádiz en julio.', 'Hemos cambiado: Málaga en lugar de Cádiz.', 'a Cádiz'],
    ['Partiamo da Torino.', 'Abbiamo cambiato: Milano invece di Torino.', 'da Torino'],
    ['Começamos em Faro.', 'Mudámos: Lagos em vez de Faro.', 'em Faro'],
  ])('CLM-35: "%s" is over after "%s"', async (first, second, over) => {
    expect(await endedIn(first, second)).toEqual([over]);
  });

  it.each([
    ['I love Kyoto.', 'We changed the plan: Osaka instead of Kyoto.'],
    ['I grew up in Kyoto.', 'We switched the trip: Osaka instead of Kyoto.'],
    ['My office is in Kyoto.', 'We changed the venue: Osaka instead of Kyoto.'],
    ['My office is in Kyoto.', 'Tomorrow we meet in Osaka instead of Kyoto.'],
    ['My sister lives in Kyoto.', 'We changed the plan: Osaka instead of Kyoto.'],
    ['I am flying to Kyoto in May.', 'My sister changed her plan: Osaka instead of Kyoto.'],
    ['I am flying to Kyoto in May.', 'If we changed to Osaka instead of Kyoto, would it be cheaper?'],
    ['I drink Coke every day.', 'We finally ordered Pepsi instead of Coke last night.'],
    ['I take the bus to work.', 'This week I take the bike instead of the bus.'],
    ['I sing in the choir on Mondays.', 'If I quit the choir, would I have more time?'],
    ['We start in Kyoto.', 'My friend says: we changed it: Osaka instead of Kyoto.'],
    ['Ich wohne in Kiel.', 'Wir treffen uns in Hamburg statt in Kiel.'],
    ['Je travaille à Lyon.', 'Demain réunion à Paris au lieu de Lyon.'],
  ])('CLM-35: "%s" holds after "%s"', async (first, second) => {
    expect(await endedIn(first, second)).toEqual([]);
  });
});
// cspell:enable
