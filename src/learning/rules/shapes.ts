import { rowsOf } from '../../language/words/lexicon.ts';
import { regex } from '../../language/words/lists.ts';

/** A shape of a clause, and the facts that such a clause states. */
export interface Shape {
  readonly pattern: RegExp;
  /** Names of the slots in `pattern`: see `slots.ts`. */
  readonly slots: readonly string[];
  /**
   * Predicate and slot of each fact. `{verb}` in a predicate is replaced by the verb of the clause in the third
   * person.
   */
  readonly facts: readonly (readonly [predicate: string, slot: string])[];
  /** Whether it matches only clauses about the user, because it means something else about others or things. */
  readonly isUsers: boolean;
  /** Whether it is about a date, so that expressions of time are not removed from the clause before it is tried. */
  readonly isDated: boolean;
  /** Whether its negation is worth keeping: `does not eat meat` is, `did not buy a car` is not. */
  readonly isDeniable: boolean;
  /** Whether it matches only if nothing in the clause says that this is temporary. */
  readonly isLasting: boolean;
  /** Whether it matches only negations, so that its facts are already written as such. */
  readonly isDenied: boolean;
  /** Whether its facts are over when it is said. */
  readonly isOver: boolean;
}

/**
 * One shape per line: the words after the subject, with the verb in its base form (`be`, `have`, `live`), without
 * adverbs, negation and time. A slot in braces matches words of its kind. The whole clause must match.
 *
 * After the first arrow: the facts, as predicate and slot. After the second: flags. `u` matches clauses about the
 * user only, `n` means that the negation is worth keeping, `l` does not match what is temporary, `d` matches negations only,
 * `o` marks what is over.
 */
