/** A part of a text, from `start` up to `end` (exclusive), in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line of a text, without its line break. */
export interface Line extends Span {
  readonly text: string;
}

/** Returns the span of a part by its length. */
export function spanAt(start: number, length: number): Span {
  return { start, end: start + length };
}

export function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return { text: line, start: at, end: at + line.length };
  });
}

/** Sorts spans, and merges those that touch or overlap. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && span.start <= last.end + 1)
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else all.push(span);
  }
  return all;
}

/**
 * Returns the positions of parts in a text, each searched for after the previous one. Parts that are not found are left
 * out.
 */
export function spansInOrder(text: string, parts: readonly string[]): Span[] {
  let from = 0;
  return parts.flatMap((part) => {
    const start = text.indexOf(part, from);
    if (start < 0) return [];
    from = start + part.length;
    return [{ start, end: from }];
  });
}

/** Returns what is left of spans without others. Both must be in order and must not overlap among themselves. */
export function spansWithout(spans: readonly Span[], others: readonly Span[]): Span[] {
  return spans.flatMap(({ start, end }) => {
    const left: Span[] = [];
    let at = start;
    for (const other of others) {
      if (other.end <= at || other.start >= end) continue;
      if (other.start > at) left.push({ start: at, end: other.start });
      at = other.end;
    }
    if (at < end) left.push({ start: at, end });
    return left;
  });
}

/** Returns the text outside of spans that are in order, with `mark` in place of each of them. */
export function textBetween(text: string, spans: readonly Span[], mark: string): string {
  let at = 0;
  const kept = spans.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return before;
  });
  return [...kept, text.slice(at)].join(mark);
}

/** Returns the span from the first of some lines to the last. Undefined if they are fewer than `least`. */
export function fromFirstToLast(found: readonly Line[], least: number): Span | undefined {
  const [first] = found;
  const last = found.at(-1);
  return first && last && found.length >= least ? { start: first.start, end: last.end } : undefined;
}
