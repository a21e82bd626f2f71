/** A period of time in milliseconds since 1970; `to` is exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the period of an ISO date: a year, month, day or instant, in UTC unless it has another zone. Returns
 * undefined for everything else, including dates that do not exist, because a guess would look as reliable as a date.
 *
 * @example parsePeriod('2024-05') // all of May 2024
 */
export function parsePeriod(value: unknown): Period | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const match = ISO_DATE.exec(text.trim());
  if (!match) return undefined;
  const [, yearText = '', monthText, dayText, time] = match;
  const year = Number(yearText);
  if (monthText === undefined) return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
  const month = Number(monthText) - 1;
  if (month < 0 || month > 11) return undefined;
  if (dayText === undefined) return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
  const day = Number(dayText);
  const from = Date.UTC(year, month, day);
  if (new Date(from).getUTCDate() !== day) return undefined;
  if (time === undefined) return { from, to: Date.UTC(year, month, day + 1) };
  const instant = Date.parse(
    `${yearText}-${monthText}-${dayText}T${/[Z+-]/iu.test(time) ? time : `${time}Z`}`,
  );
  return Number.isNaN(instant) ? undefined : { from: instant, to: instant };
}

const ISO_DATE =
  /^([1-9]\d{3})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?))?)?)?$/iu;
