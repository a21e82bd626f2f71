/** Maximum share of the budget of each kind. An unused share is passed on, and recalled text gets the rest. */
export const SHARES = {
  pinned: 0.1,
  profile: 0.25,
  summary: 0.15,
  recent: 0.5,
  uncovered: 0.7,
  facts: 0.2,
  stated: 0.15,
} as const;
