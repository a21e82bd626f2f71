/** The months, in order. */
export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');

/** The days of the week. `Date.getUTCDay` counts them from Sunday. */
export const WEEKDAYS: readonly string[] = 'sunday monday tuesday wednesday thursday friday saturday'.split(
  ' ',
);

/** A month, also by its short form. */
export const MONTH_WORD: string =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

/** Lists of words by name, as alternatives of a pattern; texts are compared as `fold` returns them. */
const LISTS: Readonly<Record<string, string>> = {
  weekday: WEEKDAYS.join('|'),
  weekdayOrShort: WEEKDAYS.map((day) => `${day}|${day.slice(0, 3)}`).join('|'),
  weekdayElsewhere: String.raw`lunes|martes|miercoles|jueves|viernes|sabados?|domingos?
    montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?
    lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedi|martedi|mercoledi|giovedi|venerdi|domenica`,
  monthElsewhere: String.raw`april|august|september|november|avril|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|juin|juillet|août
    septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|septiembre|octubre|noviembre|diciembre
    gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho
    setembro|outubro|dezembro`,
  month: MONTHS.join('|'),
  monthButMay: MONTHS.filter((month) => month !== 'may').join('|'),
  monthOrShort: MONTH_WORD,
  season: 'spring|summer|autumn|fall|winter',
  count: 'an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  my: String.raw`my|mine|our|ours|mein\w*|unser\w*|mis?|nuestr[ao]s?|mon|ma|mes|notre|nos|meus?|minhas?|noss[ao]s?|mio|miei|(?:la|una) mia|mia(?= (?:moglie|madre|mamma|sorella|figlia|nonna|zia|cugina|nipote|suocera|cognata|ragazza|fidanzata|nuora)\b)|le mie|nostr[oaei]|mijn|m'n|onze(?! (?:ans?|heures?|mois|jours?|euros?|fois)\b)`,
  /**
   * Verbs that say "I" by their form, in languages that leave the pronoun out. Behind an article some are nouns. They are looked
   * for at each letter of Chinese text, so that their length is bounded.
   */
  iVerb: String.raw`(?<!\b(?:el|un|este|ese|mi|tu|su|del|al|de|o|um|do|meu|seu|il|lo|nel|dal|di|mio|suo|ogni|ci) )(?:vivo|trabajo|laburo|estudio|tengo|prefiero|estoy|juego|toco|conduzco|odio|adoro|moro|trabalho|estudo|tenho|prefiro|estou|jogo|gosto|abito|lavoro|preferisco|suono|gioco|sono
    soy|voy|doy|hago|pongo|salgo|digo|sigo|puedo|debo|quiero|necesito|llevo|duermo|suelo|busco|compro|tomo|bebo|aprendo|cumplo|preparo|cocino|pido|elijo|ceno|tuve|estuve|hice|fui|dije|pude|[a-z]{2,20}zco
    sou|vou|faco|posso|devo|quero|fico|saio|ponho|dou|tive|fiz|preciso(?= de\b)|faccio|vado|sto|voglio|prendo|metto|bevo|mangio|dormo|cerco|cucino|scelgo|ordino|cozinho|escolho|levo)
    he(?= [a-z]{2,20}[ai]do\b)|ho(?= (?:un[oa]?|gia|sempre|due|tre|\d{1,9}|[a-z]{1,20}[aiu]to)\b)
    (?![a-z]{0,20}gramos\b|(?:[a-z]{0,2}ra|recla|ala|de|me|re|supre|extre)mos\b)[a-z]{2,20}[ae]mos|(?:viv|sal|fu|hic|tuv|estuv|decid|ped|v)imos|[a-z]{2,20}iamo`,
  /** Words for the speaker, alone or with others. */
  self: 'i|me|myself|we|us|ourselves|ich|mich|mir|wir|uns|je|moi|nous|yo|m[ií]|nosotr[ao]s|eu|mim|n[oó]s|io|noi',
  i: "i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'll",
  partner: String.raw`wife|husband|hubby|girlfriend|boyfriend|gf|bf|fiancee?|partner|spouse|married|engaged|dating
    novi[ao]|espos[ao]|marido|copine?|namorad[ao]|freundin|mi[oa] ragazz[oa]|fidanzat[oa]|noiv[oa]`,
  parent: 'mom|mum|mother|dad|father',
  /** Kin of whom people speak without "my". */
  kinAlone:
    '(?:mom|mum|mommy|mummy|mama|mami|dad|daddy|grand(?:ma|pa|dad)|nana|auntie|hubby|husband|wife|boyfriend|girlfriend|daughter|oma|opa|maman|mamie|papy|yaya)',
  kin: 'husband|wife|girlfriend|boyfriend|partner|sister|brother|mother|mum|mom|father|dad|son|daughter|kids?|child|friend|boss|teacher|coach|dog|cat',
  title: 'mrs?|ms|miss|dr|prof',
  vegetarian: 'vegan|veggie|vegetarian|pescatarian',
  language: String.raw`english|spanish|french|german|italian|portuguese|dutch|chinese|japanese|polish|turkish|russian|arabic|korean|swedish
    englisch|deutsch|spanisch|französisch|inglés|español|alemán|francés|anglais|français|allemand|espagnol`,
  /** Past tenses that do not show it by their ending. */
  past: `agreed became began bought broke brought built came caught chose did drank drove ate fell felt flew forgot found freed
    gave got grew had heard held hid kept knew led left lost made met moved paid ran rode said sang sat saw sent slept sold
    spent spoke stood swam taught thought threw told took understood was went woke won wore wrote`
    .trim()
    .replaceAll(/\s+/gu, '|'),
  dwelling: 'flat|apartment|house|place',
  /** What a person has one of at a time. */
  held: String.raw`teacher|coach|boss|manager|doctor|gp|dentist|therapist|landlord|landlady|tutor|supervisor|job|flat
    apartment|address|number|phone|laptop|car|password|nickname|roommate|flatmate|budget|deadline|goal
    lehrer(?:in)?|chef(?:in)?|jef[ae]|profesora?|medic[ao]`,
};

/**
 * Returns a pattern from its source, in which a line break separates alternatives and `{name}` stands for the words of a
 * list: `(?:on|next) (?:{weekday})`.
 */
export function regex(source: string, flags = 'u'): RegExp {
  const named = source.replaceAll(/\{([a-z]\w*)\}/giu, (whole, name: string) => LISTS[name] ?? whole);
  return new RegExp(named.replaceAll(/\n\s*/gu, '|'), flags);
}
