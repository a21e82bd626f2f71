import { MnemoraError } from '../../model/error.ts';

const CLASSES = [
  'IDBRequest',
  'IDBDatabase',
  'IDBTransaction',
  'IDBObjectStore',
  'IDBIndex',
  'IDBCursor',
] as const;

/** A frame whose IndexedDB is used since that of the page lost its storage process. */
let frame: HTMLIFrameElement | undefined;

/** Returns the IndexedDB of the page, or of the frame that replaces it. May throw what the page's getter throws. */
export function currentFactory(): IDBFactory {
  const factory = ((frame?.contentWindow ?? globalThis) as { readonly indexedDB?: IDBFactory | null })
    .indexedDB;
  if (factory) return factory;
  throw new MnemoraError(
    'storage-unavailable',
    `IndexedDB is not available here. Call this in a browser, or pass storage: 'memory'.`,
  );
}

/** Replaces the IndexedDB of the page by that of a new frame, which connects to a storage process of its own. */
export function renewFrame(): void {
  frame?.remove();
  frame = document.createElement('iframe');
  frame.hidden = true;
  frame.setAttribute('aria-hidden', 'true');
  document.documentElement.append(frame);
  if (frame.contentWindow) chainClasses(frame.contentWindow as Window & typeof globalThis);
}

/**
 * Makes idb take the objects of a frame for those of the page: it tests for the page's classes, and knows the methods
 * that move a cursor by identity.
 */
function chainClasses(from: typeof globalThis): void {
  for (const name of CLASSES) Object.setPrototypeOf(from[name].prototype, globalThis[name].prototype);
  for (const name of ['advance', 'continue', 'continuePrimaryKey'])
    Reflect.deleteProperty(from.IDBCursor.prototype, name);
}
