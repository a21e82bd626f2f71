import type { LanguageRules } from './language-rules.ts';

export const ITALIAN: LanguageRules = {
  subjects: 'io|noi',
  conjunctions: 'e|ed',
  opening: String.raw`(?:(?:e|allora|dunque|sì|ciao|salve|buongiorno|buonasera|comunque|tra l'altro|a proposito|inoltre|insomma|ah|che)[\s,:!.]+)+`,
  fillers: String.raw`io|anche|adesso|ora|attualmente|ancora|ormai|già|inoltre|tra l'altro|in realtà|davvero|sempre|molto|tanto|moltissimo|soprattutto|purtroppo|da sol[oa]|qui|semplicemente|finalmente|a tempo pieno|part-time|per niente|affatto|ultimamente
    da (?:poco|tempo|sempre|ieri|(?:un|una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|\d+|qualche|alcuni|molti) \p{L}+|{monthElsewhere})
    (?:un|una|due|tre|quattro|cinque|sei|\d+|qualche|pochi|alcuni) (?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa|dal \d{4}
    (?:la settimana|il mese|l'anno|lo scorso anno|l'estate) scors[oa]|quest[oa] (?:settimana|mese|anno|weekend|mattina|sera)|il \d{1,2} (?:{monthElsewhere})|ieri|oggi`,
  own: '(?:il |la |i |le )?(?:mio|mia|miei|mie|nostro|nostra|nostri|nostre)',
  kin: {
    sister: 'sorella|sorellina',
    brother: 'fratello|fratellino',
    mother: 'madre|mamma',
    father: 'padre|papà|babbo',
    daughter: 'figlia',
    son: 'figlio',
    wife: 'moglie',
    husband: 'marito',
    girlfriend: 'ragazza|fidanzata',
    boyfriend: 'ragazzo|fidanzato',
    partner: 'compagno|compagna',
    grandmother: 'nonna',
    grandfather: 'nonno',
    aunt: 'zia',
    uncle: 'zio',
    cousin: 'cugino|cugina',
    boss: 'capo|datore di lavoro',
    colleague: 'collega',
    neighbor: 'vicino|vicina',
    roommate: 'coinquilino|coinquilina',
    friend: 'amico|amica',
    dog: 'cane|cagnolino|cagnolina|cucciolo|bassotto|barboncino|labrador',
    cat: 'gatto|gatta|gattino|gattina',
    rabbit: 'coniglio',
    horse: 'cavallo|cavalla|pony',
    hamster: 'criceto',
    parrot: 'pappagallo',
    tortoise: 'tartaruga',
  },
  noPlaces: String.raw`dio|natale`,
  noNames: String.raw`lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica`,
  jobs: String.raw`infermier[ea]|medico|dottore|dottoressa|dentista|veterinari[oa]|farmacista|fisioterapista|ostetrica|insegnante|maestr[oa]|professor(?:e|essa)|avvocat[oa]|notaio|giudice|ingegnere|architett[oa]|programmat(?:ore|rice)|sviluppat(?:ore|rice)|informatic[oa]|contabile|commercialista|segretari[oa]|commess[oa]|cuoc[oa]|camerier[ea]|fornai[oa]|panettier[ea]|pasticcer[ea]|macellai[oa]|parrucchier[ea]|autista|meccanico|elettricista|idraulico|falegname|muratore|imbianchino|giardinier[ea]|agricolt(?:ore|rice)|contadin[oa]|fiorai[oa]|librai[oa]|bibliotecari[oa]|giornalista|tradutt(?:ore|rice)|interprete|scritt(?:ore|rice)|musicista|att(?:ore|rice)|fotograf[oa]|grafic[oa]|poliziott[oa]|carabiniere|pompiere|militare|soldato|pilota|student(?:e|essa)|pensionat[oa]|tirocinante|apprendista|ricercat(?:ore|rice)|dottorand[oa]|psicolog[oa]|educat(?:ore|rice)|consulente|impiegat[oa]|operai[oa]|artigian[oa]|barista|postin[oa]`,
  relatives: 'che|quando|se|dove|tranne',
  bans: String.raw`matt[oa]|pazz[oa]|mulo|molto|tanto|un|una|prima|io|noi|voi|spesso|sempre|a volte|solo|che|quando|se|come|questo|questa|questi|queste|quello|quella|quel|tu|te|ti|tuo|tua|suo|sua|mio|mia|mi|lui|lei|loro|lo|non|mai|più|niente|nulla|nessuno|chi|dove|perché|ma|così|nostr[oaie]`,
  lists: 'e|ed|o|né',
  articles: String.raw`il |lo |la |i |gli |le |l'|al |allo |alla |ai |agli |alle |all'`,
  prepositions: 'in|per|presso|con|su|sul|sulla|nel|nella|nello|nei|da|dal|dalla|senza|contro',
  titles: String.raw`signora?|signor|dottor(?:essa)?`,
  table: String.raw`
(?:abito|abitiamo|vivo|viviamo) a {place} => lives in {place}
(?:abito|abitiamo|vivo|viviamo) in {place} => lives in {place}
(?:mi sono trasferit[oa]|ci siamo trasferiti) (?:a|in) {place} => lives in {place}
(?:mi sono trasferit[oa]|ci siamo trasferiti) da {from} a {place} => lives in {place}
mi trasferisco (?:a|in) {place} => is moving to {place}
sono di {place} => is from {place}
vengo (?:da|dal|dalla) {place} => is from {place}
sono nat[oa] a {place} => was born in {place}
sono cresciut[oa] a {place} => grew up in {place}
lavoro come {work} => works as {work}
lavoro come {work} (?:in|a|al|alla|presso|per|da) .{2,60} => works as {work}
lavoro (?:per|presso) {org} => works at {org}
faccio (?:il |la |l'|lo ){job} => is a {job}
faccio (?:il |la |l'|lo ){job} (?:in|a|al|alla|presso|per|da) .{2,60} => is a {job}
sono (?:un |una |un')?{job} => is a {job}
sono (?:un |una |un')?{job} (?:in|a|al|alla|presso|per|da) .{2,60} => is a {job}
insegno {things} => teaches {things}
studio {degree} => studies {degree}
studio {degree} (?:a|all'|alla|presso) .{2,60} => studies {degree}
sto (?:imparando|studiando) {things} => is learning {things}
sto imparando a suonare {things} => is learning {things}
parlo {language} => speaks {language}
suono {instrument} => plays {instrument}
suono {instrument} (?:in|nel|nella|con) .{2,60} => plays {instrument}
gioco a {subject} => plays {subject}
(?:mia|mio|il mio|la mia|il nostro|la nostra) {kin} si chiama {name} => has {kin} {name}
{name} è (?:mia|mio|il mio|la mia|il nostro|la nostra) {kin} => has {kin} {name}
(?:ho|abbiamo) una?(?: |'){kin} (?:che si chiama|di nome|chiamat[oa]) {name} => has {kin} {name}
(?:ho|abbiamo) {count} => has {count}
sono sposat[oa] con {name} => is married to {name}
sono {state} => is {state}
(?:andiamo|partiamo per|vado|parto per) (?:in |a )?{place} => is going to {place}
sono {status} => has marital status {status}
sono (?:molto )?allergic[oa] (?:a |al |allo |alla |ai |agli |alle |all'){things} => is allergic to {things}
sono intollerante (?:a |al |allo |alla |ai |agli |alle |all'){things} => is intolerant to {things}
non (?:tollero|sopporto) {things} => cannot tolerate {things}
non mangio {things} => does not eat {things}
non bevo {things} => does not drink {things}
sono {diet} => is {diet}
mangio {diet} => is {diet}
ho {condition} => has {condition}
soffro (?:di |d'){condition} => has {condition}
mi (?:piace|piacciono) {things} => likes {things}
(?:adoro|amo) {things} => loves {things}
(?:odio|detesto) {things} => hates {things}
non mi (?:piace|piacciono) {things} => does not like {things}
mi chiamo {name} => is named {name}
il mio nome è {name} => is named {name}
{person} (?:abita|vive) (?:a|in) {place} => lives in {place}
{person} si è trasferit[oa] (?:a|in) {place} => lives in {place}
{person} lavora come {work} => works as {work}
{person} lavora come {work} (?:in|a|al|alla|presso|per|da) .{2,60} => works as {work}
{person} è (?:un |una |un')?{job} => is a {job}
{person} fa (?:il |la |l'|lo ){job} => is a {job}
{person} suona {instrument} => plays {instrument}
{person} è (?:molto )?allergic[oa] (?:a |al |allo |alla |ai |agli |alle |all'){things} => is allergic to {things}
{person} non mangia {things} => does not eat {things}
{person} è {diet} => is {diet}
{person} ha {condition} => has {condition}
{person} ha {age} anni => has age {age}
ho {age} anni => has age {age}
il mio compleanno è il {date} => has birthday {date}
compio gli anni il {date} => has birthday {date}
sono nat[oa] il {date} => was born on {date}
`,
  words: {
    instrument: String.raw`(?:il |la |lo |l'|le )?(?:pianoforte|piano|chitarra|violino|viola|violoncello|flauto|clarinetto|oboe|sassofono|sax|tromba|trombone|tuba|batteria|basso|contrabbasso|arpa|fisarmonica|organo|ukulele|percussioni)`,
    degree: String.raw`medicina|legge|giurisprudenza|economia|ingegneria(?: \p{L}+)?|architettura|lettere|storia|filosofia|matematica|fisica|chimica|biologia|psicologia|informatica|lingue|scienze(?: \p{L}+)?|musica|veterinaria|infermieristica`,
    language: String.raw`(?:l')?(?:italiano|inglese|francese|tedesco|spagnolo|portoghese|cinese|giapponese|russo|arabo|coreano|polacco|turco|greco|olandese)`,
    state: 'in pensione|pensionat[oa]|incinta|disoccupat[oa]|in maternità',
    status: 'sposat[oa]|single|divorziat[oa]|vedov[oa]|fidanzat[oa]|celibe|nubile',
    diet: 'vegetarian[oa]|vegan[oa]|pescetarian[oa]|celiac[oa]|senza glutine|halal|intollerante al lattosio',
    condition: String.raw`(?:il )?diabete(?: di tipo [12])?|(?:l')?asma|(?:l')?emicrania|(?:l')?epilessia|(?:l')?ipertensione|(?:la )?celiachia|(?:l')?artrosi|insonnia|mal di schiena|vertigini`,
    count: String.raw`(?:due|tre|quattro|cinque|sei|[2-9]) (?:figli|figlie|fratelli|sorelle|nipoti|cani|gatti|cavalli|galline|conigli)`,
  },
};
