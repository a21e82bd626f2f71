import { createMemory, type LLM, transformersEmbedder } from '../src/index.ts';
import { type App, type AppState, startApp } from './app.ts';
import { h } from './page/element.ts';
import { themeToggle } from './page/theme.ts';
import { toasts } from './page/toast.ts';
import { connect, type Connection, loadConnection, saveConnection } from './settings/connection.ts';

/** The part of Trusted Types that is used here. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): {
    createScriptURL(url: string): string;
  };
}

const notices = toasts();
const theme = themeToggle(); // set before the memory opens, so that the page does not flash in the wrong colors
const root = document.getElementById('app') ?? document.body;
const databaseName = new URLSearchParams(location.search).get('database') ?? 'mnemora-demo';
// Kept when the memory is reopened for another model, so that the embedding model is not loaded again.
const embedder = transformersEmbedder({ assetsUrl: new URL('./mnemora-assets/', document.baseURI).href });
let app: App | undefined;
let opening: Promise<void> = Promise.resolve();

function open(connection: Connection | undefined): void {
  opening = opening.then(() => replaceApp(connection)).catch(showFailure);
}

/** Closes the current app, if any, and opens the memory and the page with this model. */
async function replaceApp(connection: Connection | undefined): Promise<void> {
  const state: AppState | undefined = await app?.close();
  const llm = modelOf(connection);
  // Extraction by rules is cheap, so it runs after every turn, and the next answer can use its facts.
  const learning = llm ? { llm } : { delayMs: 0 };
  const memory = await createMemory({ name: databaseName, embedder, learning });
  app = startApp({
    memory,
    embedder,
    databaseName,
    connection,
    state,
    notices,
    theme,
    onConnect(chosen) {
      saveConnection(chosen);
      open(chosen);
    },
  });
  root.replaceChildren(app.element);
  app.begin();
}

function modelOf(connection: Connection | undefined): LLM | undefined {
  try {
    return connection && connect(connection);
  } catch (error) {
    notices.showError(error); // the page works without a model
    return undefined;
  }
}

function showFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  root.replaceChildren(
    h(
      'main',
      { class: 'fatal' },
      h('h1', {}, 'The memory could not be opened'),
      h('p', { role: 'alert' }, message),
    ),
  );
}

/** Registers the service worker, which lets the page load without its server from the next visit on. */
async function registerServiceWorker(): Promise<void> {
  // Browsers offer no service worker to a page that is served over plain HTTP in a local network.
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(serviceWorkerUrl());
}

/** The address of the service worker, through a policy if the browser has Trusted Types, which the page enforces. */
function serviceWorkerUrl(): string {
  const { href } = new URL('./service-worker.js', document.baseURI);
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return (
    trustedTypes?.createPolicy('mnemora-demo', { createScriptURL: () => href }).createScriptURL('') ?? href
  );
}

open(loadConnection());
registerServiceWorker().catch((error: unknown) => notices.showError(error));
