/** The part of the browser's Trusted Types that is used here. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules;
}

interface Rules {
  createScriptURL(url: string): string;
  createHTML(text: string): string;
}

/** Files that the policy allows as scripts. */
const WORKERS = ['embedding-worker.js', 'tagging-worker.js'];
/** Name of the one policy that a page with Trusted Types has to allow. */
export const POLICY_NAME = 'mnemora';

let created: Rules | undefined;

/** The policy, if the page enforces Trusted Types, which reject plain strings. */
function policy(): Rules | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // Created once, because a page may forbid two policies of the same name.
  created ??= trustedTypes?.createPolicy(POLICY_NAME, {
    createScriptURL: onlyOurWorkers,
    createHTML: (xml) => xml, // is parsed into a document of its own, which runs no scripts
  });
  return created;
}

/** Returns the URL of one of this library's workers so that a page may start it. */
export function trustedWorkerUrl(url: URL): string | URL {
  return policy()?.createScriptURL(url.href) ?? url;
}

/** Returns an XML document so that a page may parse it. */
export function trustedXml(text: string): string {
  return policy()?.createHTML(text) ?? text;
}

function onlyOurWorkers(url: string): string {
  const { origin, pathname } = new URL(url);
  if (origin === globalThis.origin && WORKERS.some((file) => pathname.endsWith(`/${file}`))) return url;
  throw new TypeError(`The policy ${POLICY_NAME} allows only the workers of Mnemora, not ${url}.`);
}
