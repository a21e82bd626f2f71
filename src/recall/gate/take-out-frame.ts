/**
 * Returns a question without its frame: an opening clause such as "quick question for my homework:" or "my boss asks
 * me," and phrases such as "can you tell me". They are in the first person but do not ask about the user. An opening
 * clause is a frame if it says that somebody asks, or if it consists of words for asking and for what is asked for;
 * "for my sister's wedding," stays.
 *
 * @param question in lower case, without marks on Latin letters (see `foldQuestion`)
 */
export function takeOutFrame(question: string): string {
  let rest = question.trim();
  for (let i = 0; i < MAX_FRAMES; i++) {
    const opening = OPENING.exec(rest);
    const clause = opening?.[1] ?? '';
    const behind = rest.slice(opening?.[0].length ?? 0);
    if (!opening || !isFrame(clause) || !ENOUGH.test(behind)) break;
    rest = behind;
  }
  return rest.replace(INLINE_FRAMES, ' ').trim();
}

/** Returns the text after its opening clause, if there is one and enough text follows it. */
export function behindOpening(text: string): string {
  const behind = text.slice(OPENING.exec(text)?.[0].length ?? 0);
  return ENOUGH.test(behind) ? behind : text;
}

/** Returns a question in lower case, with straight apostrophes and without marks on Latin letters. */
export function foldQuestion(question: string): string {
  return question
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replace(COUNTRY, ' ')
    .replace(NUMERAL, '$1')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

const MAX_FRAMES = 3;
const OPENING = /^([^:,.!?…\n–—：，。？！]{1,90}?)(?:[:,.!?…\n–—：，。？！]+|\s-\s)\s*/u;
/** What must follow a frame to be a question: two words, or a few characters of a script without spaces. */
const ENOUGH =
  /[\p{L}\p{N}]+[^\p{L}\p{N}]+[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3}/u;

function isFrame(clause: string): boolean {
  if (SOMEBODY_ASKS.test(clause)) return true;
  const words = clause.match(/[\p{L}\p{N}']+/gu) ?? [];
  if (UNSPACED_FRAME.test(clause)) return clause.length <= 16;
  if (words.every((word) => FRAME_WORDS.has(word))) return true;
  return (
    words.some((word) => ASKING_WORDS.has(word)) &&
    words.every((word) => FRAME_WORDS.has(word) || ASKING_WORDS.has(word) || PEOPLE.has(word))
  );
}

const SOMEBODY_ASKS =
  /\b(?:asks?|asked|asking|wants? to know|wanted to know|wonders?|wondered|was wondering|is wondering|is curious|challenged|quizzed|fragt|fragte|wissen will|will wissen|gefragt|pregunta|pregunto|preguntaron|quiere saber|demande|a demande|veut savoir|perguntou|pergunta|quer saber)(?: (?:me|us|mich|uns))?(?: (?:this|that|about this|about that|for this|today|yesterday|earlier|again|this (?:morning|evening|week)|just now|last night|at \w+|in class|the following|for help|das|dies|esto|ceci|isso))*$/u;
const UNSPACED_FRAME = /问我|请问|作业|帮我|想知道|质问|質問|宿題|聞かれ|教えて|知りたい/u;

/** Words for asking, and for what is asked for. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  `question questions q help ask know wonder wondering curious explain answer tell clarify check settle bet argument
  debate understand figure learn homework assignment quiz trivia exam exams test essay class school uni university college
  course lecture work job office argue arguing asking helping answering thought thoughts curiosity science history math maths
  geography biology chemistry physics english meeting project presentation report paper article blog crossword puzzle game research study
  studying revising reading writing frage fragen hilfe helfen hausaufgabe hausaufgaben schule arbeit aufgabe prufung wissen
  pregunta duda ayuda ayudame tarea deberes trabajo escuela examen clase saber aide aidez aider devoirs ecole travail examen
  cours savoir pergunta ajuda licao escola trabalho prova aula`.split(/\s+/u),
);
/** People on whose behalf a question is asked; they do not make a clause a frame on their own. */
const PEOPLE: ReadonlySet<string> = new Set(
  `friend friends friend's mate mates buddy kid kids kid's kids' son son's daughter daughter's brother brother's sister sister's
  boss boss's colleague colleagues coworker coworkers teacher teacher's professor client team family wife husband mom mum dad
  roommate neighbor neighbour everyone people his her their he she they`.split(/\s+/u),
);
/** Function words that occur in frames. */
const FRAME_WORDS: ReadonlySet<string> = new Set(
  `a an the this that it these one another last next quick quickly small short little simple easy hard random weird silly stupid
  dumb odd serious general basic please pls plz hey hi hello hiya yo ok okay so well um hmm sorry thanks thx good morning evening
  can could would will may might do does did you u i i'm im i've ive i'd id me my our we us need needs want wanted have has got
  having getting trying was am is are be been for with about on in at to of from out up and or but just only really here's
  there's let's bit some something anything stuck bored today tonight tomorrow now right fast asap urgent urgently due late
  kinda sort doing working preparing prepping thing things off topic unrelated not before bed time lunch break idle
  eine kurze kleine schnelle ich du mir mich fur die der das den meine mein ein zu bei brauche muss kannst bitte hallo hey mal
  una un rapida pequena tengo necesito para la el mi puedes me con esto por favor hola que
  une petite rapide pour le mon ma mes j'ai besoin de peux tu vous pouvez m'aider avec ca bonjour salut s'il te vous plait
  uma rapida pequena preciso tenho minha meu com isto isso ola voce pode`.split(/\s+/u),
);

/** "US" in capitals or before a noun of state is a country. */
const COUNTRY =
  /\bU\.?S\.?(?:A\b\.?)?(?=\W|$)|\bus (?=gallon|outlet|dollar|state|cup|president|army|english|econom|citizen|tax)/gu;
/** "Elizabeth I" counts monarchs. */
const NUMERAL = /(\p{Lu}\p{Ll}+) I\b(?!['’])(?=\W*$|\W+(?:of|and|was|die|rule|reign))/gu;

/** Phrases in the first person that do not ask about the user; "what did you tell me" does, and is not one of them. */
const INLINE_FRAMES =
  /\bhow (?:do|can|would|should|could|might) (?:i|we|you|u)\b|(?<!\bdid (?:you|u) )\b(?:give|tell|show|help|write|explain|teach|get|make|find|remind|translate|convert|define|asked?|asking|asks)(?: (?:to|for|this to|it to))? (?:me|us)\b|\b(?:can|could|would|will|do|if) (?:you|u)\b|\b(?:i|we)(?:'m| am|m|'re| are| was)? (?:need(?:ed)?|want(?:ed)?|would like|'d like|like|trying|curious|wondering|wonder|supposed|looking|have|just want)(?: to (?:know|understand|learn|find out|figure out|ask|see))(?: (?:this|that|it))?(?: for (?:my )?(?:work|school|class|homework|a \w+))?\b|\b(?:i'?m|i am|i was|we were) (?:curious|wondering|confused)\b|\b(?:what|how) (?:can|should) (?:i|we) (?:say|write) instead\b|\bi (?:don'?t|dont|can'?t|cant|never) (?:understand|get|remember|know|recall|tell|figure out)\b|\b(?:kannst du|konntest du|konnen sie) mir\b|\b(?:sag|erklar|gib|schreib|nenn|zeig)\w* (?:mir|uns)\b|\b(?:puedes|podrias) \w+me\b|\b(?:dime|dame|explicame|escribeme|ayudame)\b|\b(?:peux-tu|pouvez-vous|tu peux) (?:me|m'|nous)\s?|\b(?:dis|donne|explique|ecris|aide|montre)[sz]?-moi\b|\b(?:me|nos) (?:diga|explique|da|ajuda)\b|(?:能|可以|请)?(?:告诉|给|帮)我(?:写|翻译|解释|看)?|教えて(?:ください)?/gu;
