/** Returns the warning that a question was sent without memory. */
export const SKIPPED = {
  code: 'memory-skipped',
  message: 'The question was sent without memory.',
} as const;
