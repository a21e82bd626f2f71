/** A file of the page, with the hash of its content. */
export interface PrecachedFile {
  /** Path relative to the page's folder. */
  path: string;
  hash: string;
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of a service worker's global scope that is used here. The DOM types describe only pages. */
interface ServiceWorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

/** Defined by scripts/build-demo.ts. */
declare const PRECACHED_FILES: readonly PrecachedFile[];

const CACHE = 'mnemora-demo';
const worker: ServiceWorkerScope = globalThis as unknown as ServiceWorkerScope;
const addresses: ReadonlyMap<string, string> = new Map(
  PRECACHED_FILES.map(({ path, hash }) => {
    const url = new URL(path, worker.registration.scope);
    return [url.pathname, `${url.href}?hash=${hash}`];
  }),
);

worker.addEventListener('install', (event) => {
  event.waitUntil(store().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(dropOld().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const address = addresses.get(event.request.mode === 'navigate' ? startPage() : url.pathname);
  if (address !== undefined) event.respondWith(answer(event.request, address));
});

function startPage(): string {
  return new URL('index.html', worker.registration.scope).pathname;
}

/** Loads new and changed files. Unchanged files keep their address, so they are not loaded again. */
async function store(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    [...addresses.values()].map(async (address) => {
      if (await cache.match(address)) return;
      const { origin, pathname } = new URL(address);
      const response = await fetch(origin + pathname, { cache: 'no-cache' });
      if (!response.ok) throw new Error(`${pathname} was answered with status ${response.status}.`);
      await cache.put(address, response);
    }),
  );
}

async function dropOld(): Promise<void> {
  const cache = await caches.open(CACHE);
  const current = new Set(addresses.values());
  const stored = await cache.keys();
  await Promise.all(stored.filter(({ url }) => !current.has(url)).map((request) => cache.delete(request)));
}

async function answer(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(address)) ?? fetch(request);
}
