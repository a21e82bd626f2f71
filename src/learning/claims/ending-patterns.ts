import { regex } from '../../language/words/lists.ts';

/** "May" where it is not the month. */
export const MAY_BE: string = String.raw`(?<!\b(?:in|since|of|last|this|next|on|early|late|mid|by|until|till|from|to|and|\d+(?:st|nd|rd|th)?)[ -])may(?! \d)`;

/** Words that end like professions. */
const NO_JOB = String.raw`(?:grand|god|step|half-)\p{L}+|(?:mo|fa|bro|ano)ther|sister|widower|partner|lover|believer|beginner|member|number|newcomer|learner|loser|winner|killer|monster|disaster|matter|factor|hater|eater|drinker|sleeper|smoker|user|customer|reader|visitor|neighbou?r|stranger|helper|foreigner|outsider|prisoner|survivor|teenager|computer|paper|letter|answer|offer|color|super|better|bigger|smaller|older|younger|former|proper|clever|bitter|eager|minor|major|simpler|longer|shorter|(?:veget|pesc?et|pescat)arian|christian|guardian|german|human|(?:opt|pess|fem|min)\p{L}+ist|tourist|hiker|runner|jogger|swimmer|biker|climber|gamer|knitter|collector|follower|supporter|subscriber|commuter|riser|bloomer|earner|travell?er|talker|thinker|\p{L}*owner|\p{L}*holder`;
const JOB_ALONE =
  'nurse|chef|barista|medic|vet|clerk|cook|paramedic|mechanic|accountant|assistant|consultant|attendant|teacher|driver|engineer|developer|designer|manager|director|doctor|baker|waiter|lawyer|cleaner|farmer|electrician|plumber';
/** What somebody is by profession. Without an article, "important" and "after" would be taken for one. */
const JOB = String.raw`an? (?:\p{L}+ )?(?!(?:${NO_JOB})\b)(?:\p{L}{2,}(?:er|or|ist|ian)|\p{L}{4,}man|${JOB_ALONE})|${JOB_ALONE}`;

/** Matches possibilities and plans, which change nothing yet. */
export const UNREAL: RegExp = regex(
  String.raw`\b(?:if|might|${MAY_BE}|could|would|should|will|gonna|want(?:s|ed)? to|wanna|going to|plan(?:s|ning)? to
    hop(?:e|es|ing) to|trying to|need to|think(?:ing)? (?:of|about)|considering|wish|almost|nearly|never
    didn't|haven't|hasn't|not (?:moved|quit|left)|i'll|we'll)\b`,
  'u',
);

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
  /\b(?:now|never thought|grew on me|grown on me|turns? out|converted|since|any ?more|again|these days|lately|no longer|after all|actually|gone off|grown to|came to)\b/u;
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
  /(?:'m|\bim|\bam|\bis|'s|\bare|\bturn(?:s|ed)?) (?:now )?(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: ?(?:years?|yrs?|months?)(?: old)?)?(?:$|[\s]*(?:now|already|today|yesterday|last|this|$|[.,!]))/u;

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

/** Matches changes that are long past, and so before what else was said. */
export const PAST: RegExp =
  /\b(?:at (?:age )?\d\d\b|long before|before (?:i|we) met|(?:\d+|two|three|four|five|six|seven|ten|twenty|some|many|a few|several) years (?:ago|before|earlier|back)|years ago|when (?:i|we) (?:was|were)|as a (?:kid|child|teen\w*|student)|back (?:in|when)|in (?:19|20)\d\d|growing up|vor (?:zwei|drei|vier|funf|\d+) jahren|hace (?:dos|tres|cuatro|\d+) anos|il y a (?:deux|trois|\d+) ans)\b/u;

/** Matches somebody whose role another can take. */
export const ROLE: RegExp =
  /\b(?:boss|manager|supervisor|teacher|tutor|coach|trainer|instructor|therapist|doctor|gp|dentist|hairdresser|cleaner|nanny|babysitter|au pair|landlord|landlady|lodger|tenant|roommate|flatmate|housemate|neighbou?r|colleague|coworker|co-worker|assistant|intern|director|lead|head|captain|conductor|priest|vicar|accountant|lawyer|gardener|carer|drummer|singer|bassist)s?\b/u;

