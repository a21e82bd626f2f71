import { RECENT_SHARE, SUMMARY_SHARE } from '../../learning/summary/summary-policy.ts';

type SharedKind = 'pinned' | 'profile' | 'summary' | 'recent' | 'uncovered' | 'facts' | 'stated';

/**
 * Maximum share of the budget of each kind. An unused share is passed on, and recalled text gets the rest. Pinned facts
 * also use the share of the profile, and what the recent turns leave.
 */
export const SHARES: Readonly<Record<SharedKind, number>> = {
  pinned: 0.1,
  profile: 0.25,
  summary: SUMMARY_SHARE,
  recent: RECENT_SHARE,
  uncovered: 0.7,
  facts: 0.2,
  stated: 0.15,
};
