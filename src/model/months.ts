/** English names of the months, the first being that of `Date.UTC(year, 0)`. */
export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');
