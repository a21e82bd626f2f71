import { regex } from '../../language/words/lists.ts';

export const PART_END: RegExp =
  /(?:[,;]\s*|[,;]?\s+)(?:and|but|so|,)?\s*(?=(?:i|i'?m|we|we'?re|he|he's|she|she's|they|my|our|his|her|work(?:s|ing)?|live|lives|living|just moved|moved)\b)(?<=[,;]\s*|\b(?:and|but|so)\s+)/iu;

/** Matches possibilities and plans, which change nothing yet. */
export const UNREAL: RegExp = regex(
  String.raw`\b(?:if|might|may|could|would|should|will|gonna|want(?:s|ed)? to|wanna|going to|plan(?:s|ning)? to
    hop(?:e|es|ing) to|trying to|need to|think(?:ing)? (?:of|about)|considering|wish|almost|nearly|never
    didn't|haven't|hasn't|not (?:moved|quit|left)|i'll|we'll)\b`,
  'u',
);

export const HAS_VERB: RegExp =
  /\b(?:im|am|is|are|was|were|have|has|had|got|do|does|can|can't|don't|live|work|play|love|hate|like|eat|drink|need|take|use|go|want|study|\p{L}{3,}(?:s|ed|ing))\b|'(?:m|s|re|ve)\b/u;
export const VERB: RegExp =
  /\b(?:is|are|was|has|have|had|loves?|likes?|needs?|eats?|plays?|lives?|works?|goes|sleeps?)\b|'s\b/u;
/** Matches present states and activities of a person or an animal. */
export const DESCRIBES: RegExp =
  /\b(?:is|has|lives?|loves?|likes?|needs?|eats?|sleeps?|have|got|\p{L}+s)\b|'s\b/u;
export const NAMES_ANIMAL: RegExp = /\b(?:have|got|has|own)\b.{0,30}\b(?:named|called)\b/u;
export const OWNS: RegExp =
  /\b(?:have|has|had|own|owns|got|bought|drive|drives|driving|ride|rides|my|our|his|her|use|uses|keep|keeps)\b|'ve\b/u;
export const ALLERGY: RegExp = /\b(?:allerg\w*|intoleran\w*|alergi\w*)/u;
export const DENIAL: RegExp =
  /\b(?:not|never|no|nothing|cannot|don'?t|doesn'?t|can'?t|won'?t|isn'?t|aren'?t|hardly|without|nicht|kein\w*)\b/u;
export const LIKES: RegExp =
  /\b(?:love|loves|like|likes|enjoy|enjoys|adore|adores|a fan of|obsessed|favou?rite|fond of|into)\b/u;
export const DISLIKES: RegExp =
  /\b(?:hate|hates|dislike|dislikes|(?:can'?t|cannot) stand|(?:do|does)(?:n'?t| not) (?:really )?(?:like|love|enjoy)|dont like|sick of|fed up|bored (?:of|with)|not a fan|gone off|tired of)\b/u;
export const TASTE_CHANGED: RegExp =
  /\b(?:now|any ?more|again|these days|lately|no longer|after all|actually|gone off|grown to|came to)\b/u;
/**
 * Matches single events, which stay true: "I met Ida at the gym". Beginnings do not count, because they last: "I joined
 * a gym".
 */
export const EVENT: RegExp = regex(
  String.raw`\b(?:i|we|he|she|they|who|\p{L}{3,})\s+(?:(?:just|also|really|finally|once|first|never)\s+)?(?!(?:signed
    started|joined|adopted|booked|subscribed|enrolled|moved|learned|rented|based|named|called|married
    engaged|retired|allergic|planned|interested|addicted|hired|need|speed|used|inherited|ordered)\b)(?:met
    went|were|did|saw|ate|drank|came|found|lost|won|felt|wrote|ran|fell|told|said|taught|gave|spent|heard
    threw|grew|slept|sang|swam|flew|drove|broke|\p{L}{2,}ed)\b`,
  'u',
);

export const AGE: RegExp =
  /(?:'m|\bim|\bam|\bis|'s|\bare|\bturn(?:s|ed)?) (?:now )?\d{1,3}(?: ?(?:years?|yrs?|months?)(?: old)?)?(?:$|[\s]*(?:now|already|today|yesterday|last|this|$|[.,!]))/u;

