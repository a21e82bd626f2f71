/** Shares of the budget, at most; what one leaves, the next may take, and what is recalled gets the rest. */
export const SHARES = {
  pinned: 0.1,
  profile: 0.25,
  summary: 0.15,
  recent: 0.5,
  uncovered: 0.7,
  facts: 0.2,
  stated: 0.15,
} as const;