const TABLE = String.raw`
# Home and origin.
(?:live|reside|be living|be residing|be settled) (?:alone |together |happily |permanently )?in {place} => lives in {place} => n
(?:live|be living) (?:on (?:my|our|his|her|their) own|{where}) in {place} => lives in {place}
live on {floor} => lives on {floor}
(?:live|be living) (?:in|on) {dwelling} => lives in {dwelling}
rent (?:an? (?:room|flat|house|apartment|place) )?in {place} => lives in {place}
(?:live|be living) at {address} => lives at {address}
(?:live|be living) with (?:my |our |his |her |their )?{company} => lives with {company}
(?:live|reside|be living|be) (?:just )?(?<at>near|outside) {place} => lives {at} {place}
(?:live|be living) in {home} (?:in|near|outside) {place} => lives in {place}
(?:was )?born and raised in {place} => was born in {place}
(?:be )?based in {place} => lives in {place} => un
(?:be )?(?:based|located|situated|headquartered) in {place} => is based in {place} => n
(?:moved|relocated) (?:back |over |away |down |up |out )?(?:here )?(?:from {from} )?to {city} => lives in {city}
(?:moved|relocated) (?:back )?to {city} from {from} => lives in {city}
moved in {spot} => lives in {spot}
came (?:here )?from {from} to {place} => lives in {place}; is from {from}
moved (?:in|into|to|in to) {home} (?:in|near|outside) {place} => lives in {place}
(?:rent|be renting|share|got|found) {home} (?:in|near|outside) {place} => lives in {place}
moved (?:here |over |back )?from {from} => moved from {from} => u
be (?:moving|relocating) (?:back |over )?(?:from {from} )?to {place} => is moving to {place}
(?:be|come) (?:originally )?from {place} => is from {place} => n
be in {city} => is based in {city} => ul
(?:was )?born in {place} => was born in {place}
was born on {date} => was born on {date}
was born in {year} => was born in {year}
was born on {date} in {place} => was born on {date}; was born in {place}
(?:grew up|was raised) (?:(?:on|in) an? \S+ )?in {place} => grew up in {place}
be from {home} (?:in|near|outside) {place} => is from {place}
# Work and study.
(?:work|be working|be employed|started|start|got hired) (?:at|for|by) {org} => works at {org} => n
(?:work|be working) (?:at|for) {workplace} => works at {workplace} => n
(?:work|be working) (?:at|for) {org} as {job} => works at {org}
(?:work|be working) (?:at|for) {org} in {place} => works at {org}; is based in {place}
(?:do|be doing) {trade} => does {trade}
(?:do|be doing) {tastes} for (?:a living|work) => does {tastes}
(?<verb>drive|fly|freelance|consult|translate|write) for {org} => {verb} for {org}
teach {things} in {spot} => teaches {things}; is based in {spot}
teach {things} (?:at|in) {org} => teaches {things}; works at {org}
(?:got|have|found|accepted|landed|started) a (?:new )?(?:job|position|internship|role) (?:at|with) {org} => works at {org}
(?:work|be working) as {job} => works as {job} => n
(?:work|be working) as {job} (?:at|for) {org} => works as {job}; works at {org}
(?:work|be working) as {job} (?:at|for|with) {org} in {place} => works as {job}; works at {org}; is based in {place}
(?:work|be working) as {job} in {place} => works as {job}; is based in {place}
(?:work|be working) in {field} => works in {field} => n
(?:work|be working) in {org} => works in {org}
(?:got|was|be) (?:elected|appointed|made|promoted to) {job} => is a {job}
(?:got|was|be) promoted to {rank} => is a {rank}
be (?<doing>training|studying) (?:to be|to become|as) {job} => is {doing} to be {job}
be in my \S+ year of {degree} => studies {degree}
(?:work|be working|be on|do|be doing) {shift} => works {shift}
be {job} on {shift} => is a {job}; works {shift}
(?:work|be working) {shift} (?:at|for|in) {org} => works {shift}; works at {org}
be (?:a |the )?(?<how>retired|former) {job} => is a {how} {job}
be (?:a |the )?(?<how>retired|former) {job} (?:from|in) {place} => is a {how} {job}; is from {place}
be {student} (?:at|in) {school} => is a {student}; studies at {school}
(?:be|became) {job} => is a {job} => n
be {job} (?:at|with) {org} => is a {job}; works at {org}
be {job} (?:at|with|for) {org} in {place} => is a {job}; works at {org}; is based in {place}
be {job} of {body} => is a {job}
be the (?:only|sole) {job} => is a {job} => u
be an? {nation} (?:citizen|national) => has nationality {nation} => n
be in {grade} => studies in {grade}
be in {grade} in {spot} => studies in {grade}; is based in {spot}
be in {field} => works in {field} => u
be (?:her|his|their|its) {job} => is a {job} => u
be {job} (?:for) {employer} => is a {job}; works at {employer}
be (?:(?:her|his|their|its) )?{job} ?,? in {place} => is a {job}; is based in {place}
be {job} from {place} => is a {job}; is from {place}
was {job} => was a {job}
(?<verb>run|own|have|opened) (?:my own |our own |my |our )?{business} => {verb} {business} => u
(?<verb>run|own|have) {business} in {place} => {verb} {business}; is based in {place} => u
(?<verb>charge|earn|make) {price} => {verb} {price} => u
(?:have )?joined {club} => joined {club}
be (?:an? )?(?:member|part) of {club} => is a member of {club}
be (?:in|on) (?:a|an|my|our) {club} => is in {club}
be on the {board} => is on {board}
(?<verb>run|own) {business} => {verb} {business}
(?:work|be working) on {project} => is working on {project}
be (?<doing>building|writing|making|renovating|restoring|developing|planning|organi[sz]ing) {plan} => is {doing} {plan} => u
be (?<doing>selling|growing|brewing|keeping|breeding) {goods} => is {doing} {goods} => u
(?:study|be studying|major in|be majoring in) {degree} => studies {degree} => n
(?:be doing|do) {degree} => studies {degree}
(?:be doing|do) (?:my |an? )?{studies} (?:on \S+ (?:\S+ )?)?(?:at|in) {spot} => is based in {spot}
(?:be doing|do|have|be studying for) (?:my |an? )?(?:phd|doctorate|master'?s?|mba|ba|bsc|msc|ma|degree|bachelor'?s?)(?: degree)? in {tastes} => studies {tastes}
(?:be trying|try|want|started|be starting) to learn {tastes} => is learning {tastes}
(?:study|be studying|go) (?:at|to) {school} => studies at {school}
(?:study|be studying) at {name} => studies at {name}
(?:volunteer|be volunteering) (?:at|with|for|in) {workplace} => volunteers at {workplace}
be (?<how>licensed|certified|registered|qualified) in {place} => is {how} in {place}
left {org} => left {org} => u
(?:quit|left|resigned from) (?:my|the) (?:\S+ )?(?:job|post|position) (?:at|with|in) {workplace} => works at {workplace} => uo
hired {kin} (?:called|named) {names} => hired {names} => u
(?:learn|be learning|started learning) (?:to speak )?{tastes} => is learning {tastes}
be learning (?:how )?to {deed} => is learning to {deed} => u
retired in {year} => retired in {year}
retired from {tastes} => retired from {tastes}
be retiring in {when} => is retiring in {when}
got (?:in|into|accepted (?:to|into|at|by)) {name} => got into {name}
was accepted (?:to|into|at|by) {name} => got into {name}
(?<past>passed) (?:my|the|his|her|their) {exam} => {past} {exam}
(?<past>got|won|took) {award} => won {award}
be (?<doing>training|preparing|studying|practicing|saving)(?: up)? for {goal} => is {doing} for {goal}
(?:signed up|registered|enrolled) (?:for|in|on|to) {things} => signed up for {things}
(?:take|be taking|started|be doing) {lessons} => takes {lessons}
(?:go|be going|started going) to {routine} => goes to {routine} => n
attend {routine} => attends {routine} => n
started {routine} => started {routine}
started {studying} => started {studying}
be (?:looking|searching|hunting) for {wanted} => is looking for {wanted}
be (?:planning|hoping|aiming) to {deed} => plans to {deed}
decided to {aim} => plans to {aim} => u
be (?<doing>flying|travel+ing|going|heading|driving|moving) to {spot} => is {doing} to {spot}
be (?:off|away) to {spot} => is going to {spot}
be visiting {spot} => is visiting {spot}
(?:be planning|booked|be going on) (?:an? |my |our )?(?:trip|holiday|vacation|honeymoon|tour|cruise) (?:in|to) {spot} => is going to {spot}
be spending (?:\S+ )?(?:weeks?|days|months?|summer|winter|christmas|easter) (?:in|at) {spot} => is going to {spot}
be starting {studying} => is starting {studying}
applied (?:to|at) {name} => applied to {name} => u
applied (?:to|for) {studying} (?:at|in) {name} => applied to {name} => u
(?<past>switched|migrated|converted) (?:over |back )?(?:from \S+ )?to {tastes} => {past} to {tastes} => u
(?<past>quit|gave up|dropped|given up) {gerund} => {past} {gerund} => u
stopped {vice} => stopped {vice} => u
hired {name} => hired {name} => u
# What somebody does.
(?<verb>play|speak|teach|tutor|coach|collect|practice|translate|breed|edit|sing|brew|knit|sew|repair|direct|restore|tune|foster) {things} => {verb} {things} => n
(?<verb>sing|play) in {club} => {verb} in {club}
be (?<doing>playing|teaching|tutoring|coaching|collecting|translating|editing|singing|repairing|fostering) {things} => is {doing} {things} => ul
run {races} => runs {races} => n
support {name} => supports {name} => u
(?<verb>drive|ride|own) {things} => {verb} {things} => n
(?<verb>make|build|sell|grow|design|write|paint|bake) {goods} => {verb} {goods} => un
keep {livestock} => keeps {livestock}
# Family, friends and pets.
be (?:happily )?(?<how>married|engaged) to {name} => is {how} to {name} => n
(?:married|got married to) {name} => is married to {name}
be marrying (?:an? (?:\S+ )+?(?:called|named) )?{name} => is marrying {name}
got engaged to {name} => is engaged to {name}
be (?:dating|seeing) {name} => is dating {name} => n
met {name} => met {name}
(?:have|got|adopted|rescued|own) {kin} (?:called|named|whose name is) {names} => has {kin} {names}
(?:have|got|adopted) {kin} (?:called|named) {names} and {having} => has {kin} {names}; has {having}
(?:have|got|adopted|rescued) {kin} ?, {names} => has {kin} {names}
(?:have|got|adopted) {kin} {names} => has {kin} {names} => u
(?:have|got|adopted|rescued|bought|own) {having} => has {having} => n
be (?:expecting|having) {baby} => is expecting {baby}
be (?<weeks>\w+) (?:weeks|months) {pregnant} => is {pregnant}
be due (?:on|in) {when} => is due on {when}
# Body and food.
(?:be )?(?:(?:severely|deathly|badly|mildly|very|super|highly) )?(?<how>allergic|intolerant|sensitive) to {things} => is {how} to {things} => n
(?:have|suffer from|live with|got|developed) {condition} => has {condition} => n
had {surgery} => had {surgery} => u
had (?:my|his|her) {part} (?:replaced|removed|operated on) => had surgery on {part}
(?:got|became|went|turned) {state} => is {state}
react (?:badly )?to {things} => is sensitive to {things}
(?:gave up|have given up|quit|stopped|cut out|be off|stopped eating|stopped drinking) {food} => avoids {food}
be eating {food} => eats {food} => n
died in {year} => died in {year}
passed away in {year} => died in {year}
(?<past>broke|tore|sprained|fractured|injured|dislocated) my {part}(?: \S+ing)? => {past} {part} => u
(?<verb>do|go) {sport} => {verb} {sport} => u
be doing {gerund} => does {gerund} => u
(?:was|be|got|have been) (?:recently )?diagnosed with {condition} => was diagnosed with {condition}
(?:take|be taking|be on|started|was put on|got put on) {medicine} => takes {medicine} => n
(?<verb>eat|drink|smoke|wear|use|celebrate|observe) {things} => {verb} {things} => n
can not (?<verb>eat|drink|have|tolerate|digest|stand|bear|drive|play|use) {things} => cannot {base} {things} => l
can not {skill} => cannot {skill} => l
avoid {things} => avoids {things} => n
(?:do|touch) {food} => eats {food} => n
do {tastes} => does not do {tastes} => ud
{habit} => does not {habit} => dl
can not do {food} => cannot eat {food}
keep {diet} => keeps {diet}
(?:be using|use|be on|run|be running|code in|program in) {technology} => uses {technology} => un
be {status} => has marital status {status} => l
be {status} with {having} => has marital status {status}; has {having}
have {lacked} => does not have {lacked} => ud
be (?<how>deaf|blind) in {ear} => is {how} in {ear}
be {food} intolerant => is intolerant to {food} => n
be {state} => is {state} => nl
be {number} (?:years|yrs|yo|y/o)(?: old)? => has age {number}
be {age} => has age {age} => u
age {age} => has age {age} => u
be {kilos} => has weight {kilos}
turned {age} => has age {age} => u
weigh {measure} => has weight {measure}
be {measure} tall => has height {measure}
# What is on a date.
(?:have|be having|be getting) {event} (?:on|in|at) {when} => has {event} on {when}
be (?:getting|be getting) married (?:on|in) {when} => is getting married in {when}
(?:got|was|be) married (?:on|in) {when} => got married in {when}
# Likes.
(?<verb>like|love|hate|enjoy|prefer|dislike|adore|despise|detest) {tastes} => {verb} {tastes} => n
(?<verb>like|love|hate|enjoy|prefer) to {deed} => {verb} to {deed} => n
prefer {tastes} (?:to|over) {others} => prefers {tastes}
be (?:really |so |very |totally )?(?:into|keen on|obsessed with|crazy about|fond of|(?:a )?(?:big |huge )?fan of) {tastes} => likes {tastes} => n
be (?:really |so |very )?(?<how>afraid|scared|terrified|proud|fond) of {things} => is {how} of {things} => n
be (?<how>bad|good|great|terrible) at {tastes} => is {how} at {tastes}
be (?<how>interested|fluent) in {things} => is {how} in {things} => n
# Who somebody is.
be (?:called|named|known as) {name} => is named {name} => n
be {self} => is named {self} => ul
be {self} from {place} => is named {self}; is from {place} => u
be {self} (?:of|at|with) {org} => is named {self}; works at {org} => u
go by {self} => is named {self} => u
be one of {group} => is one of {group} => n
be the (?<role>capital|ceo|president|prime minister|mayor|founder|author|director) of {owner} => @{role} {owner}
(?<verb>directed|wrote|founded|invented|composed|painted|created|designed|discovered|produced|built) {works} => {verb} {works}
`;

