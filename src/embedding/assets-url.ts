// A classic script is known by its tag only while it runs, so the address is read when the module loads.
// A module script has no current script and knows itself. A bundle that is loaded as a classic script has both,
// and then the tag is right: bundlers put the place of the source in `import.meta.url`.
const currentScript = typeof document === 'undefined' ? null : document.currentScript;
const scriptUrl =
  currentScript !== null && 'src' in currentScript && currentScript.src !== ''
    ? currentScript.src
    : import.meta.url;

/**
 * Folder of the script that holds this library, where worker, wasm and model lie by default.
 * Undefined where that cannot be told.
 */
export const SCRIPT_FOLDER: string | undefined = folderOf(scriptUrl);

function folderOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse('.', url) ? undefined : new URL('.', url).href;
}
