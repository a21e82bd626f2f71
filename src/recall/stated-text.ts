/** Returns the user's statements in a message, with the day in UTC. @param saidAt milliseconds since 1970 */
export function statedText(statements: readonly { readonly text: string }[], saidAt: number): string {
  const day = new Date(saidAt).toISOString().slice(0, 10);
  return `${statements.map(({ text }) => text).join('; ')} (${day})`;
}