/** Sides of the answers about which a user has one wish at a time. */
export const WISHES: readonly RegExp[] = [
  /\b(?:call|address|name|nenn|llam\w*|appelle)\b.{0,12}\b(?:me|mich)\b|\b(?:llamame|appelle-moi|nenn mich)\b/u,
  /\b(?:in|auf|en|em) (?:english|german|french|spanish|italian|portuguese|dutch|polish|englisch|deutsch|franzosisch|spanisch|ingles|espanol|frances|aleman|portugues|anglais|allemand|francais|espagnol)\b/u,
  /\b(?:short|shorter|brief|long|longer|detailed|concise|in depth|one[- ]liners?|kurz\w*|ausfuhrlich\w*|cort[ao]s?|breves?|detallad\w+|courte?s?|detaille\w*)\b/u,
  /\b(?:bullet\w*|lists?|tables?|prose|paragraphs?|full sentences|flowing text|stichpunkt\w*|fliesstext|texte|listas?|parrafos|listes?|paragraphes?)\b/u,
  /\b(?:metric|imperial|celsius|fahrenheit|kilometers?|kilometres?|miles|kilos?|pounds)\b/u,
  /\b(?:formal\w*|informal\w*|duz\w*|siez\w*|tute\w*|tutoie\w*|vouvoie\w*)\b/u,
];

/** Matches a new title at the same employer. */
export const PROMOTION: RegExp =
  /\b(?:made (?:me|him|her) (?:an? |the )?(?:senior|lead|head|manager|partner|director|principal|permanent|supervisor|foreman)|promoted to|got promoted)\b/u;

/** Matches what is to be done or waited for. */
export const TO_BE_DONE: RegExp =
  /\b(?:have to|has to|need to|needs to|must|got to|gotta|should|due|deadline|by the|to do|todo|supposed to|waiting (?:for|on)|still waiting|owe|pending|hand in|submit|apply(?:ing)?|studying for|preparing|saving (?:up )?for)\b/u;