/** Properties of somebody or something: `my birthday is on May 5th`. */
export const PROPERTIES: RegExp = regex(
  String.raw`^(?:(?:current |new |full |first |last )?(?:name|age|birthday|job title|profession|occupation|address
    email|height|weight|budget|nationality|hometown|diet|native language|first language|mother tongue|blood type|religion|pronouns|major
    car|bike|phone|laptop|camera|timezone|time zone|wedding date|due date|anniversary)
    favorite (?!part|thing|one|bit)\p{L}+(?: \p{L}+)?)$`,
  'u',
);

/** Events that have a date: `my exam is on 12 May`. */
export const EVENTS: RegExp =
  /^(?:\p{L}+ )?(?:wedding|exam|test|appointment|surgery|operation|flight|interview|trip|party|graduation|viva|defen[cs]e|presentation|audition|race|deadline|scan|recital|concert|hearing|marathon|tournament|consult|due date)$/u;

export const SHAPES: readonly Shape[] = rowsOf(TABLE).map(([words = '', facts = '', marks = '']) => ({
  pattern: new RegExp(`^${words.replaceAll(/\{(\w+)\}/gu, '(?<$1>.+?)')}$`, 'diu'),
  slots: Array.from(words.matchAll(/\{(\w+)\}/gu), ([, slot = '']) => slot),
  facts: facts.split('; ').map((each): [string, string] => {
    const at = each.lastIndexOf(' {');
    return [each.slice(0, at), each.slice(at + 2, -1)];
  }),
  isUsers: marks.includes('u'),
  isDated: /\{(?:date|year|when)\}/u.test(words),
  isDeniable: marks.includes('n'),
  isLasting: marks.includes('l'),
  isDenied: marks.includes('d'),
  isOver: marks.includes('o'),
}));
