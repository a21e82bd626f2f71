/** Milliseconds since 1970, as `Date.now` gives them. Order never rests on it: sequence numbers do that. */
export type Clock = () => number;
