import { dateAt } from './offline-dates.ts';
import { isKin, singularOf } from './offline-kin.ts';
import { isNoName, nameAt } from './offline-names.ts';
import { textOf, type Word } from './offline-words.ts';

/** What a clause is read in. */
export interface SlotContext {
  /** Whether a name (in lower case) was met before. */
  isKnown(lower: string): boolean;
  /** Whether the message is typed without capitals, so that a place or name may have none. */
  readonly isSmall: boolean;
}

/** The objects that the words of a slot name; undefined where they are not of its kind. */
export function readSlot(slot: string, words: readonly Word[], context: SlotContext): string[] | undefined {
  const read = KINDS[slot];
  return words.length > 0 && read ? read(words, context) : undefined;
}

type Kind = (words: readonly Word[], context: SlotContext) => string[] | undefined;

const one = (text: string | undefined): string[] | undefined => (text === undefined ? undefined : [text]);
const matching =
  (pattern: RegExp): Kind =>
  (words) => {
    const text = textOf(withoutArticle(words));
    return pattern.test(text) ? [text] : undefined;
  };
/** A phrase whose last word is of a kind, behind an article, a number or adjectives. */
const headed =
  (heads: RegExp, most = 4): Kind =>
  (words) => {
    const bare = withoutArticle(words);
    const head = bare.at(-1);
    const isHeaded =
      bare.length <= most &&
      head !== undefined &&
      (!head.isCapital || /^(?:phd|tesla)$/u.test(head.lower)) &&
      heads.test(head.lower) &&
      isPhrase(bare);
    return isHeaded ? [textOf(bare)] : undefined;
  };

/** Words that a list of things is made of: `tea, coffee and long walks`. */
function things(words: readonly Word[]): string[] | undefined {
  const parts = listParts(words)?.map(withoutArticle);
  const isSound = parts?.every((part) => part.length <= 5 && isPhrase(part) && !EMPTY.test(textOf(part)));
  return isSound ? parts?.map(textOf) : undefined;
}

/** The parts of `A`, `A and B` or `A, B and C`; commas alone make no list. */
export function listParts(words: readonly Word[]): (readonly Word[])[] | undefined {
  const parts: Word[][] = [[]];
  let isJoined = false;
  let commas = 0;
  for (const [index, word] of words.entries()) {
    const isComma = word.text === ',' && !/^(?:inc|ltd|llc|jr|sr)\b/u.test(words[index + 1]?.lower ?? '');
    const isJoin = word.kind !== 'title' && /^(?:and|or|nor|&|\+|n)$/u.test(word.lower);
    if (!isComma && !isJoin) parts.at(-1)?.push(word);
    else if (parts.at(-1)?.length !== 0) parts.push([]);
    isJoined ||= isJoin;
    if (isComma) commas += 1;
  }
  const isList = parts.every((part) => part.length > 0) && (commas === 0 || isJoined);
  return isList ? parts : undefined;
}

