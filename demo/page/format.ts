const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat();

/** The day, or for today the time. */
export function shortTime(at: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? TIME.format(date) : DATE.format(date);
}

export function longTime(at: number): string {
  return DATE_TIME.format(new Date(at));
}

export function number(value: number): string {
  return NUMBER.format(value);
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const power = Math.min(3, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled.toFixed(scaled < 10 ? 1 : 0)} ${['B', 'kB', 'MB', 'GB'][power] ?? 'B'}`;
}

/** "1 message", "2 messages". */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}
