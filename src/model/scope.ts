/** Default scope: the one user of this browser. */
export const DEFAULT_SCOPE = 'user';
