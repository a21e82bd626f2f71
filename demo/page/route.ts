/** A conversation, and optionally a message in it. The address holds it after the `#`. */
export interface Route {
  sessionId: string;
  messageId?: string;
}

/** The hash of an address that shows this route. */
export function routeToHash({ sessionId, messageId }: Route): string {
  const session = `#/chat/${encodeURIComponent(sessionId)}`;
  return messageId === undefined ? session : `${session}/${encodeURIComponent(messageId)}`;
}

/** Reads a route from the hash of an address. Returns undefined if the hash names no conversation. */
export function readRoute(hash: string): Route | undefined {
  const [, session, message] = /^#\/chat\/([^/]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  if (session === undefined) return undefined;
  try {
    const sessionId = decodeURIComponent(session);
    return message === undefined ? { sessionId } : { sessionId, messageId: decodeURIComponent(message) };
  } catch {
    return undefined; // malformed percent-encoding in an address typed by hand
  }
}

/** The route of a new conversation. */
export function newRoute(): Route {
  // A page that is served over plain HTTP in a local network has no crypto.randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { sessionId: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
