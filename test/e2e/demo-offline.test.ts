import { expect, it } from 'vitest';
import { expectInOrder } from './demo-axe.ts';
import { PHONE } from './demo-boxes.ts';
import { closeSidebar, connectModel, modelReady, openSidebar, say, turn } from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const NEEDS_MODEL = 'Without a model I only know what you have told me. Connect a model to answer this.';
const UNKNOWN = 'I do not know that yet.';

/** What a person writes, and what the page says to it. */
const MESSAGES: readonly (readonly [message: string, answer: string])[] = [
  ['heyy, im Marta, just moved to Porto 🎉', 'Noted: your name is Marta; you live in Porto.'],
  ['my brother Felix lives in Graz btw, hes a vet', 'Noted: your brother is Felix; Felix lives in Graz.'],
  [
    "i'm allergic to walnuts!! found out the hard way lol",
    'Noted: you are allergic to walnuts. Kept in your words: “found out the hard way lol”.',
  ],
  ['where did i put my passport', UNKNOWN],
  ['why does this crash?\n```js\nconst home = "I live in Paris";\nthrow home;\n```', NEEDS_MODEL],
  ['i work at Farfetch, its ok', 'Noted: you work at Farfetch.'],
  ['the plumber comes on Thursday at 9', 'Noted.'],
  ["my girlfriend's name is Ines", 'Noted: your girlfriend is Ines.'],
  ['we got a dog called Pixel', 'Noted: your dog is Pixel.'],
  ['i dont drink coffee', 'Noted: you do not drink coffee.'],
  ['What is the tallest mountain in Spain?', NEEDS_MODEL],
  ['the bike is in the shed behind the house', 'Noted.'],
  ['my favourite band is Low', 'Noted: your favorite band is Low.'],
  ['thanks!!', NEEDS_MODEL],
  ['actually I live in Braga now, not Porto', 'Noted: you live in Braga.'],
];

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const QUESTIONS: readonly (readonly [question: string, answer: (day: string) => string])[] = [
  ['where do i live', (day) => `You live in Braga. You said so on ${day}.`],
  ['Where does my brother live?', (day) => `Felix lives in Graz. You said so on ${day}.`],
  ['what am I allergic to?', (day) => `You are allergic to walnuts. You said so on ${day}.`],
  ['Where do I work?', (day) => `You work at Farfetch. You said so on ${day}.`],
  ['when does the plumber come?', (day) => `You said on ${day}: “the plumber comes on Thursday at 9”`],
  ["what's the name of my dog", (day) => `Your dog is Pixel. You said so on ${day}.`],
  ['Do I drink coffee?', (day) => `You do not drink coffee. You said so on ${day}.`],
  ['where is my bike?', (day) => `You said on ${day}: “the bike is in the shed behind the house”`],
  ['who is Ines?', (day) => `Your girlfriend is Ines. You said so on ${day}.`],
  ['what is my blood type?', () => UNKNOWN],
  ['What is the tallest mountain in Spain?', () => NEEDS_MODEL],
  ['write me a poem about the sea', () => NEEDS_MODEL],
];

const { servers, browser } = await openDemo();
/** All that the page has said without a model. */
const notices = new Set<string>();

const { page } = browser;
// Where most is covered.
await page.setViewportSize(PHONE);

it('DEMO-60: the suggestions, chosen in their order in new chats, end in the sentence about the trip', async () => {
  await page.goto(`${servers.demoUrl}?database=demo-suggestions`);
  const said: string[] = [];
  const examples = page.locator('.example');
  for (let i = 0; i < 3; i++) {
    const text = await examples.nth(i).innerText();
    await examples.nth(i).click();
    said.push(await saidTo(text));
    await openSidebar(page);
    await page.getByRole('button', { name: 'New chat' }).click();
  }
  expect(said[0]).toContain('“we fly to Lisbon on the 3rd of May”');
  expect(said[1]).toContain('“the spare key is with our neighbor Amira”');
  expect(said[2]).toContain('and we fly to Lisbon on the 3rd of May.”');
  notices.clear();
});

it('DEMO-8: fifteen messy messages without a model are acknowledged by what was understood, or plainly', async () => {
  await page.goto(`${servers.demoUrl}?database=demo-offline-answers`);
  const said: string[] = [];
  for (const [message] of MESSAGES) said.push(await saidTo(message));
  expect(said).toEqual(MESSAGES.map(([, answer]) => answer));
  await expectInOrder(page, 'messages');
});

it('DEMO-9: twelve questions in a new chat are each answered from memory, or honestly not', async () => {
  await openSidebar(page);
  await modelReady(page);
  await page.getByRole('button', { name: 'New chat' }).click();
  const said: string[] = [];
  const before = DAY.format(Date.now());
  for (const [question] of QUESTIONS) said.push(await saidTo(question));
  const after = DAY.format(Date.now());
  const on = (day: string): string[] => QUESTIONS.map(([, answer]) => answer(day));
  // The day may have ended meanwhile.
  expect([on(before), on(after)]).toContainEqual(said);
  await expectInOrder(page, 'answers');
});

it('DEMO-10: no search finds what the page said, and no model that is connected later is sent it', async () => {
  await openSidebar(page);
  const search = page.getByLabel('Search the memory');
  await search.fill('plumber');
  await page.locator('.result', { hasText: 'comes on Thursday' }).first().waitFor();
  await search.fill('Noted you said so');
  await page
    .locator('.result')
    .or(page.getByText(/nothing/iu))
    .first()
    .waitFor();
  for (const result of await page.locator('.result').allInnerTexts()) {
    expect(result).not.toMatch(/Noted|You said|Connect a model/u);
  }
  await search.fill('');
  await closeSidebar(page);

  const { llm } = servers;
  await connectModel(page, llm.url);
  await say(page, 'So where do I live, and who is Felix?');
  const request = JSON.stringify(llm.requests.map(({ body }) => body.messages));
  expect(request).toContain('Braga');
  await expect.poll(() => llm.backgroundRequests.length).toBeGreaterThan(0);
  const background = llm.backgroundRequests.map(({ body }) => body.messages);
  const sent = [request, JSON.stringify(background)];
  expect(notices.size).toBeGreaterThan(15);
  for (const notice of notices) for (const text of sent) expect(text).not.toContain(notice);
});

async function saidTo(message: string): Promise<string> {
  await say(page, message);
  const words = message.split('\n')[0] ?? '';
  const text = await turn(page, words).locator('.message-assistant .message-text').innerText();
  notices.add(text);
  return text;
}
