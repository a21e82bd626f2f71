import { MnemoraError } from '../model/error.ts';
import { POLICY_NAME, trustedWorkerUrl } from '../model/trusted-types.ts';

/** Names of the worker files among the assets. */
type WorkerFile = 'embedding-worker.js' | 'tagging-worker.js';

// `document.currentScript` is set only while a classic script runs, so the address is read when the module loads.
// A module script has no current script and uses `import.meta.url`. A bundle that is loaded as a classic script has both,
// and then the tag is right: bundlers put the path of the source file in `import.meta.url`.
const currentScript = typeof document === 'undefined' ? null : document.currentScript;
const scriptUrl =
  currentScript !== null && 'src' in currentScript && currentScript.src !== ''
    ? currentScript.src
    : import.meta.url;

/**
 * URL of the folder of this library's script, the default location of worker, wasm and model; undefined if it cannot be
 * determined.
 */
const SCRIPT_FOLDER: string | undefined = resolveUrl('.', scriptUrl);

/** Returns an absolute URL, or undefined if it is malformed. `URL.canParse` is newer than the oldest browsers served. */
function resolveUrl(url: string, base: string | undefined): string | undefined {
  try {
    return new URL(url, base).href;
  } catch {
    return undefined;
  }
}

/** Returns the error for a model that could not be loaded. */
export function modelUnavailable(message: string, cause?: unknown): MnemoraError {
  return new MnemoraError('model-unavailable', message, { cause });
}

/**
 * Returns the absolute URL of the folder with the assets, which ends with a slash: without it, its last part would count
 * as a file. A query or fragment is left out: files are requested, and checked, by their own addresses.
 *
 * @throws MnemoraError `model-unavailable` if it is malformed or cannot be determined
 */
export function assetsFolder(assetsUrl: string | undefined = SCRIPT_FOLDER): string {
  if (assetsUrl !== undefined)
    return folderUrl(Object.assign(new URL(folderUrl(assetsUrl)), { search: '', hash: '' }).href);
  throw modelUnavailable(
    'The embedding model was not loaded: the location of its files is unknown. Set assetsUrl.',
  );
}

/** Returns the absolute URL of a folder. @throws MnemoraError `model-unavailable` if it is malformed */
export function folderUrl(url: string): string {
  const here = typeof document === 'undefined' ? globalThis.location?.href : document.baseURI;
  const folder = resolveUrl(url.endsWith('/') ? url : `${url}/`, here);
  if (folder !== undefined) return folder;
  throw modelUnavailable(
    `The embedding model was not loaded: ${url} is not a valid URL. Set assetsUrl and modelBaseUrl to folders that are served.`,
  );
}

/**
 * Starts a worker from a folder of assets.
 *
 * @throws MnemoraError `model-unavailable` if workers are not supported, the folder is on another origin, or the page's
 * policy forbids the worker
 */
export function startWorker(folder: string, file: WorkerFile): Worker {
  if (typeof Worker === 'undefined')
    throw modelUnavailable(
      'The embedding model was not loaded: web workers are not available here. Call it in a browser.',
    );
  // Bundlers rewrite a literal `new Worker(new URL('…', import.meta.url))`. The worker is served unchanged, so its
  // address is built in a way that they do not recognize.
  const url = new URL(file, folder);
  if (url.origin !== globalThis.origin)
    throw modelUnavailable(
      `The worker was not started: ${url.href} is on a different origin from this page, and browsers refuse such workers. Serve the assets from this origin and set assetsUrl, or pass a ready worker as the option worker.`,
    );
  try {
    return new Worker(trustedWorkerUrl(url), {
      type: 'module',
      name: `mnemora-${file.replace('-worker.js', '')}`,
    });
  } catch (cause) {
    throw modelUnavailable(
      `The worker ${url.href} was not started. If the page has a Content-Security-Policy, allow worker-src 'self' and trusted-types ${POLICY_NAME}.`,
      cause,
    );
  }
}
