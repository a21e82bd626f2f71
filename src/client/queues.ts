/** The summaries that `createMemory` makes, among those that other memories may make of the same session. */
export const SUMMARY_ID = 'memory';

export function learningQueue(scope: string): string {
  return `learn/${scope}`;
}

export function summaryQueue(scope: string): string {
  return `summarise/${scope}`;
}

/** All statements are marked again. */
export function restatingQueue(scope: string): string {
  return `restate/${scope}`;
}

export function rebuildQueue(scope: string): string {
  return `rebuild/${scope}`;
}