/** Whether words can be a phrase of nouns: nothing in it is a verb of its own, a pronoun, a question or a denial. */
export function isPhrase(words: readonly Word[]): boolean {
  const isGerund = /.{2}ing$/u.test(words[0]?.lower ?? '');
  return words.every((word, index) => {
    if (word.kind === 'mark') return /^[&$€£%#/-]$/u.test(word.text);
    if (word.kind !== 'word' || word.isCapital) return true;
    if (NO_PHRASE.test(word.lower)) return false;
    if (PREPOSITION.test(word.lower)) return isGerund && index > 0 && index < words.length - 1;
    const isVerb = word.tags.has('Verb') && !word.tags.has('Gerund') && !word.tags.has('PastTense');
    return !isVerb || word.tags.has('Noun') || words.length === 1 || NOUN_VERBS.test(word.lower);
  });
}

function place(words: readonly Word[], { isKnown, isSmall }: SlotContext): string[] | undefined {
  const comma = words.findIndex(({ text }) => text === ',');
  const first = comma > 0 ? words.slice(0, comma) : words;
  const start = /^(?:the|downtown|central|rural|upstate|north|south|east|west|northern|southern)$/u.test(
    first[0]?.lower ?? '',
  )
    ? 1
    : 0;
  const named = first.slice(start);
  if (named.length === 0 || named.length > 4 || (first[0]?.lower === 'the' && named[0]?.isCapital !== true))
    return undefined;
  const name = nameAt(named, 0, isKnown);
  const isCapital = named.every(
    (word) => word.isCapital || /^(?:of|the|and|upon|de|la|do|da)$/u.test(word.lower),
  );
  const isNamed = (name?.end === named.length && name.kind !== 'date' && name.kind !== 'title') || isCapital;
  const isDay = named.some(
    ({ tags, lower }) => tags.has('WeekDay') || tags.has('Month') || /^\d/u.test(lower),
  );
  if (
    isDay ||
    TECHNOLOGY.test(named[0]?.lower ?? '') ||
    /^\p{Lu}{3,}$/u.test(textOf(named)) ||
    (named.length === 1 && isNoName(named[0]?.lower ?? ''))
  )
    return undefined;
  if (isNamed) return [textOf(first[0]?.lower === 'the' ? named : first)];
  const isLower =
    isSmall &&
    named.length <= 2 &&
    named.every(
      ({ lower, tags, kind }) =>
        kind === 'word' &&
        /^\p{L}{3,}$/u.test(lower) &&
        !NO_PLACE.test(lower) &&
        !['Verb', 'Adverb', 'Preposition', 'Determiner', 'Pronoun', 'Plural'].some((tag) => tags.has(tag)),
    );
  return isLower ? [textOf(first)] : undefined;
}

function names(words: readonly Word[], context: SlotContext): string[] | undefined {
  const parts = listParts(words);
  const found = parts?.map((part) => calledName(part, context));
  return found?.every((name) => name !== undefined) ? found : undefined;
}

/** A name, behind "called" also without a capital. */
function calledName(words: readonly Word[], context: SlotContext): string | undefined {
  const age = /^\d{1,2}$/u.test(words.at(-1)?.text ?? '') ? words.slice(0, -1) : words;
  const whole = fullName(age, context);
  if (whole !== undefined) return whole;
  const [word] = age;
  const isOne = age.length === 1 && word?.kind === 'word' && /^\p{L}{2,}$/u.test(word.text);
  return isOne && !isNoName(word.lower) && !NO_PHRASE.test(word.lower) ? word.text : undefined;
}

/** The name that some words are, from the first to the last. */
export function fullName(words: readonly Word[], { isKnown }: SlotContext): string | undefined {
  const name = nameAt(words, 0, isKnown);
  if (name?.end === words.length && name.kind !== 'date') return name.text;
  const isCapital =
    words.length > 0 && words.length <= 3 && words.every((word) => word.isCapital && !isNoName(word.lower));
  return isCapital ? textOf(words) : undefined;
}

function job(words: readonly Word[]): string[] | undefined {
  const hasArticle = ARTICLE.test(words[0]?.lower ?? '');
  const bare = withoutArticle(words);
  const at = bare.findIndex(({ lower }) => lower === 'of');
  const core = at > 0 ? bare.slice(0, at) : bare;
  const head = core.at(-1);
  const isOfNamed =
    at < 0 ||
    bare
      .slice(at + 1)
      .every(({ isCapital, lower }) => isCapital || /^(?:\d+|the|two|three|four|five)$/u.test(lower));
  if (!head || bare.length > 5 || !isPhrase(core) || !isOfNamed) return undefined;
  const isListed = JOBS.test(head.lower);
  const isAgent = AGENT.test(head.lower) && head.tags.has('Noun') && !head.tags.has('Adjective');
  const isJob =
    (isListed || (hasArticle && isAgent)) && !NO_JOB.test(head.lower) && !head.tags.has('Comparative');
  return isJob && !/^(?:bit|little|good|great|bad|huge|big|terrible|better)$/u.test(bare[0]?.lower ?? '')
    ? [textOf(bare)]
    : undefined;
}

function organization(words: readonly Word[], context: SlotContext): string[] | undefined {
  const bare = withoutArticle(words);
  const name = fullName(bare, context);
  if (name !== undefined && !/^\d/u.test(name)) return [name];
  const isPlain = bare.length <= 5 && isPhrase(bare) && WORKPLACE.test(bare.at(-1)?.lower ?? '');
  return isPlain ? [textOf(bare)] : undefined;
}

function goods(words: readonly Word[]): string[] | undefined {
  const found = ARTICLE.test(words[0]?.lower ?? '') ? undefined : things(words);
  const isPlain =
    words.every(({ tags, text }) => !/^\d/u.test(text) && !tags.has('Adverb')) &&
    words.at(-1)?.tags.has('Adjective') === false;
  return isPlain && found?.every((each) => !NO_GOODS.test(each)) ? found : undefined;
}

function state(words: readonly Word[]): string[] | undefined {
  const parts = listParts(words);
  const isState = parts?.every((part) => {
    const text = textOf(part).toLowerCase();
    return (
      STATES.test(text) ||
      (part.length === 1 && part[0]?.isCapital === true && NATIONALITY.test(part[0].text))
    );
  });
  return isState ? parts?.map((part) => textOf(withoutArticle(part))) : undefined;
}

/** How somebody calls himself: `Jack`, also `jack` where that is a first name. */
function self(words: readonly Word[], context: SlotContext): string[] | undefined {
  const [first] = words;
  if (words.length > 3 || !first || first.kind !== 'word') return undefined;
  if (words.length > 1 && !first.tags.has('FirstName')) return undefined;
  if (NATIONALITY.test(first.text)) return undefined;
  const isName = first.tags.has('FirstName') && !first.tags.has('Adjective');
  if (!isName && ['Verb', 'Adjective', 'Adverb', 'Plural'].some((tag) => first.tags.has(tag)))
    return undefined;
  if (words.length === 1 && isName && !first.isCapital)
    return STATES.test(first.lower) ? undefined : [first.text];
  if (
    !first.isCapital ||
    words.some(({ tags }) =>
      ['Demonym', 'Place', 'Organization', 'WeekDay', 'Month'].some((tag) => tags.has(tag)),
    )
  )
    return undefined;
  return one(fullName(words, context));
}

function date(words: readonly Word[]): string[] | undefined {
  const bare = words[0]?.lower === 'the' ? words.slice(1) : words;
  return dateAt(bare, 0)?.end === bare.length ? [textOf(bare)] : undefined;
}

/** `dog` for `a dog`, `cat` for `two cats`. */
function kin(words: readonly Word[]): string[] | undefined {
  const bare = withoutArticle(words).filter(({ lower }) => !NUMBER.test(lower) && lower !== 'my');
  const noun = singularOf(textOf(bare.slice(-1)));
  const isSound = bare.length > 0 && bare.length <= 3 && isPhrase(bare) && isKin(noun.toLowerCase());
  return isSound ? [noun.toLowerCase()] : undefined;
}

function deed(words: readonly Word[]): string[] | undefined {
  const [first, ...rest] = words;
  const isDeed =
    first?.kind === 'word' &&
    !/^(?:ask|say|be|bother|interrupt|admit|see|hear|know|think|do|have|get|go|learn|live|deal)$/u.test(
      first.lower,
    ) &&
    words.length <= 5 &&
    !NO_PHRASE.test(first.lower) &&
    !first.isCapital;
  return isDeed &&
    (rest.length === 0 || isPhrase(rest[0] && PREPOSITION.test(rest[0].lower) ? rest.slice(1) : rest))
    ? [textOf(words)]
    : undefined;
}

export function withoutArticle(words: readonly Word[]): readonly Word[] {
  return words.length > 1 && ARTICLE.test(words[0]?.lower ?? '') ? withoutArticle(words.slice(1)) : words;
}

const KINDS: Readonly<Record<string, Kind>> = {
  place,
  from: place,
  city: (words, context) => place(words, words.some(({ tags }) => tags.has('Place')) ? context : NOBODY),
  where: (words) =>
    words.length <= 4 &&
    isPhrase(
      PREPOSITION.test(words[0]?.lower ?? '')
        ? words.slice(1).filter(({ lower }) => !/^(?:my|his|her|our|their)$/u.test(lower))
        : words,
    )
      ? [textOf(words)]
      : undefined,
  floor: matching(/^(?:\p{L}+|\d{1,2}(?:st|nd|rd|th)) floor$/iu),
  price: matching(
    /^(?:[$€£] ?)?\d[\d.,]*k?(?: \p{L}+)?(?: (?:an?|per) (?:hour|day|month|year|week|lesson|session)| net| gross)?$/iu,
  ),
  kilos: matching(/^\d{1,3}(?:[.,]\d+)? ?(?:kg|kilos?|pounds|lbs?)$/iu),
  club: headed(/^(?:club|group|choir|team|band|orchestra|gym|society|class|league|church)$/u, 4),
  degree: headed(
    /(?:ology|ometry|istry|onomy|onomics|ysics)$|^(?:law|medicine|engineering|history|philosophy|maths?|mathematics|science|studies|literature|nursing|architecture|economics|politics|degree|phd|masters?|mba|bachelors?|a-levels|gcses?|apprenticeship|residency|french|german|spanish|english|japanese|chinese|italian|korean|arabic|portuguese|russian|latin|art|music|agronomy|psych|design|linguistics|education|marketing|accounting|finance|journalism)$/u,
    4,
  ),
  names,
  job,
  org: organization,
  things,
  goods,
  state,
  self,
  date,
  kin,
  deed,
  name: (words, context) => one(fullName(words, context)),
  owner: (words, context) => one(fullName(words, context)),
  works: (words, context) => {
    const found = listParts(words)?.map((part) => fullName(part, context));
    return found?.every((each) => each !== undefined) ? found : undefined;
  },
  employer: (words, context) =>
    ARTICLE.test(words[0]?.lower ?? '') ? organization(words, context) : one(fullName(words, context)),
  project: headed(
    /^(?:project|novel|book|album|thesis|paper|app|game|startup|website|song|film|movie|dissertation|phd)$/u,
    5,
  ),
  school: (words, context) =>
    /^(?:university|uni|college|school|academy|institute|mit|polytechnic|conservatory|high)$/iu.test(
      words.at(-1)?.text ?? '',
    ) || words[0]?.lower === 'university'
      ? one(fullName(withoutArticle(words), context))
      : undefined,
  student: headed(/^(?:student|freshman|sophomore|undergrad|undergraduate|postgrad|grad)$/u),
  plan: (words) =>
    /^(?:an?|my|our)$/u.test(words[0]?.lower ?? '')
      ? headed(
          /^(?:shed|house|boat|deck|cabin|pergola|greenhouse|trip|holiday|wedding|party|novel|book|thesis|memoir|dissertation|app|game|website|bathroom|kitchen|garden|flat|home|van|shop|business|startup|course|podcast|album|film|festival|reunion|honeymoon)$/u,
          4,
        )(words.slice(1), NOBODY)
      : undefined,
  food: headed(
    /^(?:dairy|gluten|meat|pork|beef|lamb|alcohol|caffeine|sugar|spicy|food|nuts|seafood|fish|eggs|lactose|soy|wheat|bread|carbs|shellfish|mushrooms|onions|garlic|salt|cheese|milk)$/u,
    2,
  ),
  diet: matching(/^(?:kosher|halal|vegan|vegetarian|shabbat|sabbath)$/iu),
  technology: (words) =>
    TECHNOLOGY.test(words[0]?.lower ?? '') &&
    words.length <= 3 &&
    (words.length === 1 || /\d/u.test(textOf(words.slice(1))))
      ? [textOf(words)]
      : undefined,
  // "Love the color" is about something that lies on the table.
  tastes: (words) =>
    words.some(({ lower }, index) => lower === 'the' && words[index + 1]?.isCapital !== true)
      ? undefined
      : things(words),
  field: matching(
    /^(?:it|tech|finance|retail|marketing|construction|healthcare|education|hr|sales|advertising|insurance|logistics|hospitality|publishing|journalism|accounting|law|real estate|customer (?:service|support)|software|banking|film|television|tv|music|fashion|agriculture|engineering|public health|social work|data science|cyber ?security)$/iu,
  ),
  shift: matching(
    /^(?:(?:the )?(?:night|evening|day|early|late)(?: shifts?|s)|nights|evenings|weekends|shifts|part[ -]time|full[ -]time|freelance|remotely|from home)$/iu,
  ),
  business: headed(
    /^(?:shop|store|bakery|cafe|café|restaurant|farm|salon|startup|company|business|studio|agency|stall|bar|pub|practice|clinic|b&b|hotel|gallery|brewery|vineyard|truck|podcast|blog|channel|nonprofit|charity|firm|bookshop|bookstore|nursery|gym|kennel|newsletter)$/u,
    5,
  ),
  having: (words) => {
    const found = listParts(words)?.map((part) => havingOf(part)?.[0]);
    return found?.every((each) => each !== undefined) ? found : undefined;
  },
  home: headed(
    /^(?:flat|house|apartment|village|town|city|suburb|place|studio|cottage|farm|condo|dorm|bungalow)$/u,
  ),
  baby: headed(/^(?:baby|twins|girl|boy|daughter|son|child|kid|triplets)$/u),
  status: matching(/^(?:divorced|single|married|engaged|widowed|separated)$/iu),
  surgery: headed(
    /^(?:surgery|operation|transplant|replacement|stroke|stent|miscarriage|c-section|bypass|chemo)$/u,
  ),
  part: headed(
    /^(?:leg|arm|wrist|ankle|knee|foot|toe|finger|hand|shoulder|rib|ribs|hip|collarbone|acl|achilles|nose|elbow|back)$/u,
    3,
  ),
  sport: (words) =>
    words.length === 1 &&
    /^(?:yoga|pilates|karate|judo|crossfit|ballet|gymnastics|physio|climbing|running|swimming|cycling|hiking|fishing|sailing|surfing|skiing|dancing|bouldering|rowing|kayaking)$/u.test(
      words[0]?.lower ?? '',
    )
      ? [textOf(words)]
      : undefined,
  pregnant: matching(/^pregnant$/iu),
  condition: (words) => {
    const parts = listParts(words)?.map(withoutArticle);
    return parts?.every(
      (part) => part.length <= 4 && isPhrase(part) && CONDITION.test(textOf(part).toLowerCase()),
    )
      ? parts.map(textOf)
      : undefined;
  },
  medicine: headed(
    /(?:pril|olol|statins?|formin|azole|etine|aline|xaban|ipine|sartan|thyroxine|cillin|lukast|azepam|triptyline)$|^(?:insulin|antidepressants|statins|inhaler|thinners?|aspirin|ibuprofen|metformin|warfarin|steroids|hrt|antihistamines|lithium|adderall|ritalin)$/u,
  ),
  skill: matching(
    /^(?:swim|drive|cook|ski|whistle|dance|sing|ride a bike|ride a bicycle|read music|speak \p{Lu}\p{L}+|smell|hear|walk|fly)$/u,
  ),
  number: matching(/^\d{1,3}$/u),
  age: matching(/^[1-9]\d$/u),
  measure: matching(/^\d{1,3}(?:[.,]\d+)? ?(?:kg|kilos?|pounds|lbs?|cm|m|meters|metres|ft|feet)$/iu),
  address: matching(/^\d{1,5} \p{Lu}/u),
  group: (words) => (words[0]?.lower === 'the' ? [textOf(words)] : undefined),
  others: (words) => (isPhrase(words) ? [textOf(words)] : undefined),
};
const havingOf = (words: readonly Word[]): string[] | undefined =>
  NUMBER.test(words[0]?.lower ?? '') ||
  /^an?$/u.test(words[0]?.lower ?? '') ||
  (words.length === 1 && /^(?:kids|children|siblings|pets|twins|grandchildren)$/u.test(words[0]?.lower ?? ''))
    ? headed(HAVING, 4)(words, NOBODY)
    : undefined;
export const NOBODY: SlotContext = { isKnown: () => false, isSmall: false };

const CONDITION =
  /(?:itis|osis|aemia|emia|algia|opathy|plasia|trophy|lepsy|phobia)$|(?:^| )(?:asthma|pain|diabetes|syndrome|disease|disorder|allerg(?:y|ies)|intolerance|adhd|add|autism|anxiety|depression|migraines?|apnea|apnoea|hypertension|pressure|epilepsy|eczema|cancer|ibs|pcos|ms|gout|tinnitus|insomnia|dyslexia|vertigo|celiac|coeliac|deficiency|murmur|pacemaker|ptsd|ocd|copd|dementia|lupus|glaucoma|cataracts?|hernia|scoliosis|sciatica|bad (?:back|knees?|hip|shoulder))$/u;
const ARTICLE = /^(?:a|an|the|some|any|both|either)$/u;
const NUMBER = /^(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|no|couple|several)$/u;
const PREPOSITION =
  /^(?:of|in|at|on|for|with|to|from|by|about|into|near|under|over|through|without|like|than|as|per|around|between|after|before|during|until|via|against|across|along|behind|off|out|up|down|towards?)$/u;
const NO_PHRASE =
  /^(?:i|you|he|she|it|we|they|me|him|her|us|them|my|your|his|its|our|their|mine|yours|hers|theirs|myself|yourself|this|that|these|those|there|here|who|whom|whose|which|what|when|where|why|how|is|am|are|was|were|be|been|being|do|does|did|have|has|had|can|could|will|would|should|may|might|must|not|no|never|if|whether|because|but|so|though|although|while|then|else|just|really|very|too|also|only|even|still|yet|already|much|more|most|less|least|many|enough|lot|lots|bit|if|anymore|please|always|ever|lately|now|today|tomorrow|yesterday|tonight|anybody|anyone|somebody|someone|nobody|everybody|everyone|nothing|anything|something|everything|none|other|others|another|such|everywhere|together|well|better|again)$/u;
const NOUN_VERBS = /^(?:work|play|dance|run|swim|drink|cook|travel|walk|cycle|fish|drive|ride|sleep|read)$/u;
const EMPTY =
  /^(?:.|home|one|ones|thing|things|stuff|everything|anything|something|nothing|everyone|everybody|someone|anyone|nobody|others?|idea|ideas|sound|sounds|look|help|part|way|ways|time|people|all|none|some|any|same|first|last|best|latter|former|option \p{L}|version \d|answers?|suggestions?|questions?|versions?|options?|name|title|(?:first|second|last|former|latter|other) (?:one|option|version|idea|two)|fun|role|part|tons?|instruments?|projects?|(?:new|another|big) project|commands?|along|around|fair|safe|games?|ball)$/iu;
const NO_GOODS =
  /^(?:sense|sure|mistakes?|progress|money|friends|plans|time|notes?|lists?|do|decisions?|jokes?|noise|room|trouble)$/iu;
const TECHNOLOGY =
  /^(?:kubernetes|k8s|docker|linux|ubuntu|debian|windows|macos|mac|ios|android|react|vue|angular|svelte|python|java|javascript|typescript|rust|go|ruby|php|sql|postgres(?:ql)?|mysql|mongodb|redis|aws|azure|gcp|excel|word|powerpoint|sheets|notion|slack|teams|zoom|discord|github|gitlab|jira|vim|emacs|vscode|chrome|firefox|safari|edge|figma|photoshop|blender|html|css|latex|matlab|r|c|bash|terraform|google|gmail|outlook|minecraft)$/u;
const NO_PLACE =
  /^(?:fear|hope|pain|peace|poverty|sin|denial|style|luxury|harmony|silence|bed|hospital|prison|jail|school|college|town|trouble|love|charge|debt|shock|tears|therapy|remission|recovery|labor|labour|general|fact|person|theory|principle|shape|pieces|need|touch|line|doubt|luck|heaven|hell|tech|finance|retail|marketing|sales|it|law|here|there|home|work|meetings?|class|court|transit|limbo|agreement|danger|stitches|awe|menopause|quarantine|mourning|uniform|heat|season|high|middle|constant|full|good|bad|great|real)$/u;
const WORKPLACE =
  /^(?:hospital|school|university|college|bank|shop|store|bakery|cafe|café|restaurant|farm|salon|startup|company|studio|agency|bar|pub|practice|clinic|hotel|gallery|brewery|charity|firm|library|museum|market|supermarket|warehouse|factory|office|council|government|airport|port|station|gym|nursery|kindergarten|pharmacy|garage|lab|laboratory|theater|theatre|cinema|church|prison|zoo|plant|mill|ministry|bookshop|bookstore|nonprofit|ngo|center|centre|department|ward|co-op|authority)$/u;
const HAVING =
  /^(?:kids?|child|children|sons?|daughters?|sisters?|brothers?|siblings?|twins|grandchildren|grandkids|grandsons?|granddaughters?|babies|baby|toddler|dogs?|cats?|kittens?|pupp(?:y|ies)|horses?|hamsters?|rabbits?|parrots?|chickens|hens|goats?|sheep|cows|ferrets?|tortoises?|turtles?|bees|fish|snakes?|lizard|gecko|budgies?|car|truck|van|motorbike|motorcycle|bike|e-bike|bicycle|scooter|boat|campervan|camper|tesla|piano|guitar|violin|cello|ukulele|drums|house|flat|apartment|cottage|cabin|garden|allotment|greenhouse|degree|phd|diploma|passport|license|licence|visa|tattoo|tattoos|pacemaker|implant|girlfriend|boyfriend|wheelchair|3d printer)$/u;
const JOBS =
  /^(?:nurse|midwife|doctor|gp|vet|dentist|paramedic|surgeon|chef|cook|baker|barista|waiter|waitress|bartender|teacher|tutor|lecturer|professor|student|phd|undergrad|freshman|sophomore|developer|dev|programmer|engineer|architect|designer|illustrator|writer|author|editor|journalist|translator|interpreter|photographer|musician|pianist|singer|actor|actress|lawyer|attorney|solicitor|paralegal|accountant|bookkeeper|auditor|analyst|consultant|manager|director|ceo|cto|cfo|founder|owner|entrepreneur|freelancer|carpenter|plumber|electrician|welder|mechanic|builder|roofer|mason|farmer|gardener|florist|tailor|seamstress|barber|hairdresser|stylist|driver|trucker|courier|pilot|sailor|captain|soldier|officer|policeman|policewoman|cop|firefighter|fireman|librarian|archivist|curator|scientist|researcher|chemist|physicist|biologist|geologist|mathematician|economist|therapist|psychologist|psychiatrist|physio|physiotherapist|pharmacist|optician|dietitian|nutritionist|radiologist|hygienist|carer|caregiver|nanny|au pair|babysitter|secretary|receptionist|clerk|cashier|salesman|saleswoman|realtor|landlord|landlady|cleaner|janitor|guard|butcher|fisherman|potter|weaver|jeweler|artist|painter|sculptor|animator|dancer|coach|trainer|referee|athlete|goalkeeper|drummer|priest|pastor|monk|nun|magistrate|judge|clerk|civil servant|dba|sysadmin|admin|intern|apprentice|trainee|lead|treasurer|caretaker|schoolmistress|schoolteacher|headteacher|principal|pensioner|widow|widower|homemaker|housewife|veteran|immigrant|expat|refugee|twin|mom|mum|mother|dad|father|grandmother|grandfather|grandma|grandpa|friend|beekeeper|brewer|translator|conductor|composer|steward|stewardess|attendant|operator|technician|assistant|inspector|surveyor|planner|buyer|tester|marketer|recruiter|streamer|blogger|youtuber|novelist|poet|historian|linguist|astronomer|meteorologist|magician)$/u;
const AGENT = /(?:[^e]er|eer|or|ist|ian|man|woman|wright|smith|keeper|worker)$/u;
const NO_JOB =
  /^(?:man|woman|lifesaver|lifesaver|game-changer|lover|beginner|fan|member|believer|number|matter|newcomer|learner|loser|winner|killer|person|human|disaster|monster|hater|eater|drinker|sleeper|morning|bother|factor|error|mirror|color|horror|favor|flavor|summer|winter|weather|player|user|customer|reader|visitor|owl|other|another|brother|sister|neighbor|prisoner|liar|teenager|stranger|sucker|dinner|christian|vegetarian|order|computer|paper|water|letter|answer|offer|survivor|quitter|wanderer|outsider|twentysomething|helper|rumor|tumor|cancer|burger|corner|finger|fever|starter|timer|printer|trailer|filter|layer|marker|router|server|folder|fighter|minor|major|senior|junior)$/u;
const NATIONALITY =
  /^(?:\p{Lu}\p{L}*(?:ish|ese|[lnrvs]ian|[ti]nian|cian|dian|gian|pian|ean|can)|French|German|Dutch|Greek|Swiss|Czech|Thai|Welsh|Norwegian|Iraqi|Israeli|Pakistani|Bangladeshi|Kiwi|Filipin[oa]|Slovak|Afghan|Croat|Serb|Finn|Dane|Swede|Turk|Arab|Scottish|Scots|Basque|Latin[oa]|Somali|Nepali|Qatari|Emirati|Saudi|Kuwaiti|Omani|Yemeni|Muslim|Christian|Hindu|Buddhist|Catholic|Jewish|Sikh)$/u;
const STATES =
  /^(?:(?:a )?(?:vegan|vegetarian|pescatarian|veggie|teetotal|celiac|coeliac)|gluten[ -]free|dairy[ -]free|lactose[ -]intolerant|gluten[ -]intolerant|diabetic|(?:type [12] )diabetic|pregnant|retired|semi-retired|unemployed|self[ -]employed|freelance|left[ -]handed|right[ -]handed|ambidextrous|colou?r[ -]?blind|deaf|blind|hard of hearing|short[ -]sighted|autistic|dyslexic|epileptic|asthmatic|anemic|anaemic|bipolar|sober|jewish|muslim|christian|hindu|buddhist|catholic|sikh|atheist|agnostic|bilingual|trilingual|gay|lesbian|bisexual|bi|queer|trans|non[ -]?binary|adopted|handsome|tall|short|bald|blond|blonde|shy|introverted|extroverted|claustrophobic|homeschooled|disabled|undocumented|halal|kosher|(?:an )?only child|(?:a )?(?:night owl|morning person|early bird)|nearsighted|farsighted)$/iu;
