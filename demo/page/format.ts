const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat();

/** Formats a time as its date, or as the time of day if it is today. */
export function shortTime(at: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? TIME.format(date) : DATE.format(date);
}

/** Formats a time with its date and time of day. */
export function longTime(at: number): string {
  return DATE_TIME.format(new Date(at));
}

/** Formats a number: "1,234". */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** Formats a number of bytes: "1.5 MB". */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const power = Math.min(3, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled.toFixed(scaled < 10 ? 1 : 0)} ${['B', 'kB', 'MB', 'GB'][power] ?? 'B'}`;
}

/** Formats a count with its noun: "1 message", "2 messages". */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}
