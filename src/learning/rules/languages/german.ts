import type { LanguageRules } from './language-rules.ts';

export const GERMAN: LanguageRules = {
  subjects: 'ich|wir',
  conjunctions: 'und',
  opening: String.raw`(?:(?:also|und|aber|ja|nein|nee|ach|hallo|hi|hey|moin|servus|guten (?:morgen|tag|abend)|übrigens|jedenfalls
    zur info|nur zur info|ach ja|kurze info|wie gesagt|zu mir|bei mir|privat|beruflich|tagsüber|inzwischen|mittlerweile|dass)[\s,:!.]+)+`,
  fillers: String.raw`übrigens|eigentlich|auch|ja|halt|eben|doch|leider|zum glück|gerade|jetzt|inzwischen|mittlerweile|schon|immer noch
    noch|selbst|nämlich|einfach|sehr|total|wirklich|echt|besonders|zurzeit|derzeit|momentan|im moment|hier|alleine?|endlich|ursprünglich
    hauptberuflich|beruflich|von beruf|in vollzeit|in teilzeit|überhaupt|gar|absolut|bekanntlich|hauptsächlich
    seit (?:{monthElsewhere}|kurzem|langem|immer|jeher|gestern|heute|(?:letzte[rmn]?|diese[rmn]?|ein(?:em|er)|anderthalb|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|\d+|ein paar|einigen|vielen) \p{L}+|(?:anfang |ende |mitte )?(?:\p{Lu}\p{L}+ )?\d{4}|\d{4})
    (?:vor|in) (?:ein(?:em|er)|zwei|drei|vier|fünf|sechs|\d+|ein paar|einigen) (?:tagen?|wochen?|monate?n?|jahre?n?)
    (?:letzte|diese|vergangene)[nrsm]? (?:woche|monat|jahr|sommer|winter|herbst|frühling|wochenende|samstag|sonntag|montag|dienstag|mittwoch|donnerstag|freitag)
    am (?:letzten |vergangenen )?(?:wochenende|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)
    am \d{1,2}\. (?:{monthElsewhere})
    (?:gestern|heute|neulich|kürzlich)(?: abend| früh| morgen)?`,
  isInverted: true,
  own: 'mein|meine|meiner|meinem|meinen|unser|unsere|unserer|unserem|unseren',
  hasCapitalNouns: true,
  kin: {
    sister: '(?:zwillings|halb|stief)?schwester',
    brother: '(?:zwillings|halb|stief)?bruder',
    mother: 'mutter|mama',
    father: 'vater|papa',
    daughter: 'tochter',
    son: 'sohn',
    wife: 'frau|ehefrau',
    husband: 'mann|ehemann',
    girlfriend: 'freundin|verlobte',
    boyfriend: 'verlobter',
    partner: 'partner|partnerin',
    grandmother: 'oma|großmutter',
    grandfather: 'opa|großvater',
    aunt: 'tante',
    uncle: 'onkel',
    cousin: 'cousin|cousine',
    niece: 'nichte',
    nephew: 'neffe',
    grandson: 'enkel',
    granddaughter: 'enkelin',
    boss: 'chef|chefin',
    colleague: 'kollege|kollegin',
    neighbor: 'nachbar|nachbarin',
    roommate: 'mitbewohner|mitbewohnerin',
    friend: 'kumpel',
    dog: 'hund|hündin|dackel|welpe|pudel|labrador|schäferhund|terrier|mops|beagle',
    cat: 'katze|kater',
    rabbit: 'kaninchen|hase',
    horse: 'pferd|pony|stute',
    hamster: 'hamster',
    parrot: 'papagei|wellensittich',
    tortoise: 'schildkröte',
  },
  noPlaces: String.raw`hause|feierabend|plan|versehen|spaß|neugier|langeweile|liebe|prinzip|überzeugung|notwehr|wut|trotz|laune|vorschrift|gefühl|jugend|kindheit|miete|untermiete|wg|angst|armut|frieden|rente|eile|sorge|not|urlaub|elternzeit|teilzeit|vollzeit|ehe|sünde|elternhaus
    \p{L}*(?:ung|heit|keit|schaft|tät|ion|zeit|nis|gründen|miete|haus|wohnung)`,
  noNames: String.raw`montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|geburtstag|{monthElsewhere}|anfang|ende|mitte`,
  jobs: String.raw`\p{L}*(?:lehrer|pfleger|schwester|verkäufer|ingenieur|entwickler|programmierer|berater|leiter|fahrer|bäcker|koch|köch|schreiner|tischler|elektriker|mechaniker|maler|gärtner|friseur|kellner|erzieher|trainer|händler|makler|techniker|informatiker|physiker|chemiker|biologe|psychologe|therapeut|arzt|ärzt|anwalt|anwält|richter|notar|journalist|autor|musiker|schauspieler|künstler|designer|architekt|polizist|soldat|pilot|landwirt|bauer|metzger|fleischer|schneider|optiker|apotheker|hebamme|förster|imker|übersetzer|dolmetscher|bibliothekar|sekretär|buchhalter|steuerberater|student|schüler|rentner|freiberufler|hausmeister|krankenpfleger|altenpfleger|sanitäter|feuerwehrmann|floristi?|grafiker|redakteur|forscher|dozent|professor|doktorand|azubi|praktikant|beamter|beamtin|bankkaufmann|kauffrau|kaufmann|winzer)(?:in|e|frau)?`,
  relatives: 'die|der|das|den|dem|deren|dessen|wo|wie|wenn|dass|falls|sofern',
  bans: String.raw`letzter?|erster?|einziger?|nächste[rs]?|du|er|man|ich|wir|ihr|immer|oft|manchmal|selten|dass|weil|wenn|wie|was|wo|zu|es|dich|dir|mich|mir|diese[rsmn]?|den|dem|das|der|die|ein|eine[rnm]?|mein\w*|dein\w*|sein\w*|ihr\w*|nicht|kein\w*|mehr|nie|aber|als|so|ihn|sie|euch|uns|niemand\w*|jemand\w*|alles|nichts|hier`,
  lists: 'und|oder|noch|sowie',
  articles: '',
  prepositions:
    'in|im|ins|bei|beim|an|am|auf|für|mit|zu|zur|zum|nach|seit|von|vom|aus|über|unter|ohne|außer|gegen',
  titles: String.raw`frau|herrn?|dr\.`,
  table: String.raw`
(?:ich|wir) (?:wohnen?|leben?) in {place} => lives in {place}
ich bin nach {place} (?:um)?gezogen => lives in {place}
wir sind nach {place} (?:um)?gezogen => lives in {place}
ich bin von {from} nach {place} (?:um)?gezogen => lives in {place}
wir sind von {from} nach {place} (?:um)?gezogen => lives in {place}
ich ziehe nach {place}(?: um)? => is moving to {place}
wir ziehen nach {place}(?: um)? => is moving to {place}
ich komme aus {place} => is from {place}
ich stamme aus {place} => is from {place}
ich bin aus {place} => is from {place}
ich bin in {place} geboren => was born in {place}
ich wurde in {place} geboren => was born in {place}
ich bin in {place} aufgewachsen => grew up in {place}
ich bin in {place} geboren und aufgewachsen => was born in {place}
ich arbeite als {work} => works as {work}
ich arbeite als {work} (?:in|im|bei|beim|an|am|auf|für) .{2,60} => works as {work}
ich arbeite bei {org} => works at {org}
ich arbeite bei (?:der|dem) {org} => works at {org}
ich arbeite für {org} => works at {org}
ich bin {job} => is a {job}
ich bin {job} (?:in|im|bei|beim|an|am|auf|für) .{2,60} => is a {job}
ich unterrichte {subject} => teaches {subject}
ich unterrichte {subject} (?:in|im|an|am) .{2,60} => teaches {subject}
ich studiere {degree} => studies {degree}
ich studiere {degree} (?:in|im|an) .{2,60} => studies {degree}
ich mache eine ausbildung (?:zum|zur|als) {work} => is training to be {work}
ich lerne {subject} => is learning {subject}
ich spreche {language} => speaks {language}
ich spiele {subject} => plays {subject}
ich spiele {subject} (?:in|im|bei|beim|an|am|auf|mit) .{2,60} => plays {subject}
meine? {kin} heißt {name} => has {kin} {name}
unsere? {kin} heißt {name} => has {kin} {name}
{name} ist (?:meine?|unsere?) {kin} => has {kin} {name}
(?:ich habe|wir haben) eine?n? {kin} namens {name} => has {kin} {name}
(?:ich habe|wir haben) {count} => has {count}
ich bin mit {name} verheiratet => is married to {name}
ich bin verheiratet mit {name} => is married to {name}
ich bin {state} => is {state}
wir (?:fahren|fliegen|reisen) nach {place} => is going to {place}
ich (?:fahre|fliege|reise) nach {place} => is going to {place}
ich bin {status} => has marital status {status}
ich bin (?:stark |schwer |hochgradig )?allergisch (?:gegen|auf) {things} => is allergic to {things}
ich bin (?:gegen|auf) {things} allergisch => is allergic to {things}
ich habe eine {allergy} => has {allergy}
ich vertrage keine?n? {things} => cannot tolerate {things}
ich vertrage {things} nicht => cannot tolerate {things}
ich (?:esse|trinke|mag|höre) (?:sehr |am )?(?:gerne?|liebsten) {things} => likes {things}
ich (?:esse|trinke) {things} nicht gerne? => does not like {things}
ich esse keine?n? {things} => does not eat {things}
ich esse {things} nicht => does not eat {things}
ich trinke keine?n? {things} => does not drink {things}
ich trinke {things} nicht => does not drink {things}
ich bin {diet} => is {diet}
ich (?:esse|lebe|koche) {diet} => is {diet}
ich ernähre mich {diet} => is {diet}
ich habe {condition} => has {condition}
ich habe {condition} (?:in|im|auf|am|an) .{2,40} => has {condition}
ich leide (?:an|unter) {condition} => has {condition}
ich mag {things} => likes {things}
ich liebe {things} => loves {things}
ich hasse {things} => hates {things}
ich mag keine?n? {things} => does not like {things}
ich mag {things} nicht => does not like {things}
ich heiße {name} => is named {name}
mein name ist {name} => is named {name}
ich bin {age}(?: jahre(?: alt)?)? => has age {age}
{person} (?:wohnt|lebt) in {place} => lives in {place}
{person} ist nach {place} (?:um)?gezogen => lives in {place}
{person} arbeitet als {work} => works as {work}
{person} arbeitet als {work} (?:in|im|bei|beim|an|am|auf|für) .{2,60} => works as {work}
{person} arbeitet bei (?:der |dem )?{org} => works at {org}
{person} ist {job} => is a {job}
{person} studiert {degree} => studies {degree}
{person} studiert {degree} (?:in|im|an) .{2,60} => studies {degree}
{person} spielt {subject} => plays {subject}
{person} ist (?:stark |schwer )?allergisch (?:gegen|auf) {things} => is allergic to {things}
{person} ist (?:gegen|auf) {things} allergisch => is allergic to {things}
{person} isst kein(?:e|en)? {things} => does not eat {things}
{person} ist {diet} => is {diet}
{person} (?:isst|lebt) {diet} => is {diet}
{person} hat {condition} => has {condition}
{person} ist {age}(?: jahre(?: alt)?)? => has age {age}
{person} hat am {date} geburtstag => has birthday {date}
ich habe am {date} geburtstag => has birthday {date}
mein geburtstag ist (?:am |der ){date} => has birthday {date}
ich bin am {date} geboren => was born on {date}
ich bin am {date} in {place} geboren => was born on {date}; was born in {place}
`,
  words: {
    degree: String.raw`\p{L}*(?:ik|ie|logie|wissenschaft(?:en)?|wesen|technik|bau|medizin|kunst|pädagogik)|jura|bwl|vwl|mathe|sport|lehramt|geschichte|architektur|musik|design|chemie|recht|\p{L}*recht`,
    language: String.raw`\p{L}+isch|deutsch`,
    status: 'verheiratet|ledig|single|geschieden|verwitwet|verlobt',
    state:
      'in rente|in pension|pensioniert|rentner(?:in)?|schwanger|arbeitslos|selbstständig|selbständig|freiberuflich|in elternzeit',
    diet: String.raw`(?:rein |strikt |streng )?(?:vegan|vegetarisch|pescetarisch|glutenfrei|laktosefrei|halal|koscher)|veganer(?:in)?|vegetarier(?:in)?|pescetarier(?:in)?|laktoseintolerant`,
    condition: String.raw`(?:typ[- ][12][- ]?)?diabetes(?: typ [12])?|asthma|zöliakie|migräne|epilepsie|adhs|bluthochdruck|rheuma|arthrose|neurodermitis|heuschnupfen|tinnitus|ms|multiple sklerose|depressionen|höhenangst|flugangst|rückenschmerzen`,
    allergy: String.raw`\p{L}+allergie|\p{L}+(?:intoleranz|unverträglichkeit)`,
    count: String.raw`(?:zwei|drei|vier|fünf|sechs|[2-9]) (?:kinder|töchter|söhne|brüder|schwestern|geschwister|enkel|enkelkinder|hunde|katzen|pferde|hühner|kaninchen)`,
  },
};
