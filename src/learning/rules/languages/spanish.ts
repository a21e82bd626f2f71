import type { LanguageRules } from './language-rules.ts';

export const SPANISH: LanguageRules = {
  subjects: 'yo|nosotros|nosotras',
  conjunctions: 'y|e',
  opening: String.raw`(?:(?:y|pues|bueno|sí|hola|buenas|buenos días|buenas tardes|buenas noches|por cierto|además|en fin|ah|oye|para que lo sepas|que)[\s,:!.]+)+`,
  fillers: String.raw`yo|también|ahora|actualmente|todavía|aún|ya|además|por cierto|en realidad|la verdad|siempre|mucho|muchísimo|bastante|sobre todo|por desgracia|desgraciadamente|muy|sol[oa]|aquí|originalmente|simplemente|nada|por fin|a tiempo completo|a media jornada|últimamente|de momento
    desde (?:hace (?:poco|mucho|años|meses|(?:un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|\d+|unos|varios) \p{L}+)|siempre|ayer|(?:el año|el mes) pasado|\d{4}|(?:{monthElsewhere})(?: de \d{4})?)
    hace (?:poco|un|una|dos|tres|cuatro|cinco|seis|\d+|unos|unas|varios) ?(?:días?|semanas?|mes(?:es)?|años?)?
    (?:la semana|el mes|el año|el verano|el invierno|el fin de semana) pasad[oa]|est[ea] (?:fin de semana|semana|mes|año|verano|mañana|tarde)|el \d{1,2} de (?:{monthElsewhere})|ayer|hoy`,
  own: 'mi|mis|nuestro|nuestra|nuestros|nuestras',
  kin: {
    sister: 'hermana|hermanita|media hermana',
    brother: 'hermano|hermanito|medio hermano',
    mother: 'madre|mamá',
    father: 'padre|papá',
    daughter: 'hija',
    son: 'hijo',
    wife: 'mujer|esposa',
    husband: 'marido|esposo',
    girlfriend: 'novia|prometida',
    boyfriend: 'novio|prometido',
    partner: 'pareja',
    grandmother: 'abuela|abuelita',
    grandfather: 'abuelo|abuelito',
    aunt: 'tía',
    uncle: 'tío',
    cousin: 'primo|prima',
    niece: 'sobrina',
    nephew: 'sobrino',
    grandson: 'nieto',
    granddaughter: 'nieta',
    boss: 'jefe|jefa',
    colleague: 'compañer[oa] de trabajo|colega',
    neighbor: 'vecino|vecina',
    roommate: 'compañer[oa] de piso',
    friend: 'amigo|amiga',
    dog: 'perro|perra|perrito|perrita|cachorro|caniche|labrador|salchicha|galgo',
    cat: 'gato|gata|gatito|gatita',
    rabbit: 'conejo|coneja',
    horse: 'caballo|yegua|poni',
    hamster: 'hámster',
    parrot: 'loro|periquito',
    tortoise: 'tortuga',
  },
  noPlaces: String.raw`dios|navidad`,
  noNames: String.raw`lunes|martes|miércoles|jueves|viernes|sábado|domingo`,
  jobs: String.raw`(?:enfermer|médic|veterinari|farmacéutic|maestr|abogad|ingenier|arquitect|camarer|cociner|panader|carnicer|peluquer|cartero|bomber|jardiner|carpinter|fontaner|plomer|mecánic|técnic|secretari|funcionari|bibliotecari|psicólog|biólog|químic|físic|informátic|fotógraf|músic|obrer|granjer|banquer|zapater|reloj)[oae]|(?:profesor|doctor|programador|desarrollador|vendedor|conductor|traductor|escritor|entrenador|diseñador|investigador|trabajador social|contador|pintor|actor|cuidador|editor|director|locutor|educador)a?|actriz|(?:dent|period|electric|tax|recepcion|flor|art|fisioterapeut|pian|guitarr|econom|masaj)ista|electricista|fisioterapeuta|matrona|policía|soldado|militar|piloto|juez|jueza|notari[oa]|contable|chef|estudiante|autónom[oa]|jubilad[oa]|becari[oa]|aprendiz|azafata|agricultora?|ganader[oa]|pescadora?|comerciante|comercial|consultora?|analista|intérprete|auxiliar de \p{L}+`,
  relatives: 'que|cuando|si|donde|salvo|excepto',
  bans: String.raw`loc[oa]|mula|burr[oa]|siempre|mucho|muchísimo|un|una|antes|yo|nosotr[oa]s|ellas?|usted(?:es)?|siempre|a menudo|a veces|solo|sólo|que|cuando|si|como|este|esta|estos|estas|ese|esa|esos|esas|eso|esto|tú|tu|tus|te|ti|su|sus|mi|mis|me|él|ella|ellos|le|les|lo|no|nunca|más|nada|nadie|quien|donde|porque|pero|muy|tan|nuestr[oa]s?`,
  lists: 'y|e|o|u|ni',
  articles: String.raw`el |la |los |las |al `,
  prepositions: 'en|para|con|por|desde|sin|sobre|contra|hasta|entre',
  titles: String.raw`señora?|don|doña|doctora?`,
  table: String.raw`
(?:vivo|vivimos) en {place} => lives in {place}
(?:me mudé|me he mudado|nos mudamos|nos hemos mudado) a {place} => lives in {place}
(?:me mudé|me he mudado|nos mudamos|nos hemos mudado) de {from} a {place} => lives in {place}
me mudo a {place} => is moving to {place}
soy de {place} => is from {place}
vengo de {place} => is from {place}
nací en {place} => was born in {place}
nací en {place} el {date} => was born in {place}; was born on {date}
nací el {date} en {place} => was born in {place}; was born on {date}
(?:crecí|me crié|me crie) en {place} => grew up in {place}
(?:trabajo|laburo) como {work} => works as {work}
(?:trabajo|laburo) de {job} => works as {job}
(?:trabajo|laburo) de {job} (?:en|para|con) .{2,60} => works as {job}
(?:trabajo|laburo) como {work} (?:en|para|con) .{2,60} => works as {work}
(?:trabajo|laburo) (?:en|para) {org} => works at {org}
soy {job} => is a {job}
soy {job} (?:en|de|para) .{2,60} => is a {job}
enseño {things} => teaches {things}
doy clases de {subject} => teaches {subject}
estudio {degree} => studies {degree}
estudio {degree} en .{2,60} => studies {degree}
estoy estudiando {degree} => studies {degree}
(?:estoy aprendiendo|aprendo) {things} => is learning {things}
(?:estoy aprendiendo|aprendo) a tocar {things} => is learning {things}
hablo {language} => speaks {language}
toco {instrument} => plays {instrument}
toco {instrument} en .{2,60} => plays {instrument}
juego (?:al |a la ){subject} => plays {subject}
mi {kin} se llama {name} => has {kin} {name}
nuestr[oa] {kin} se llama {name} => has {kin} {name}
{name} es (?:mi|nuestr[oa]) {kin} => has {kin} {name}
(?:tengo|tenemos) una? {kin} (?:que se llama|llamad[oa]) {name} => has {kin} {name}
(?:tengo|tenemos) {count} => has {count}
estoy casad[oa] con {name} => is married to {name}
estoy {state} => is {state}
(?:viajamos|vamos|viajo) a {place} => is going to {place}
(?:estoy|soy) {status} => has marital status {status}
soy (?:muy )?alérgic[oa] (?:a |al ){things} => is allergic to {things}
tengo alergia (?:a |al ){things} => is allergic to {things}
soy intolerante (?:a |al ){things} => is intolerant to {things}
no (?:tolero|soporto) {things} => cannot tolerate {things}
no como {things} => does not eat {things}
no (?:bebo|tomo) {things} => does not drink {things}
soy {diet} => is {diet}
como {diet} => is {diet}
(?:tengo|padezco|sufro) (?:de )?{condition} => has {condition}
me gustan? {things} => likes {things}
me encantan? {things} => loves {things}
(?:odio|detesto) {things} => hates {things}
no me gustan? {things} => does not like {things}
me llamo {name} => is named {name}
mi nombre es {name} => is named {name}
{person} vive en {place} => lives in {place}
{person} se (?:mudó|ha mudado) a {place} => lives in {place}
{person} trabaja como {work} => works as {work}
{person} trabaja como {work} (?:en|para|con) .{2,60} => works as {work}
{person} es {job} => is a {job}
{person} estudia {degree} => studies {degree}
{person} toca {instrument} => plays {instrument}
{person} es (?:muy )?alérgic[oa] (?:a |al ){things} => is allergic to {things}
{person} no come {things} => does not eat {things}
{person} es {diet} => is {diet}
{person} tiene {condition} => has {condition}
{person} tiene {age} años => has age {age}
tengo {age} años => has age {age}
mi cumpleaños es el {date} => has birthday {date}
cumplo años el {date} => has birthday {date}
nací el {date} => was born on {date}
`,
  words: {
    degree: String.raw`derecho|medicina|historia|geografía|filosofía|filología|psicología|sociología|química|física|biología|matemáticas|informática|economía|empresariales|arquitectura|música|enfermería|farmacia|veterinaria|periodismo|bellas artes|ingeniería(?: \p{L}+)?|magisterio|idiomas|contabilidad`,
    instrument: String.raw`(?:el |la |los )?(?:piano|guitarra|violín|viola|violonchelo|chelo|flauta|clarinete|oboe|saxofón|saxo|trompeta|trombón|tuba|batería|bajo|contrabajo|arpa|acordeón|órgano|ukelele|cajón|percusión)`,
    language:
      'español|inglés|francés|alemán|italiano|portugués|chino|japonés|ruso|árabe|coreano|polaco|turco|griego|catalán|gallego|euskera|holandés|sueco',
    state: 'jubilad[oa]|embarazada|en paro|de baja|desemplead[oa]',
    status: 'casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|prometid[oa]',
    diet: 'vegetarian[oa]|vegan[oa]|pescetarian[oa]|celíac[oa]|sin gluten|halal|intolerante a la lactosa',
    condition: String.raw`diabetes(?: tipo [12])?|asma|migrañas?|epilepsia|hipertensión|tdah|artritis|artrosis|celiaquía|vértigo|insomnio|ansiedad|dolor de espalda`,
    count: String.raw`(?:dos|tres|cuatro|cinco|seis|[2-9]) (?:hijos|hijas|hermanos|hermanas|nietos|perros|gatos|caballos|gallinas|conejos)`,
  },
};
