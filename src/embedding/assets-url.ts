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
export const SCRIPT_FOLDER: string | undefined = folderOf(scriptUrl);

function folderOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse('.', url) ? undefined : new URL('.', url).href;
}
