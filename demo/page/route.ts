/** A place in the page: a conversation, and in it perhaps a message. It is kept in the address after the `#`. */
export interface Route {
  sessionId: string;
  messageId?: string;
}

export function routeToHash({ sessionId, messageId }: Route): string {
  const session = `#/chat/${encodeURIComponent(sessionId)}`;
  return messageId === undefined ? session : `${session}/${encodeURIComponent(messageId)}`;
}

/** Undefined where the address names no conversation. */
export function readRoute(hash: string): Route | undefined {
  const [, session, message] = /^#\/chat\/([^/]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  if (session === undefined) return undefined;
  try {
    const sessionId = decodeURIComponent(session);
    return message === undefined ? { sessionId } : { sessionId, messageId: decodeURIComponent(message) };
  } catch {
    return undefined; // an address typed by hand, with half an escape in it
  }
}

/** A conversation that does not exist yet. */
export function newRoute(): Route {
  // crypto.randomUUID is missing where the page is served over plain HTTP in a local network.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { sessionId: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
