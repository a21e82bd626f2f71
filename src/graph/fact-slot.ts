/** The slot of one statement, its negation apart. */
export function statementKey(
  subject: string,
  predicateKey: string,
  object: string,
  isNegated: boolean,
): string {
  return slotKey(isNegated ? 'denied' : 'stated', subject, predicateKey, object);
}

/** The slot of a statement and its negation (`either`), or of all values of a single-valued property (`value`). */
export function slotKey(kind: 'stated' | 'denied' | 'either' | 'value', ...parts: readonly string[]): string {
  return JSON.stringify([kind, ...parts]);
}

export function isStatementKey(key: string): boolean {
  return key.startsWith('["stated"') || key.startsWith('["denied"');
}
