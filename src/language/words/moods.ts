import { wordPattern } from './life-words.ts';

/** What the words of a list say of a clause. */
export type Mood = 'negation' | 'condition' | 'doubt' | 'joke' | 'past' | 'asks';

/**
 * Words that decide whether a clause says that something is so, in English, German, Spanish, French, Portuguese and
 * Italian and, after a slash, in Chinese and Japanese. They are compared as `fold` returns them, with contractions
 * written out: "I don't" is "i do not".
 */
const LISTS: Readonly<Record<Mood, string>> = {
  negation: String.raw`not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|barely|scarcely|seldom|nicht|nichts|kein\w*|nie|niemals|weder|ohne|nunca|jamas|ningun\w*|tampoco|sin|pas|jamais|aucune?|ni|sans|nao|nem|sem|nenhum\w*|non|mai|nessun\w*|senza / 不|没|沒|未|无|ない|ません|ありませ`,
  condition: String.raw`if|unless|whether|suppose|supposing|imagine|pretend\w*|assuming|provided that|otherwise|hypothetically|wenn|falls|angenommen|als ob|ob|ojala|supongamos / 如果|要是|假如|もし|たら`,
  doubt: String.raw`except|instead of|rather than|apart from|other than|far from|anything but|unlike|yet to|failed to|fails? to|refus\w+|miss(?:ed)?|skip(?:ped)?|cancel\w*|lack\w*|declin\w+|unable|den(?:y|ies|ied)|dying to|literally|officially|virtually|pretty much|kind of|sort of|kinda|sorta|more or less|at this point|in another life|in a past life|might as well|so-called|honorary|self-proclaimed|wannabe|clearly|obviously|in (?:my|the|a|our|this) (?:\w+ )?(?:novel|story|game|book|play|dream|film|movie|script)|would|could|should|might|ought|must|shall|will|maybe|perhaps|probably|possibly|wish\w*|hop(?:e|es|ed|ing)|wants?|wanted|wanting|wanna|gonna|going to|plan|plans|planned|planning|intend\w*|thinking (?:of|about)|thought (?:of|about)|consider\w*|dream\w*|almost|nearly|practically|basically|supposedly|allegedly|apparently|supposed to|about to|tr(?:y|ies|ied|ying) to|said|says?|saying|tells?|told|thinks?|thought|believes?|believed|claims?|claimed|heard|guess|feels? like|felt like|seems?|seemed|looks? like|as though|as if|afraid that|character|avatar|fictional|next (?:week|month|year|spring|summer|autumn|fall|winter|time)|tomorrow|some ?day|one day|soon|let us|would rather|can not wait
    wurde|wurden|konnte|konnten|mochte|mochten|wunsch\w*|hoff\w*|vielleicht|werde|werden|wirst|fast|soll|sollte|sollen|meint|meinte|sagt|sagte|glaub\w*|denkt|dachte|morgen|nachste[rns]?|bald|angeblich|plane|planen
    quiero|quisiera|gustaria|podria|deberia|tal vez|quizas?|voy a|vamos a|espero|casi|dice|dijo|cree|creo|manana|proxim[ao]|pronto
    voudrais|aimerais|veux|pourrais|devrais|peut-etre|vais|allons|espere|presque|dit|pense|croit|crois|demain|prochaine?|bientot
    quero|queria|gostaria|poderia|deveria|talvez|vou|espero|quase|diz|disse|acha|acho|amanha|em breve
    vorrei|voglio|potrei|dovrei|forse|spero|quasi|detto|pensa|penso|credo|domani|prossim[ao]|presto / 想|希望|也许|可能|打算|明天|たい|かもしれ|つもり|と思`,
  joke: String.raw`(?:sure|yeah|right)\W{1,3}and|lol|lolz|lmao|ha|hah|heh|ha ha|in spirit|at heart|deep down|on the inside|rofl|haha\w*|hehe\w*|jk|just kidding|kidding|joking|joke|sarcasm|yeah right|xd|lmfao|scherz|spass|broma|blague|brincadeira|scherzo|/s / 😂|🤣|:D|XD|😜|😉|🙃|😅|🙄|😏|😆|💀|;\)|:p|:P|笑|哈哈`,
  past: String.raw`was|were|had|did|used|former|formerly|previously|ex|late|back then|in the past|as a (?:child|kid|boy|girl|student|teenager)|ago|war|waren|hatte|hatten|fruher|damals|era|eramos|fui|tenia|teniamos|antes|etais|etait|etions|avais|avait|avions|autrefois|jadis|tinha|ero|eravamo|avevo / 以前|曾|过去|昔|でした|ました|た。`,
  asks: String.raw`who|whom|whose|what|which|where|when|why|how|any|anyone|anything|is|are|am|was|were|do|does|did|can|could|would|will|should|shall|may|might|has|have|got|suggestions?|ideas?|tips?|thoughts|advice|recommendations?|wer|was|wen|wem|wo|wann|warum|wieso|wie|welche[rsmn]?|ist|sind|kann|kannst|konnen|soll|sollte|darf|hast|habt|gibt|irgend\w*|que|cual\w*|quien\w*|donde|cuando|como|por que|puedo|puedes|hay|algun\w*|quel\w*|qui|ou|quand|comment|pourquoi|est-ce|peux|peut|puis|une? (?:idee|conseil)|qual|quais|quem|onde|quando|posso|pode|alguma?|che|chi|dove|come|perche|quale|quali|puoi / 谁|什么|哪|怎么|为什么|何|誰|どこ`,
};

const patterns = new Map<Mood, RegExp>(
  Object.entries(LISTS).map(([mood, list]) => [mood as Mood, wordPattern(list, 'gu')]),
);

/** Returns the words of a list in a folded text, in their order. */
export function moodWords(folded: string, mood: Mood): string[] {
  const pattern = patterns.get(mood);
  return pattern ? (folded.match(pattern) ?? []) : [];
}

/** Whether a folded text begins with a word of a list. */
export function beginsWith(folded: string, mood: Mood): boolean {
  const [first] = moodWords(folded, mood);
  return first !== undefined && folded.startsWith(first);
}