/** Sorts of values: weekdays, months, numbers. Two of a sort can replace each other. */
export const VALUES: readonly RegExp[] = [
  regex(String.raw`\b(?:{weekday})s?\b|\b(?:{weekdayElsewhere})\b`, 'gu'),
  regex(String.raw`\b(?:{month})\b`, 'gu'),
  /\d+(?:[.,:]\d+)?|\b(?:once|twice|noon|midnight|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gu,
];

export const PARTNERS: ReadonlySet<string> = new Set(
  'wife|husband|girlfriend|boyfriend|fiance|fiancee|partner|spouse|ex|novio|novia|esposo|esposa|marido|copain|copine|namorado|namorada|freundin|mann|frau|女友|男友|女朋友|男朋友|彼女|彼氏|moglie|marito|fidanzato|fidanzata|noivo|noiva|mio ragazzo|mia ragazza'.split(
    '|',
  ),
);
/** Indexes in {@link MATTERS}. */
export const HOME = 0;
export const WORK = 1;
export const PARTNER = 2;
export const MARRIAGE = 6;
export const BIRTH = 7;

/** Matches where a clause goes on with what a partner is, which does not end with the relation: "my girlfriend Ida | is a vet". */
export const TOLD_OF_PARTNER: RegExp = regex(
  String.raw`(?<=\b(?:{partner}|Freundin|Freund|Mann|Frau|compañer[oa]|companheir[oa]|ragazz[oa]|compagn[oa]|vriend(?:in)?)(?:\s\p{Lu}[\p{L}'’-]*)?)\s(?=(?:is|es|est|è|é|fa)\s(?!\p{Lu}|(?:called|named|my|now|no longer|not|mijn)\b|\p{L}+ing\b)|ist\s)
    (?<=(?:女友|男友|女朋友|男朋友)\p{Script=Han}{0,4})(?<!不)(?=是)|(?<=(?:彼女|彼氏)(?:の[\p{L}ー]{1,8})?)(?=は)`,
  'u',
);

/**
 * Matches claims of home, work, partner, diet and school, which a person has one of at a time, and reports that it
 * has changed.
 */
export const MATTERS: readonly (readonly [says: RegExp, changes: RegExp])[] = [
  [
    /\b(?:live|lives|living|based|moved (?:to|in)|(?:my|our) (?:\p{L}+ )?place|(?:my|our|a|the) (?:\p{L}+ )?(?:flat|apartment|house)|rent|renting|wohne|wohnen|vivo|vivimos|j'habite|on habite|moro|moramos|abito|abitiamo|leben? in|nach \p{L}+ gezogen|je vis a)\b|住/u,
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
    (?:first|second|third) (?:night|week|weekend|morning) in (?:the |our |my )?(?:new )?(?!bed\b|hospital\b)\p{L}+
    got the keys\b.{0,60}\bnew (?:house|flat|apartment|place)|(?:in|into|at) (?:the|our|my) new (?:house|flat|apartment|place)
    (?:my|our) own (?:flat|place|apartment|house|appart\w*) (?:in|at)|erste (?:nacht|woche) in|mon propre appart\w*|notre nouvel appart\w*
    primera noche en|mi nuevo piso|nuestro nuevo piso|eigene wohnung|neue wohnung|nova casa|casa nuova
    (?:live|lives|living|(?:i'?m|i am|we'?re|we are|(?:he|she)(?:'s| is)|they'?re|they are) based) (?:in|at|with) [\p{L} ]{2,40} now|now (?:live|living|lives|based) in
    (?:no longer|(?:do|does)n'?t) live|umgezogen|me mude|me he mudado|nos mudamos|nos hemos mudado|demenage|emmenage|me mudei|mudei-me|mi sono trasferit[oa]|ci siamo trasferiti
    nach (?!hause)\p{L}+(?: \p{L}+)? (?:um)?gezogen|(?:wohne|wohnen) (?:jetzt|nun|nicht mehr)|ya no viv(?:o|imos)|ahora viv(?:o|imos)
    (?:n'habite|n'habitons) plus|habite maintenant|nao (?:moro|moramos) mais|agora (?:moro|moramos)|non abit(?:o|iamo) piu|(?:adesso|ora) abit(?:o|iamo))(?!\p{L})|搬到|搬家|新租的|引っ越し`,
      'u',
    ),
  ],
  [
    regex(
      String.raw`\b(?:(?:my|his|her|new|full-time|part-time) job|works? (?:at|as|for|in)(?! it\b)|working (?:at|as|for)(?! it\b)
    night shifts?|nights|employer|(?:i'?m|i am) an? (?:\p{L}+ ){1,3}(?:at|for|with) \p{L}+
    (?:i'?m|i am|is|'s|as) (?:${JOB})|arbeite|trabajo
    laburo|travaille|trabalho|lavoro)(?!\p{L})|工作|上班|働`,
      'u',
    ),
    regex(
      String.raw`\b(?:(?:started|starting|got|found|have|in) (?:a|my|the|his|her) new job
    (?:quit|left|lost) (?:my|the|his|her) (?:\p{L}+ )?job
    quit(?=$|[.!,]| (?:today|yesterday|last|this|on \p{L}+day|and|because|in))|resigned(?! \p{L}+sel(?:f|ves)\b)
    (?:got|was|been) (?:fired(?! up\b)|sacked|let go|made redundant)|laid off
    first (?:day|week|month|shift) (?:as an? \p{L}+|at (?:the|my) new|in (?:the|my) new|on the (?:new )?job)
    started (?:at|with|as)|went freelance|self-employed now|accepted the(?:ir)? offer|(?:company|firm|shop) (?:folded|went under|went bust)
    first (?:day|week|month|shift) (?:at|on|in|as) 
    (?:my|the) last (?:shift|day) (?:was|is|at)|(?:handed|gave|put) in my notice|new (?:employer|role|position)(?= (?:at|as|in|with)|$|[.,!])
    ^being (?:${JOB}) (?:is|feels)|retirement (?:do|party)
    trabajo nuevo|nuevo trabajo|me despidieron|me echaron|nouveau (?:boulot|travail|job)|ete vire|neue[rn]? (?:job|stelle|arbeit)|novo emprego|nuovo lavoro
    (?:i'?m|is|i am|'s) (?:now )?(?:retired|unemployed)|(?:i|he|she) (?:just |finally )?retired|changed jobs
    (?:i'?m|i am|is|'s|as) (?:${JOB}) now|works? (?:at|for|as) [\p{L} ]{2,30} now
    now (?:works?|working) (?:at|for|as)|no longer work|gekundigt|renuncie|demissionne|me demiti|mi sono licenziat[oa]|arbeite (?:(?:jetzt|nun) (?:als|bei|fur)|nicht mehr (?:als|bei|fur))|ahora trabajo (?:como|de|en|para)|ya no trabajo
    travaille maintenant (?:comme|chez|pour|a)|ne travaille plus (?:comme|chez|pour|a)|agora trabalho (?:como|em|na|no)|nao trabalho mais (?:como|em|na|no)
    (?:adesso|ora) lavoro (?:come|per|presso|in)|non lavoro piu (?:come|per|presso|in)|larguei o (?:emprego|trabalho)|ho lasciato il lavoro|deje el trabajo)(?!\p{L})
    辞め|やめました|换工作|辞职|跳槽|入职`,
      'u',
    ),
  ],
  [
    regex(String.raw`\b(?:{partner}|seeing)\b|女友|男友|女朋友|男朋友|彼女|彼氏`, 'u'),
    regex(
      String.raw`\b(?:broke up(?! (?:the|an?|some|into)\b)|(?:we|i) split(?! (?:the|an?|our|it|this|that|into|costs?|bills?|wood|rent)\b)|split up|divorced|separated(?! (?:the|an?|my|eggs?|laundry)\b)|dumped|is my ex|single (?:now|again)
    not together|called off (?:the|our) engagement|called it quits|(?:it's|we're) over(?=$|[.,!])|getrennt|nicht mehr zusammen|corte con|lo (?:hemos )?deja(?:mos|do)
    ya no (?:somos|estamos)|se fue de casa|on a rompu|on s'est separes|plus ensemble|terminamos|ci siamo lasciati|mi sono lasciat[oa] con|termine con|rompi con|rompimos|terminei com|uit elkaar)\b|分手|別れ`,
      'u',
    ),
  ],
  // Single foods are handled with the endings of things: "I don't eat fish anymore".
  [
    regex(
      String.raw`\b(?:{vegetarian}|vegetari(?:er(?:in)?|sch|en(?:ne)?|an[oa])|vegan(?:er(?:in)?|e|[oa])|plant-based|don'?t eat (?:meat|fish))\b|素食|菜食`,
      'u',
    ),
    regex(
      String.raw`\b(?:(?:not|no longer) (?:an? )?(?:{vegetarian})|eat(?:s|ing)? (?:\w+ )?(?:meat|fish|everything) again
    (?:esse|isst) wieder (?:fleisch|fisch)|(?:nicht mehr|kein\w* \w* ?mehr) (?:vegetari\w+|vegan\w*)|mange (?:a|de) nouveau (?:de la viande|du poisson)
    (?:vuelvo|volvi) a comer (?:carne|pescado)|ya no soy (?:vegetarian\w|vegan\w)|(?:mangio|mangia) di nuovo (?:carne|pesce)|voltei a comer (?:carne|peixe)|(?:an? )?(?:{vegetarian}) now)\b`,
      'u',
    ),
  ],
  [/\b(?:sober|don'?t drink(?: alcohol)?$)/u, /\b(?:drinking again|no longer sober)\b/u],
  [
    /\b(?:study|studying|studies|student|at uni|university|degree|major(?:ing)? in)\b|学/u,
    /\b(?:dropped out|graduated|switched (?:majors?|courses?)|changed (?:majors?|courses?)|finished (?:my|the|his|her) (?:degree|studies))\b/u,
  ],
  // Marriage and children.
  [
    /\b(?:single|engaged|fiancee?|(?:our|the|my) wedding|wedding'?s|getting married|verlobt|prometid[oa]|solter[oa])\b|未婚|女朋友|男朋友|单身/u,
    regex(
      String.raw`\b(?:(?:got|just|we|are|we're|i'm) married(?! to)|tied the knot|eloped|been (?:{title}|married)|wedding was
    honeymoon was|(?:husband|wife) now|said (?:yes|i do) at|nos casamos|haben geheiratet|on s'est maries)\b|领证|结婚了`,
      'u',
    ),
  ],
  [
    /\b(?:no (?:kids|children)|childless|pregnant|expecting|(?:baby|due) (?:is )?(?:due )?in|schwanger|embarazada|enceinte)\b/u,
    /\b(?:(?<!\b(?:i|we) )(?:was|were) born|gave birth|had the baby|(?:baby|he|she) (?:arrived|is here|'s here)|became parents)\b/u,
  ],
  [
    /\beats? (?:meat|fish|chicken|pork|beef|everything)\b/u,
    regex(
      String.raw`\b(?:(?:fully|gone|went|now|turned|became|been) (?:an? )?(?:{vegetarian})|(?:{vegetarian}) (?:now|since))\b`,
      'u',
    ),
  ],
  // Titles, but not employers.
  [
    /\b(?:i'?m|i am|i work as|is|works as) (?:an? |the )(?:\p{L}+ ){0,2}\p{L}{3,}(?! (?:old|years))/u,
    PROMOTION,
  ],
  // Absences and injuries.
  [
    /\b(?:deployed|stationed|posted (?:to|in)|working away|on tour|abroad|in (?:the )?hospital)\b/u,
    /\b(?:(?:home|back) for good|(?:is|'s|came|moved|got) (?:back )?home|out of (?:the )?hospital|discharged)\b/u,
  ],
  [
    /\b(?:crutches|broken|in a cast|sling|fractur\w+|sprain\w*)\b/u,
    /\b(?:cast(?:'s| is| came| comes)? off|off (?:the )?crutches|crutches (?:back|gone|returned)|out of (?:the )?(?:cast|boot|sling))\b/u,
  ],
  [
    /\b(?:nursery|kindergarten|preschool|daycare|kita|playgroup)\b/u,
    /\b(?:first (?:day|week) (?:at|of) (?:big |primary )?school|started (?:primary )?school|starts school)\b/u,
  ],
];

/** Matches claims that something named in the clause has ended. */
export const ENDING: RegExp = regex(
  String.raw`\b(?:any ?more|no longer|used to|quit|quitting|gave up|given up|got rid of|cancel+ed|called off
    fell through|sold|broke up|divorced|separated|stopped|dropped|passed away|died|is over|it's over
    closed down|shut down|gone|deferred|postponed|nicht mehr|aufgehort|gekundigt|verkauft|getrennt|ya no
    deje|vendi|renuncie|corte con|ne plus|plus de|arrete|quitte|vendu|nao mais|larguei|parei)\b|\bno more\b
    \b(?:left|leaving) (?:the|my|our|\p{L}+ (?:in|last|on|for))\b|不再|辞|卖了|やめ|もう.{0,40}ない|別れ`,
  'u',
);
/**
 * Words by which a clause in Spanish, Portuguese, Italian, Dutch, Chinese or Japanese tells of an end or a change, though not
 * of what. They end no claim; but what may be over because of them is no line of a profile.
 */
export const CHANGE_ELSEWHERE: RegExp = regex(
  String.raw`\b(?:se acab(?:o|aron)|acabou|(?:he|hemos) (?:dejado|vendido|cambiado)|dejamos|termin(?:e|amos|ei)|rompimos|nos separamos|me separe|me (?:echaron|despidieron|sali)|cancel(?:e|amos|aron|ado|ada|ei)|cerr(?:o|aron)|cambi(?:e|o|amos|aron|ado)|en lugar de|mudamos|troquei|deixei|sai d[aeo]|em vez
    adesso|invece|cambiat[oa]|(?:ho|abbiamo) (?:lasciato|smesso|venduto|chiuso|cambiato)|mi sono lasciat[oa]|rimandat[oa]|annullat[oa]|non .{1,30} piu|(?:niet|geen .{1,20}) meer|gestopt|verkocht|opgezegd|uit elkaar|verzet|in plaats van|inmiddels)\b
    不[去做跑干上][\p{Script=Han}]{0,3}了|[离離][职職婚]|分手|取消|退[了出]|改[成到]|[换換]|搬走|[现現]在|手放|退職|離婚|中止|延期|変更|キャンセル`,
  'u',
);
export const RETRACTION: RegExp = regex(
  String.raw`\b(?:scratch that|(?:forget|ignore|never ?mind) (?:that|what i said)|correction
    i was wrong|i lied|(?:i was |just )?(?:kidding|joking)|i meant|my mistake|not true|vergiss das|olvidalo
    oublie|esquece)\b|当我没说|間違え`,
  'u',
);
export const REPLACEMENT: RegExp = regex(
  String.raw`\b(?:now|instead|actually|new(?! (?:record|pb|personal best|high|low)\b)|changed?|changing|switch(?:ed|ing)?|moved? to|replaced|rather than|raised
    lowered|from now on|no longer|turns out|back to|again|became|promoted|jetzt|stattdessen|neue[rns]?|ahora
    en vez|nuev[ao]|maintenant|nouve\w+|agora|nov[ao])\b|^no\b|现在|换|改|今は|変わ`,
  'u',
);
