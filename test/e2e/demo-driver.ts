import { type BrowserContext, chromium, type Locator, type Page } from 'playwright';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import { startDeadEndProxy } from '../fakes/dead-end-proxy.ts';

/** A browser that can reach only the addresses of the test. */
export interface DemoBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests of the page, its workers, its service worker or the browser to other addresses. */
  readonly outsideRequests: readonly string[];
  close(): Promise<void>;
}

/** A running Chromium that opens fresh profiles. */
export interface DemoChromium {
  openProfile(): Promise<DemoBrowser>;
  close(): Promise<void>;
}

/** Starts Chromium and opens a fresh profile. Requests to other origins are aborted and recorded. */
export async function openDemoBrowser(
  ownOrigins: readonly string[],
  extraFlags: readonly string[] = [],
): Promise<DemoBrowser> {
  const started = await startDemoChromium(ownOrigins, extraFlags);
  return { ...(await started.openProfile()), close: started.close };
}

/** Starts Chromium for the profiles of several tests, whose requests to other origins are aborted and recorded together. */
export async function startDemoChromium(
  ownOrigins: readonly string[],
  extraFlags: readonly string[] = [],
): Promise<DemoChromium> {
  const outsideRequests: string[] = [];
  const proxy = await startDeadEndProxy((url) => outsideRequests.push(url));
  const browser = await chromium.launch({
    executablePath: requireEngine('chromium'),
    // Chromium does not use a proxy for loopback addresses; for all others this one refuses.
    args: [...CHROMIUM_FLAGS, ...extraFlags, `--proxy-server=${proxy.url}`],
  });
  const openProfile = async (): Promise<DemoBrowser> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
    });
    await context.route('**', async (route) => {
      const url = new URL(route.request().url());
      if (!url.protocol.startsWith('http') || ownOrigins.includes(url.origin)) {
        await route.continue();
        return;
      }
      outsideRequests.push(url.href);
      await route.abort();
    });
    context.setDefaultTimeout(60_000);
    return { context, page: await context.newPage(), outsideRequests, close: () => context.close() };
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await proxy.close();
  };
  return { openProfile, close };
}

/** Connects the page to an endpoint through its dialog. */
export async function connectModel(page: Page, url: string, model = 'scripted'): Promise<void> {
  await page.locator('#connect').click();
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Model', { exact: true }).fill(model);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('#connect', { hasText: model }).waitFor();
}

/** Writes a message and waits until its turn is complete. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  await turn(page, text).and(page.locator('.turn-complete')).waitFor();
}

/** The newest turn whose user message contains this text. */
export function turn(page: Page, text: string): Locator {
  const words = page.locator('.message-user .message-text', { hasText: text });
  return page.locator('.turn', { has: words }).last();
}

/** Opens the context of a turn and returns the recalled texts, best first. */
export async function recalledFor(page: Page, text: string): Promise<readonly string[]> {
  const context = turn(page, text).locator('.context');
  if ((await context.getAttribute('open')) === null) await context.locator('summary').click();
  const items = await context.locator('.recalled-item').all();
  return Promise.all(
    items.map(async (item) => (await item.locator('.recalled-text').allInnerTexts()).join('\n')),
  );
}

/** Forgets a turn with its button and waits until the page no longer shows it. */
export async function forgetTurn(page: Page, text: string): Promise<void> {
  const forgotten = turn(page, text);
  await forgotten.getByRole('button', { name: 'Forget this turn' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click();
  await forgotten.waitFor({ state: 'detached' });
}

/** Asks the panel to forget a person or thing. Returns its row, and the dialog that says what goes with it. */
export async function askToForget(page: Page, name: string): Promise<{ row: Locator; dialog: Locator }> {
  const entities = await openPanel(page, 'People and things');
  const row = entities.locator('.known-item').filter({ has: page.getByRole('heading', { name }) });
  await row.getByRole('button', { name: 'Forget' }).click();
  return { row, dialog: page.getByRole('dialog') };
}

/** Waits until the embedding model has loaded and nothing is left to embed. */
export async function modelReady(page: Page): Promise<void> {
  await page.getByText('Searches by words and by meaning').waitFor();
  const name = new URL(page.url()).searchParams.get('database') ?? 'mnemora-demo';
  await page.waitForFunction(areAllEmbedded, name);
}

/** Runs in the page. Returns whether every complete message has a vector. */
async function areAllEmbedded(databaseName: string): Promise<boolean> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  const database = await settled(indexedDB.open(databaseName));
  const transaction = database.transaction(['messages', 'vectors']);
  const [messages, blocks] = await Promise.all([
    settled<{ id: string; state: string }[]>(transaction.objectStore('messages').getAll()),
    settled<{ ids: string[] }[]>(transaction.objectStore('vectors').getAll()),
  ]);
  database.close();
  const embedded = new Set(blocks.flatMap(({ ids }) => ids));
  return messages.every(({ id, state }) => state !== 'complete' || embedded.has(id));
}

/** Opens the memory panel at one of its tabs. */
export async function openPanel(page: Page, tab: string): Promise<Locator> {
  const panel = page.locator('#memory-panel');
  if (!(await panel.isVisible())) await page.getByRole('button', { name: 'Memory', exact: true }).click();
  await panel.getByRole('tab', { name: tab }).click();
  return panel.getByRole('tabpanel', { name: tab });
}

/** Opens the list of conversations where a narrow page hides it. */
export async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Conversations' });
  if (await button.isVisible()) await button.click();
}

/** Closes the list of conversations where it lies over the page. */
export async function closeSidebar(page: Page): Promise<void> {
  const button = page.locator('.sidebar').getByRole('button', { name: 'Close', exact: true });
  if (await button.isVisible()) await button.click();
}

/** Closes the memory panel, which lies over the conversation on a narrow page. */
export async function closePanel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close the memory panel' }).click();
}

/** Opens the settings: connection and background work. */
async function openSettings(page: Page): Promise<Locator> {
  await page.locator('#connect').click();
  const dialog = page.getByRole('dialog', { name: 'Connect a model' });
  await dialog.waitFor();
  return dialog;
}

/** Waits until no background work is left. */
export async function workDone(page: Page): Promise<void> {
  const settings = await openSettings(page);
  await settings.getByText('No work is in progress.').waitFor();
  await settings.getByRole('button', { name: 'Cancel' }).click();
  await settings.waitFor({ state: 'hidden' });
}

/** Everything that the page stores, as JSON: all keys and rows of its database, session storage and local storage. */
export function dumpStorage(page: Page, databaseName: string): Promise<string> {
  return page.evaluate(async (wanted) => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const database = await settled(indexedDB.open(wanted));
    const stores = [...database.objectStoreNames];
    const transaction = database.transaction(stores);
    const rows = await Promise.all(
      stores.map(async (name) => {
        const store = transaction.objectStore(name);
        return [name, await settled(store.getAllKeys()), await settled(store.getAll())];
      }),
    );
    database.close();
    return JSON.stringify([rows, Object.entries(sessionStorage), Object.entries(localStorage)]);
  }, databaseName);
}
