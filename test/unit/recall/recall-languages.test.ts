import { askedIn } from '../../../src/language/question-features.ts';
import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { askedMatters, isOfMatter } from '../../../src/recall/asked-matters.ts';

interface Chat {
  readonly language: string;
  readonly said: readonly string[];
  /** Questions for general knowledge. */
  readonly general: readonly string[];
  /** Questions about the user, each with a word of its answer. */
  readonly own: readonly (readonly [string, string])[];
}

const CHATS: readonly Chat[] = [
  {
    language: 'German',
    said: [
      'Ich wohne in Kassel, gleich am Park.',
      'Meine Frau Birgit arbeitet als Zahnärztin.',
      'Unser Kater Mogli frisst nur Nassfutter.',
      'Ich vertrage keinen Sellerie, da bekomme ich Ausschlag.',
      'Am 14. Juni läuft mein Sohn Jannis seinen ersten Halbmarathon.',
      'Ich spiele seit drei Jahren Saxophon in einer Bigband.',
      'Bitte antworte mir immer kurz und ohne Emojis.',
      'Ich habe den Job bei der Sparkasse gekündigt und arbeite jetzt als Tischler.',
    ],
    general: [
      'Wie hoch ist der Kilimandscharo?',
      'Warum ist der Himmel blau?',
      'Wie funktioniert ein Kühlschrank?',
      'Wer hat Faust geschrieben?',
      'Wie entferne ich Rotweinflecken?',
      'Übersetze "Guten Appetit" ins Italienische.',
      'Erkläre mir kurz Blockchain.',
      'Was ist Inflation?',
    ],
    own: [
      ['Wo wohne ich?', 'kassel'],
      ['Was arbeitet Birgit?', 'zahnärztin'],
      ['Wer ist Mogli?', 'kater'],
      ['Wann läuft Jannis?', '14. juni'],
      ['Welches Instrument spiele ich?', 'saxophon'],
      ['Was bin ich von Beruf?', 'tischler'],
    ],
  },
  {
    language: 'Spanish',
    said: [
      'Vivo en Zaragoza, cerca del río.',
      'Mi marido Andrés trabaja como electricista.',
      'Nuestra gata Lola solo come atún.',
      'El 14 de junio mi hijo Hugo corre su primera media maratón.',
      'Toco el saxofón en una banda desde hace tres años.',
      'Dejé el trabajo en el banco y ahora trabajo como carpintera.',
    ],
    general: [
      '¿Qué altura tiene el Kilimanjaro?',
      '¿Por qué el cielo es azul?',
      '¿Cómo funciona una nevera?',
      '¿Cómo quito manchas de vino tinto?',
      'Explícame blockchain.',
      '¿Cuántos habitantes tiene Japón?',
      '¿Qué es la inflación?',
    ],
    own: [
      ['¿Dónde vivo?', 'zaragoza'],
      ['¿En qué trabaja Andrés?', 'electricista'],
      ['¿Quién es Lola?', 'gata'],
      ['¿Cuándo corre Hugo?', '14 de junio'],
      ['¿Qué instrumento toco?', 'saxof'],
      ['¿Cuál es mi profesión?', 'carpintera'],
    ],
  },
  {
    language: 'French',
    said: [
      "J'habite à Dijon, près du parc.",
      'Mon mari Luc travaille comme électricien.',
      'Notre chatte Prune ne mange que du thon.',
      'Le 14 juin, mon fils Hugo court son premier semi-marathon.',
      "J'ai quitté la banque et maintenant je travaille comme menuisière.",
    ],
    general: [
      'Quelle est la hauteur du Kilimandjaro ?',
      'Pourquoi le ciel est-il bleu ?',
      'Comment fonctionne un frigo ?',
      'Qui a écrit Les Misérables ?',
      'Explique-moi brièvement la blockchain.',
      "Combien d'habitants a le Japon ?",
    ],
    own: [
      ["Où est-ce que j'habite ?", 'dijon'],
      ['Que fait Luc ?', 'électricien'],
      ['Qui est Prune ?', 'chatte'],
      ['Quand court Hugo ?', '14 juin'],
      ['Quel est mon métier ?', 'menuisière'],
    ],
  },
  {
    language: 'Italian',
    said: [
      'Abito a Ferrara, vicino alle mura.',
      'Mio marito Luca lavora come elettricista.',
      'La nostra gatta Nuvola mangia solo tonno.',
      'Il 14 giugno mio figlio Elia corre la sua prima mezza maratona.',
      'Suono il sassofono in una banda da tre anni.',
      'Ho lasciato il lavoro in banca e adesso lavoro come falegname.',
    ],
    general: [
      'Quanto è alto il Kilimangiaro?',
      'Perché il cielo è blu?',
      'Come funziona un frigorifero?',
      'Chi ha scritto la Divina Commedia?',
      'Scrivi una funzione che trova i numeri primi.',
      'Quali pianeti ci sono?',
    ],
    own: [
      ['Dove abito?', 'ferrara'],
      ['Che lavoro fa Luca?', 'elettricista'],
      ['Chi è Nuvola?', 'gatta'],
      ['Quando corre Elia?', '14 giugno'],
      ['Che strumento suono?', 'sassofono'],
    ],
  },
  {
    language: 'Portuguese',
    said: [
      'Moro em Coimbra, perto do rio.',
      'Meu marido Tiago trabalha como eletricista.',
      'Nossa gata Nina só come atum.',
      'No dia 14 de junho meu filho Davi corre a primeira meia maratona.',
      'Toco saxofone numa banda há três anos.',
    ],
    general: [
      'Qual é a altura do Kilimanjaro?',
      'Por que o céu é azul?',
      'Quem escreveu Os Lusíadas?',
      'Me explique blockchain.',
      'O que é inflação?',
    ],
    own: [
      ['Onde eu moro?', 'coimbra'],
      ['Em que trabalha o Tiago?', 'eletricista'],
      ['Quem é a Nina?', 'gata'],
      ['Quando corre o Davi?', '14 de junho'],
    ],
  },
  {
    language: 'Dutch',
    said: [
      'Ik woon in Zwolle, vlak bij het park.',
      'Mijn man Sjoerd werkt als elektricien.',
      'Onze kat Pluis eet alleen tonijn.',
      'Ik speel al drie jaar saxofoon in een band.',
    ],
    general: ['Hoe hoog is de Kilimanjaro?', 'Waarom is de lucht blauw?', 'Hoe werkt een koelkast?'],
    own: [
      ['Waar woon ik?', 'zwolle'],
      ['Wie is Pluis?', 'kat'],
      ['Welk instrument speel ik?', 'saxofoon'],
    ],
  },
];

