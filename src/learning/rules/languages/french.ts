import type { LanguageRules } from './language-rules.ts';

export const FRENCH: LanguageRules = {
  subjects: "je|j'|on|nous",
  conjunctions: 'et',
  opening: String.raw`(?:(?:et|alors|bref|oui|ah|bonjour|bonsoir|salut|coucou|hello|au fait|en fait|d'ailleurs|pour info|sinon|moi|chez moi|dans la vie|nous|que)[\s,:!.]+)+`,
  fillers: String.raw`aussi|en fait|d'ailleurs|au fait|encore|toujours|déjà|maintenant|désormais|actuellement|en ce moment|vraiment|beaucoup|bien|surtout|plutôt|enfin|seule?|ici|malheureusement|très|à l'origine|simplement|tout simplement|à plein temps|à mi-temps|absolument
    depuis (?:peu|longtemps|toujours|hier|l'an dernier|(?:un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|\d+|quelques|plusieurs) \p{L}+|\d{4}|(?:{monthElsewhere})(?: \d{4})?)
    il y a (?:un|une|deux|trois|quatre|cinq|six|\d+|quelques) (?:jours?|semaines?|mois|ans?)
    (?:la semaine|le mois|l'année|l'été|l'hiver) derni(?:er|ère)|ce (?:week-end|matin|soir|mois(?:-ci)?)|cette (?:semaine|année)|le \d{1,2} (?:{monthElsewhere})|hier|aujourd'hui|récemment`,
  own: 'mon|ma|mes|notre|nos',
  kin: {
    sister: '(?:petite |grande |demi-)?(?:sœur|soeur)',
    brother: '(?:petit |grand |demi-)?frère',
    mother: 'mère|maman',
    father: 'père|papa',
    daughter: 'fille',
    son: 'fils',
    wife: 'femme|épouse',
    husband: 'mari|époux',
    girlfriend: 'copine|fiancée|petite amie',
    boyfriend: 'copain|fiancé|petit ami',
    partner: 'conjoint|conjointe|compagne|compagnon',
    grandmother: 'grand-mère|mamie',
    grandfather: 'grand-père|papi',
    aunt: 'tante',
    uncle: 'oncle',
    cousin: 'cousin|cousine',
    niece: 'nièce',
    nephew: 'neveu',
    grandson: 'petit-fils',
    granddaughter: 'petite-fille',
    boss: 'chef|cheffe|patron|patronne',
    colleague: 'collègue',
    neighbor: 'voisin|voisine',
    roommate: 'colocataire|coloc',
    friend: 'ami|amie|pote',
    dog: 'chien|chienne|teckel|chiot|caniche|labrador|berger allemand|bouledogue|beagle',
    cat: 'chat|chatte',
    rabbit: 'lapin|lapine',
    horse: 'cheval|poney|jument',
    hamster: 'hamster',
    parrot: 'perroquet|perruche',
    tortoise: 'tortue',
  },
  noPlaces: String.raw`dieu|noël`,
  noNames: String.raw`lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche`,
  jobs: String.raw`infirmi(?:er|ère)|aide-soignante?|médecin|docteur|dentiste|vétérinaire|pharmacien(?:ne)?|kiné(?:sithérapeute)?|sage-femme|professeure?|prof|enseignante?|instituteur|institutrice|maître|maîtresse|avocate?|notaire|juge|ingénieure?|informaticien(?:ne)?|développeu(?:r|se)|architecte|comptable|secrétaire|vendeu(?:r|se)|caissi(?:er|ère)|cuisini(?:er|ère)|serveu(?:r|se)|boulang(?:er|ère)|pâtissi(?:er|ère)|bouch(?:er|ère)|coiffeu(?:r|se)|chauffeur|conduct(?:eur|rice)|mécanicien(?:ne)?|électricien(?:ne)?|plombi(?:er|ère)|menuisi(?:er|ère)|maçon|peintre|jardini(?:er|ère)|agricult(?:eur|rice)|vigneron(?:ne)?|fleuriste|libraire|bibliothécaire|journaliste|traduct(?:eur|rice)|interprète|écrivaine?|musicien(?:ne)?|comédien(?:ne)?|act(?:eur|rice)|photographe|graphiste|policière?|gendarme|pompi(?:er|ère)|militaire|pilote|soigneu(?:r|se)|étudiante?|lycéen(?:ne)?|retraitée?|apprentie?|stagiaire|chercheu(?:r|se)|doctorante?|psychologue|éduca(?:teur|trice)|assistante? (?:sociale?|maternelle?)|consultante?|graphiste|artisane?|commerçante?|facteur|factrice|horloger|luthi(?:er|ère)`,
  relatives: 'qui|que|quand|si|où|dont|lorsque|sauf',
  bans: String.raw`fou|folle|dingue|prévu|beaucoup|un|une|mes|c'.*|je|j'.*|on|nous|vous|ils|elles|souvent|toujours|parfois|rarement|très|trop|plutôt|que|qu'.*|quand|si|comme|ce|cet|cette|ces|ça|cela|toi|tu|te|t'.*|ton|ta|tes|son|sa|ses|leurs?|moi|mon|ma|mes|notre|nos|votre|vos|lui|elle|il|pas|plus|jamais|rien|qui|où|parce|mais|dans|sauf`,
  lists: 'et|ou|ni',
  articles: String.raw`le |la |les |l'|du |de la |de l'|des |de |d'|au |à la |à l'|aux `,
  prepositions: 'à|au|aux|chez|dans|pour|en|avec|par|sur|sans|depuis|contre|vers',
  titles: String.raw`madame|monsieur|mme|m\.|docteur`,
  table: String.raw`
j'habite (?:à|en|au) {place} => lives in {place}
(?:on|nous) (?:habite|habitons) (?:à|en|au) {place} => lives in {place}
je vis (?:à|en|au) {place} => lives in {place}
(?:on|nous) (?:vit|vivons) (?:à|en|au) {place} => lives in {place}
j'ai (?:emménagé|déménagé) à {place} => lives in {place}
(?:on a|nous avons) (?:emménagé|déménagé) à {place} => lives in {place}
je me suis installée? à {place} => lives in {place}
je déménage à {place} => is moving to {place}
je viens de {place} => is from {place}
je viens d'{place} => is from {place}
je suis originaire de {place} => is from {place}
je suis de {place} => is from {place}
je suis née? à {place} => was born in {place}
je suis née? à {place} le {date} => was born in {place}; was born on {date}
je suis née? le {date} à {place} => was born in {place}; was born on {date}
j'ai grandi à {place} => grew up in {place}
je travaille comme {work} => works as {work}
je travaille comme {work} (?:à|au|aux|chez|dans|pour|en) .{2,60} => works as {work}
je travaille (?:chez|pour) {org} => works at {org}
je suis {job} => is a {job}
je suis {job} (?:à|au|aux|chez|dans|pour|en) .{2,60} => is a {job}
j'enseigne {things} => teaches {things}
j'enseigne {things} (?:à|au|aux|dans|en) .{2,60} => teaches {things}
j'étudie {degree} => studies {degree}
j'étudie {degree} (?:à|au|en) .{2,60} => studies {degree}
je fais des études (?:de |d'){degree} => studies {degree}
je suis en {year} (?:de |d'){degree} => studies {degree}
j'apprends {things} => is learning {things}
je parle {language} => speaks {language}
je joue (?:du |de la |de l'){subject} => plays {subject}
je joue (?:au |à la |aux ){subject} => plays {subject}
(?:ma|mon|notre) {kin} s'appelle {name} => has {kin} {name}
{name} est (?:ma|mon|notre) {kin} => has {kin} {name}
(?:j'ai|on a|nous avons) une? {kin} (?:nommée?|appelée?|qui s'appelle) {name} => has {kin} {name}
(?:j'ai|on a|nous avons) {count} => has {count}
je suis mariée? (?:à|avec) {name} => is married to {name}
je suis {state} => is {state}
(?:on part|nous partons|je pars|on va|nous allons) (?:en|au|aux|à) {place} => is going to {place}
je suis {status} => has marital status {status}
je suis (?:très |gravement )?allergique (?:aux? |à la |à l'|à ){things} => is allergic to {things}
je suis intolérante? (?:aux? |à la |à l'|à ){things} => is intolerant to {things}
j'ai une allergie (?:aux? |à la |à l'|à ){things} => is allergic to {things}
je ne supporte pas {things} => cannot tolerate {things}
je (?:ne )?mange (?:pas|jamais|plus) {things} => does not eat {things}
je (?:ne )?bois (?:pas|jamais|plus) {things} => does not drink {things}
je suis {diet} => is {diet}
je mange {diet} => is {diet}
j'ai {condition} => has {condition}
j'ai {condition} (?:à|au|aux|dans) .{2,40} => has {condition}
je souffre (?:de |d'){condition} => has {condition}
j'aime {things} => likes {things}
j'adore {things} => loves {things}
je (?:déteste|hais) {things} => hates {things}
je n'aime pas(?: du tout)? {things} => does not like {things}
j'aime pas {things} => does not like {things}
je m'appelle {name} => is named {name}
mon (?:nom|prénom) est {name} => is named {name}
mon (?:nom|prénom),? c'est {name} => is named {name}
{person} (?:habite|vit) (?:à|en|au) {place} => lives in {place}
{person} a (?:emménagé|déménagé) à {place} => lives in {place}
{person} travaille comme {work} => works as {work}
{person} travaille comme {work} (?:à|au|aux|chez|dans|pour|en) .{2,60} => works as {work}
{person} travaille (?:chez|pour) {org} => works at {org}
{person} est {job} => is a {job}
{person} étudie {degree} => studies {degree}
{person} joue (?:du |de la |de l'|au |à la |aux ){subject} => plays {subject}
{person} est (?:très |gravement )?allergique (?:aux? |à la |à l'|à ){things} => is allergic to {things}
{person} (?:ne )?mange pas {things} => does not eat {things}
{person} est {diet} => is {diet}
{person} mange {diet} => is {diet}
{person} a {condition} => has {condition}
{person} a {age} ans => has age {age}
{person} est née? le {date} => was born on {date}
j'ai {age} ans => has age {age}
mon anniversaire est le {date} => has birthday {date}
mon anniversaire,? c'est le {date} => has birthday {date}
je suis née? le {date} => was born on {date}
`,
  words: {
    degree: String.raw`(?:le |la |les |l')?(?:droit|médecine|histoire|géographie|philosophie|lettres|psychologie|sociologie|chimie|physique|biologie|maths|mathématiques|informatique|économie|gestion|commerce|architecture|musique|langues|anglais|allemand|espagnol|pharmacie|beaux-arts|journalisme|théologie|ingénierie|sciences? \p{L}+|histoire de l'art)`,
    language: String.raw`(?:le |l'|l’)?(?:français|anglais|allemand|espagnol|italien|portugais|néerlandais|chinois|japonais|russe|arabe|coréen|polonais|turc|grec|suédois|breton|basque|catalan|occitan)`,
    state: 'à la retraite|retraitée?|enceinte|au chômage|en congé parental',
    status: 'mariée?|célibataire|divorcée?|veu(?:f|ve)|fiancée?|pacsée?',
    diet: String.raw`végétarien(?:ne)?|végane?|végétalien(?:ne)?|pescétarien(?:ne)?|sans gluten|halal|casher|intolérante? au (?:lactose|gluten)`,
    condition: String.raw`(?:le |du )?diabète(?: de type [12])?|(?:de l')?asthme|(?:la )?maladie cœliaque|des migraines|migraines|(?:de l')?épilepsie|(?:de l')?hypertension|un tdah|(?:de l')?arthrose|(?:de l')?eczéma|le rhume des foins|le vertige|vertige|mal au dos|acouphènes|des acouphènes`,
    count: String.raw`(?:deux|trois|quatre|cinq|six|[2-9]) (?:enfants|filles|fils|frères|sœurs|soeurs|petits-enfants|chiens|chats|chevaux|poules|lapins)`,
    year: String.raw`(?:première|deuxième|troisième|quatrième|cinquième|dernière|\d(?:e|ère|ème)) année`,
  },
};
