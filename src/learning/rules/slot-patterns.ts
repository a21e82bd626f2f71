import { regex } from '../../language/words/lists.ts';

/** The kinds of slots that a pattern decides alone. */
export const PATTERNS: Readonly<Record<string, RegExp>> = {
  floor: /^(?:\p{L}+|\d{1,2}(?:st|nd|rd|th)) floor$/iu,
  /** What the pattern around it has already checked. */
  text: /./u,
  price:
    /^(?:[$€£] ?)?\d[\d.,]*k?(?: \p{L}+)?(?: (?:an?|per) (?:hour|day|month|year|week|lesson|session)| net| gross)?$/iu,
  kilos: /^\d{1,3}(?:[.,]\d+)? ?(?:kg|kilos?|pounds|lbs?)$/iu,
  measure: /^\d{1,3}(?:[.,]\d+)? ?(?:kg|kilos?|pounds|lbs?|cm|m|meters|metres|ft|feet)$/iu,
  number: /^\d{1,3}$/u,
  year: /^(?:19|20)\d\d$/u,
  age: /^[1-9]\d$/u,
  address: /^\d{1,5} \p{Lu}/u,
  pregnant: /^pregnant$/iu,
  ear: /^(?:(?:one|my|his|her|the) )?(?:left |right |one )?(?:ear|eye|side)$/iu,
  status: /^(?:divorced|single|married|engaged|widowed|separated)$/iu,
  diet: /^(?:kosher|halal|vegan|vegetarian|shabbat|sabbath)$/iu,
  skill:
    /^(?:swim|drive|cook|ski|whistle|dance|sing|ride a (?:bike|bicycle)|read music|speak \p{Lu}\p{L}+|smell|hear|walk|fly)$/u,
  trade:
    /^(?:payroll|accounting|accounts|bookkeeping|it support|hr|marketing|admin|customer support|qa|sales|nails|hair|carpentry|plumbing|roofing|gardening|childcare|translations?|deliveries|construction|security|data entry|nursing|research|catering|landscaping|web ?design)$/iu,
  exam: /^(?:(?:\p{L}+ ){0,2}(?:exam|exams|test|finals|theory|viva|interview)|bar)$/iu,
  livestock:
    /^(?:bees|chickens|hens|goats|sheep|horses|rabbits|pigs|ducks|geese|cows|alpacas|pigeons|quails?)$/iu,
  routine:
    /^(?:church|mass|mosque|temple|synagogue|therapy|physio|choir|yoga|pilates|the gym|(?:\p{L}+ )?(?:practice|rehearsals?|club|classes|lessons))$/iu,
  wanted:
    /^(?:(?:new|part-time|full-time|another|better|bigger|smaller|second|summer) )*(?:job|work|flat|house|apartment|flatmate|roommate|internship|apprenticeship|tenant)$/iu,
  shift:
    /^(?:(?:the )?(?:night|evening|day|early|late)(?: shifts?|s)|nights|evenings|weekends|shifts|part[ -]time|full[ -]time|freelance|remotely|from home)$/iu,
  studies: /^(?:phd|doctorate|master'?s?|mba|bachelor'?s?|residency|apprenticeship|degree)(?: degree)?$/iu,
  nation: /^\p{Lu}[\p{L}-]+$/u,
  grade:
    /^(?:\d{1,2}(?:st|nd|rd|th) (?:grade|year|form)|(?:grade|year) \d{1,2}|(?:first|second|third|fourth|final) year|high ?school|hs|kindergarten|sixth form)$/iu,
  studying:
    /^(?:(?!the|this|that)\p{L}+ ){0,3}(?:course|school|degree|training|apprenticeship|college|uni|university|master'?s|phd|residency|internship|traineeship|chemo|physio|therapy|nursing|medicine|law)$/iu,
  habit: /^(?:drive|smoke|drink|cook|swim|ski|vape|gamble|fly|dance|drink coffee)$/iu,
  vice: /^(?:drinking|smoking|vaping|gambling)$/iu,
  races: /^(?:half[- ])?(?:marathons|ultras)$/iu,
  board: /^(?:\p{L}+ ){0,2}(?:board|committee|council)$/iu,
  award: /^(?:\d(?:st|nd|rd|th)|first|second|third) (?:place|prize)$/iu,
  gerund:
    /^(?!(?:no|some|any|every)?thing|cleaning|shopping|washing|cooking|thinking|packing|reading|nothing)(?:(?!the|some|all|my|a|more|too|much)\p{L}+ )?\p{L}{3,}ing$/iu,
  field: regex(
    String.raw`^(?:it|tech|finance|retail|marketing|construction|healthcare|education|hr|sales|advertising|insurance
    logistics|hospitality|publishing|journalism|accounting|law|real estate|customer (?:service|support)
    software|banking|film|television|tv|music|fashion|agriculture|engineering|public health|social work
    data science|cyber ?security)$`,
    'iu',
  ),
};
