/** What messages of `ai` 6 and 7 have in common. */
interface ShownMessage {
  readonly role: string;
  readonly parts: readonly { readonly type: string; readonly text?: string }[];
}

export function textOf({ parts }: ShownMessage): string {
  return parts.map(({ type, text }) => (type === 'text' ? text : '')).join('');
}

/** The line that a page shows for a message. */
export function lineOf(message: ShownMessage): string {
  return `${message.role}: ${textOf(message)}`;
}