describe('recall in other languages', () => {
  it.each(CHATS)('REC-92: $language', async ({ said, general, own }) => {
    let now = Date.UTC(2026, 2, 1);
    const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
    for (const user of said) {
      now += 86_400_000;
      await memory.remember({ user, assistant: 'OK.' }, { sessionId: String(now) });
    }
    await memory.work.settled();
    const told = async (question: string): Promise<string[]> => {
      const { items } = await memory.session('now').recall(question, { maxTokens: 350 });
      return items.filter(({ kind }) => kind !== 'profile').map(({ text }) => text.toLowerCase());
    };
    for (const question of general) expect([question, await told(question)]).toEqual([question, []]);
    const missed: string[] = [];
    for (const [question, word] of own) {
      const { items } = await memory.session('now').recall(question, { maxTokens: 350 });
      if (!items.some(({ text }) => text.toLowerCase().includes(word))) missed.push(question);
    }
    expect(missed).toEqual([]);
    await memory.close();
  });
});

// cspell:disable
describe('the matter of a question', () => {
  it.each([
    ['¿en qué trabajo?', 'work'],
    ['¿en qué ciudad vivo?', 'home'],
    ['wo wohne ich?', 'home'],
    ['mein Hund braucht ein Spielzeug', 'pet'],
    ['我的猫叫什么？', 'pet'],
    ['晚上喝什么好？', 'health'],
    ['妹の誕生日はいつ？', 'family'],
  ])('REC-108: "%s" is about %s', (question, kind) => {
    expect([...askedMatters(askedIn(question))]).toContain(kind);
  });

  it('REC-108: of an English question, the matter does not count', () => {
    expect(askedMatters(askedIn('Where do I work?')).size).toBe(0);
    expect(isOfMatter([{ kinds: ['work'] }], askedMatters(askedIn('Where do I work?')))).toBe(false);
  });

  it('REC-108: what is stated about the matter is told first', async () => {
    await using memory = await createMemory({ storage: 'memory', embedder: false });
    const told = [
      'Mi prima Olga tiene un piso precioso en Gijón',
      'Soy panadera en Teruel',
      'Mi hermano Raúl toca el violín desde pequeño',
      'Tengo alergia al polen, en primavera lo paso fatal',
      'Mis padres viven en un pueblo de Soria',
      'Mi amiga Pilar se casa el 7 de mayo',
    ];
    for (const content of told) await memory.remember({ messages: [{ role: 'user', content }] });
    await memory.work.settled();
    const { text } = await memory.session('later').recall('¿en qué trabajo?', { maxTokens: 140 });
    expect(text).toContain('panadera');
  });
});
// cspell:enable