export const RENEWED: RegExp = regex(
  String.raw`\b(?:new|neue[rns]?|nuev[ao]|nouve\w+|nov[ao])\s+({held})\b(?=\s*(?:$|[,.!;:(]|(?:is|was|are|now|called|named|and|at|from|since|as|starting|last|this|today|yesterday|'s)\b|\p{Lu}))`,
  'gu',
);
/** Matches things that a person has one of at a time, as a subject or after "my". */
export const HELD: RegExp = regex(
  String.raw`\b(?:my|our|his|her|mein\w*|mi|mon|ma|meu|minha|\p{L}+'s)\s+(favou?rite \p{L}+|{held}|rent|salary
    surname|last name|pronouns|major|thesis topic|job title|lehrer(?:in)?|chef(?:in)?|jef[ae]|profesora?
    medic[ao])(?='s| is| are| was|,|[.]|$)`,
  'gu',
);

/** Sorts of values: weekdays, months, numbers. Two of a sort can replace each other. */
export const VALUES: readonly RegExp[] = [
  regex(String.raw`\b(?:{weekday})s?\b|\b(?:{weekdayElsewhere})\b`, 'gu'),
  regex(String.raw`\b(?:{month})\b`, 'gu'),
  /\d+(?:[.,:]\d+)?|\b(?:once|twice|noon|midnight|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gu,
];

export const PARTNERS: ReadonlySet<string> = new Set(
  'wife husband girlfriend boyfriend fiance fiancee partner spouse ex'.split(' '),
);
/** Index in {@link MATTERS}. */
export const PARTNER = 2;

/**
 * Matches statements of home, work, partner, diet and school, which a person has one of at a time, and reports that it
 * has changed.
 */
export const MATTERS: readonly (readonly [says: RegExp, changes: RegExp])[] = [
  [
    /\b(?:live|lives|living|based|moved (?:to|in)|(?:my|our|a|the) (?:\p{L}+ )?(?:flat|apartment|house|place)|rent|renting|wohne|vivo|vivimos|j'habite|moro)\b|住/u,
    regex(
      String.raw`\b(?:moved (?:out|back|house|in with|away|here)|relocated
    (?:(?<=^|^(?:ok|so|and|but|well|yeah|update|actually|finally|just)\W+)
    (?:i|we|i'?ve|we'?ve|he|she|they|(?:my|our) \p{L}+
    \p{L}+'s) (?:have |has |had )?(?:just |finally |recently |both |all )?)moved (?:over )?(?:from \p{L}+ )?to (?!\d
    (?:the|an?|another|my|our|his|her|their) (?!(?:\p{L}+ ){0,2}(?:house|flat|apartment|place|town|city
    village|suburbs?|country|countryside|coast|island|farm|studio|cottage|us|uk|netherlands|hague)\b)
    (?:\p{L}+ ){0,2}(?:jobs?|posts?|roles?|teams?|positions?|shifts?|projects?|desks?|phases?)\b
    (?:{weekday}))\p{L}+|i'?ve moved$|we'?ve moved$|(?:we|i) moved(?=$|[.!,]| (?:last|this|yesterday|in))
    (?:bought|got|found|rented|into) (?:a|our|my|the) new (?:flat|apartment|house|place)
    (?:live|lives|living) (?:in|at|with) [\p{L} ]{2,40} now|now (?:live|living|lives|based) in
    (?:no longer|(?:do|does)n'?t) live|umgezogen|me mude|demenage|me mudei)(?!\p{L})|搬到|引っ越し`,
      'u',
    ),
  ],
  [
    regex(
      String.raw`\b(?:(?:my|his|her|new|full-time|part-time) job|works? (?:at|as|for|in)|working (?:at|as|for)
    night shifts?|nights|employer|(?:i'?m|i am|is|'s|as) (?:an? )?(?:\p{L}+ )?(?:{job})|arbeite|trabajo
    laburo|travaille|trabalho)(?!\p{L})|工作|上班|働`,
      'u',
    ),
    regex(
      String.raw`\b(?:(?:started|starting|got|found|have|in) (?:a|my|the|his|her) new job
    (?:quit|left|lost) (?:my|the|his|her) (?:\p{L}+ )?job
    quit(?=$|[.!,]| (?:today|yesterday|last|this|on \p{L}+day|and|because|in))|resigned
    (?:got|was|been) (?:fired|sacked|let go|made redundant)|laid off
    (?:i'?m|is|i am|'s) (?:now )?(?:retired|unemployed)|(?:i|he|she) (?:just |finally )?retired|changed jobs
    (?:i'?m|i am|is|'s|as) (?:an? )?(?:\p{L}+ )?(?:{job}) now|works? (?:at|for|as) [\p{L} ]{2,30} now
    now (?:works?|working) (?:at|for|as)|no longer work|gekundigt|renuncie|demissionne|me demiti)(?!\p{L})
    辞め|やめました|换工作|辞职`,
      'u',
    ),
  ],
  [
    regex(String.raw`\b(?:{partner}|seeing)\b|女友|男友|彼女|彼氏`, 'u'),
    regex(
      String.raw`\b(?:broke up|(?:we|i) split|split up|divorced|separated|dumped|is my ex|single (?:now|again)
    not together|called off (?:the|our) engagement|getrennt|corte con|lo dejamos|on a rompu|on s'est separes
    terminamos)\b|分手|別れ`,
      'u',
    ),
  ],
  // Single foods are handled with the endings of things: "I don't eat fish anymore".
  [
    regex(String.raw`\b(?:{vegetarian}|plant-based|don'?t eat (?:meat|fish))\b|素食|菜食`, 'u'),
    regex(
      String.raw`\b(?:(?:not|no longer) (?:an? )?(?:{vegetarian})|eat(?:s|ing)? (?:\w+ )?(?:meat|fish|everything) again|(?:an? )?(?:{vegetarian}) now)\b`,
      'u',
    ),
  ],
  [/\b(?:sober|don'?t drink(?: alcohol)?$)/u, /\b(?:drinking again|no longer sober)\b/u],
  [
    /\b(?:study|studying|studies|student|at uni|university|degree|major(?:ing)? in)\b|学/u,
    /\b(?:dropped out|graduated|switched (?:majors?|courses?)|changed (?:majors?|courses?)|finished (?:my|the|his|her) (?:degree|studies))\b/u,
  ],
];

/** Matches statements that something named in the clause has ended. */
export const ENDING: RegExp = regex(
  String.raw`\b(?:any ?more|no longer|used to|quit|quitting|gave up|given up|got rid of|cancel+ed|called off
    fell through|sold|broke up|divorced|separated|stopped|dropped|passed away|died|is over|it's over
    closed down|shut down|gone|deferred|postponed|nicht mehr|aufgehort|gekundigt|verkauft|getrennt|ya no
    deje|vendi|renuncie|corte con|ne plus|plus de|arrete|quitte|vendu|nao mais|larguei|parei)\b|\bno more\b
    \b(?:left|leaving) (?:the|my|our|\p{L}+ (?:in|last|on|for))\b|不再|辞|卖了|やめ|もう.{0,40}ない|別れ`,
  'u',
);
export const RETRACTION: RegExp = regex(
  String.raw`\b(?:scratch that|forget (?:that|what i said|it)|ignore (?:that|what i said)|never ?mind|correction
    i was wrong|i lied|(?:i was |just )?(?:kidding|joking)|i meant|my mistake|not true|vergiss das|olvidalo
    oublie|esquece)\b|当我没说|間違え`,
  'u',
);
export const REPLACEMENT: RegExp = regex(
  String.raw`\b(?:now|instead|actually|new|changed?|changing|switch(?:ed|ing)?|moved? to|replaced|rather than|raised
    lowered|from now on|no longer|turns out|back to|again|became|promoted|jetzt|stattdessen|neue[rns]?|ahora
    en vez|nuev[ao]|maintenant|nouve\w+|agora|nov[ao])\b|^no\b|现在|换|改|今は|変わ`,
  'u',
);
