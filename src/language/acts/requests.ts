import { isPersonal } from '../question-features.ts';
import { sentencesIn } from '../sentences.ts';
import type { Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';
import { BEGINS_FIRST_PERSON } from './first-person.ts';

/** A text that the user wants something done with. */
export interface WorkedOn extends Span {
  /** Whether even a person could not tell if it is about the user: a letter, or a text below a mere question. */
  readonly isUnclear: boolean;
}

/**
 * Returns the texts that a message asks to work on: behind "Translate this:", below "can you fix the grammar?", in "how do
 * you say … in French", and before "… translate this to German". Lists, notes and curricula of the user's own are
 * theirs: "about me:", "my CV".
 */
export function workedOn(text: string, paragraphs: readonly Span[]): WorkedOn[] {
  return [...inline(text), ...behind(text, paragraphs), ...before(text, paragraphs)];
}

/**
 * Returns whose text a message presents in its first line: `own` is about the user ("here's me as JSON", "my diary"),
 * `unclear` is in their name ("posting this", "my cover letter").
 */
export function presentedText(text: string): 'own' | 'unclear' | 'foreign' {
  const [line = ''] = text.split(/\n|[:：](?=\s)/u, 1);
  if (OWN_TEXT.test(line)) return 'own';
  return SENDS.test(line) || OWN_DRAFT.test(line) ? 'unclear' : 'foreign';
}

const SENDS =
  /\b(?:(?:i'?m|i am|i'?ll|we'?re|about to) )?(?:posting|publishing|sending|submitting|handing in) (?:this|it)\b|\b(?:i'?ll|i want to|going to|gonna) (?:post|publish|send|submit) (?:this|it)\b|\b(?:vou|voy a|je vais) (?:publi\w+|env\w+)|\b(?:poste|schicke|veröffentliche) (?:das|ich)\b/iu;

/** "How do you say … in French", "which one is right: …". */
function inline(text: string): WorkedOn[] {
  return Array.from(text.matchAll(SAY), (match) => {
    const { what, what2, what3, what4 } = match.groups ?? {};
    const part = what ?? what2 ?? what3 ?? what4 ?? '';
    const start = match.index + match[0].lastIndexOf(part);
    return { start, end: start + part.length, isUnclear: false };
  });
}

/** Returns what follows a request or question about a text: behind its colon, or in the lines and paragraphs below it. */
function behind(text: string, paragraphs: readonly Span[]): WorkedOn[] {
  return introductions(text, paragraphs)
    .slice(0, MAX_INTRODUCTIONS)
    .flatMap(({ request, start, isColon }): WorkedOn[] => {
      if (start >= text.length || OWN_TEXT.test(request) || OPENING_MARK.test(text.slice(start))) return [];
      const end = endOfText(text, start, paragraphs);
      const last = request.slice(sentencesIn(request, 'whole').at(-1)?.start ?? 0);
      const asks = !SELF.test(last) || ASKS.test(last);
      const isWork =
        asks &&
        (WORK_ON.test(last) ||
          IN_LANGUAGE.test(last) ||
          (isColon ? WRITES.test(last) : POINTS_AT_END.test(last)));
      const isNamed = TEXT_NAMED.test(last) || CONTINUES.test(last) || CAME.test(last);
      if (isWork || isNamed) return [{ start, end, isUnclear: OWN_LETTER.test(last) || FOR_MINE.test(last) }];
      if (AUTHORED.test(last)) return [{ start, end, isUnclear: true }];
      // A request that is not about the user, with a text in the first person below it.
      if (asks && OWN_LETTER.test(last)) return [{ start, end, isUnclear: true }];
      const told = text.slice(start, end);
      if (!isPersonal(told) || /\?\s*$/u.test(told)) return [];
      const isBelow =
        !isColon &&
        (isRequest(last) || THIS.test(last)) &&
        ((!SELF.test(request) && !HELP_ME.test(last)) || THIS.test(last));
      const isBehind =
        isColon &&
        BEGINS_FIRST_PERSON.test(told.replace(GREETING, '')) &&
        !SELF.test(last) &&
        !FOR_ME.test(last) &&
        asksFor(last);
      const isList = LIST.test(told) && (!SELF.test(last) || EACH.test(last));
      return isBelow || isBehind || isList ? [{ start, end, isUnclear: true }] : [];
    });
}

/** Whether a line asks for something: a question, "please", or a verb at its beginning. */
function isRequest(line: string): boolean {
  return /\?\s*$|\s\S+:\s*$/u.test(line) || asksFor(line);
}

function asksFor(line: string): boolean {
  return POLITE.test(line) || TASK_FIRST.test(line) || ASKING.test(line);
}

/** "This" as what stands below, and not "this week". */
const THIS = regex(
  String.raw`\b(?:this|these|das|dies|isto|esto|ça|questo)\b(?!\s+(?:is|was|week|weekend|month|year|morning|afternoon|evening|night|time|{season}|{weekday}|job|house|flat|city|country|town|place)\b)`,
  'iu',
);
const HELP_ME = /\b(?:help|advise|tell|answer) (?:me|us)\b/iu;
/** Requests for the user's own life: what stands behind their colon is about the user. */
const FOR_ME = regex(
  String.raw`\b(?:for|about|to) me\b|\b(?:suggest|recommend|plan|find|help|advise|advice|ideas?|tips?|dinner|lunch|gift|present|trip|menu|workout|routine|question|background|context|update|situation|problem|note|remember|keep in mind|fyi|frage|kontext|pregunta|contexto)\b`,
  'iu',
);
const GREETING = /^["'“„«]?\s*(?:(?:hey|hi|well|mate|so),? )?/iu;

/** Two or more items of a list, and nothing before them. */
const LIST =
  /^\s*(?:[-*•–—☐☑]|\d{1,4}\s?[.)|/]|[a-z]\))\s*\S[^\n]*\n\s*(?:[-*•–—☐☑]|\d{1,4}\s?[.)|/]|[a-z]\))/iu;
const EACH = /\b(?:each|every|these|those|them)\b/iu;
const SELF = regex(
  String.raw`(?<![\p{L}'])(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our|ich|mein\w*|wir|unser\w*|je|j'|mon|ma|mes|nous|notre|nos|yo|mi|mis|nuestr[ao]s?|eu|meus?|minhas?|io|mio|mia|miei|noi)(?![\p{L}])`,
  'iu',
);
const ASKS =
  /\?|\b(?:can|could|would|will) you\b|\b(?:please|pls|plz|bitte|svp|por favor|per favore)\b|\b(?:i|we) (?:need|want|have to)\b|\bhelp me\b/iu;
const POLITE = /\b(?:please|pls|plz|bitte|svp|stp|por favor|per favore)\b/iu;
const ASKING =
  /^\W*(?:ok |so |and |hey )?(?:which|what|who|who's|whose|would|is|are|was|can|could|does|did|do|why|how|should|where|when|welche\w*|was|wer|ist|kann|wie|warum|quel\w*|qui|est-ce|cu[áa]l\w*|qui[ée]n|es|qual|quem|é|chi|di chi)\b|\bmake (?:it|this|them)\b/iu;
const TASK_FIRST = regex(
  String.raw`^\W*(?:just |now |ok |okay |so |and )?(?:the )?(?:write|make|give|list|find|count|sort|turn|put|pick|choose|add|cut|code|label|tag|read|look|tell|explain|rate|score|rank|compare|convert|clean|ocr|keep|draft|create|generate|suggest|describe|explain|explore|ingredients|steps|mach|schreib|gib|liste|erklär|fais|écris|donne|explique|corrige|haz|escribe|dame|explica|ordena|faz|escreve|dá|fai|scrivi|dammi|spiega|continua)\b`,
  'iu',
);

interface Introduction {
  readonly request: string;
  /** Where the text begins that it may introduce. */
  readonly start: number;
  readonly isColon: boolean;
}

/** Returns what may introduce a text: words before a colon, and the first line or paragraph. */
function introductions(text: string, paragraphs: readonly Span[]): Introduction[] {
  const found: Introduction[] = [];
  const add = (from: number, at: number, isColon: boolean): void => {
    const start = at + (/^\s*/u.exec(text.slice(at))?.[0].length ?? 0);
    found.push({ request: text.slice(from, at).trim(), start, isColon });
  };
  for (const [position, { start, end }] of paragraphs.entries()) {
    const said = text.slice(start, end);
    const colon = COLON.exec(said);
    const line = said.indexOf('\n');
    const isFirst = position === 0;
    if (colon && (colon.index < MAX_REQUEST_CHARACTERS || colon.index + 1 === said.trimEnd().length))
      add(start, start + colon.index + colon[0].length, true);
    if (isFirst && line >= 0 && line < MAX_REQUEST_CHARACTERS) add(start, start + line, false);
    if (isFirst && line < 0 && paragraphs.length > 1) add(start, end, false);
    const stop = isFirst ? SENTENCE_STOP.exec(said) : null;
    if (stop && CONTINUES.test(said.slice(0, stop.index))) add(start, start + stop.index + 1, true);
  }
  return found;
}

/** The text ends where the user speaks again: at a last paragraph that asks for something. */
export function endOfText(text: string, start: number, paragraphs: readonly Span[]): number {
  const last = paragraphs.at(-1);
  if (!last || last.start <= start) return text.length;
  const said = text.slice(last.start, last.end);
  if (!ASKS_AGAIN.test(said) && !/^\s*\(.*\)\s*$/su.test(said)) return text.length;
  return last.start;
}

/** Returns what stands before a request that closes the message: "… Translate this to German please." */
function before(text: string, paragraphs: readonly Span[]): WorkedOn[] {
  const sentences = sentencesIn(text, 'whole').filter(
    ({ start, end }) => text.slice(start, end).trim() !== '',
  );
  const last = sentences.at(-1);
  if (!last || sentences.length < 2) return [];
  const request = text.slice(last.start, last.end);
  const closing = text.slice(paragraphs.at(-1)?.start ?? 0);
  const isAbove = ABOVE.test(closing);
  // "This was in my inbox: …" points at what follows.
  const isAfter = paragraphs.length > 1 && IT_IS.test(closing) && !POINTS_AHEAD.test(closing);
  if (isAfter) return [{ start: 0, end: paragraphs.at(-1)?.start ?? 0, isUnclear: true }];
  // On the same line it may be what the user tells before: "I have a date. She texted me that, how should I reply?"
  if (SENT.test(request) && ASKS_WHAT.test(request))
    return [{ start: 0, end: last.start, isUnclear: !text.slice(0, last.start).includes('\n') }];
  if (isAbove && paragraphs.length > 1)
    return [{ start: 0, end: paragraphs.at(-1)?.start ?? 0, isUnclear: false }];
  if (!EDITS.test(request) || !POINTS.test(request) || OWN_TEXT.test(request) || /["“„«:]/u.test(request))
    return [];
  return [{ start: 0, end: last.start, isUnclear: false }];
}

/** Words of a last paragraph that say what the text above it is. */
const IT_IS =
  /^\s*[-–—(^]?\s*(?:this (?:is|was|came|comes|arrived|one is)|(?:that(?:'s| is| was)|thats) (?:the|an?|from|his|her|their|what|how)\b|these are|it(?:'s| is) from|from (?:a|the|my)|c'est|das (?:ist|war|kam)|esto es|isto é|questo è)\b/iu;
const POINTS_AHEAD = /^[^.?!:\n]{1,120}[:：]\s*\S/u;
/** Words of a last paragraph that point at what stands above it. */
const ABOVE =
  /^\s*\^|\b(?:the )?above\b(?!\s+(?:you|me|us|him|her|them|it|my|your|our|his|their|the|an?)\b)|^\s*(?:add|insert|sort|fill)\b[^.?!]*\b(?:columns?|rows?|headers?|table)\b|\b(?:oben|ci-dessus|de arriba|acima|qui sopra)\b/iu;

/** Somebody has sent the user what stands before: "a friend sent me this". */
const SENT = regex(
  String.raw`(?<![\p{L}'’](?:i|we)\s)\b(?:sent|wrote|texted|messaged|forwarded|posted)(?:\s(?:me|us|to me|to us))?\s(?:this|that|it)(?=\s?[,.;:?!]|$|\s(?:and|but|today|yesterday|last|just)\b|\s(?:to|from|on|by|in)\s(?!order\b))
    \b(?:das|dies|es)\s(?:hat|haben)\s(?:mir|uns)\s[^.?!]{0,40}?\b(?:geschickt|geschrieben|gesendet|weitergeleitet)\b
    \bhat\s(?:mir|uns)\s(?:das|dies)\s[^.?!]{0,20}?(?:geschickt|geschrieben)\b
    \b(?:me|nos)\s(?:lo\s)?(?:mandó|envió|escribió|ha\s(?:mandado|enviado|escrito))(?![\p{L}])
    \b(?:m['’]a|nous\sa)\s(?:envoyé|écrit)\s(?:ça|ceci|cela)\b`,
  'iu',
);
/** Questions about a text. */
const ASKS_WHAT = regex(
  String.raw`(?<![\p{L}])(?:what (?:does|do|did) (?:it|that|this|these|he|she|they) (?:mean|want|say)|what'?s (?:it|that|this) (?:mean|about)|meaning|in (?:{language})|translat\w*|is (?:it|that|this) (?:rude|polite|a scam|a joke|legit|serious|real|meant)|(?:how|what) (?:do|should|can|would) i (?:answer|reply|respond|say)|(?:reply|respond|answer) to (?:it|this|that|him|her|them)
    was (?:heißt|bedeutet|meint|will)|auf (?:{language})|übersetz\w*|qué (?:significa|quiere decir)|traduc\w*|(?:ça|cela) veut dire|que veut dire|traduis\w*|en (?:{language}))(?![\p{L}])`,
  'iu',
);

/** A quotation or fence is found by its own marks. */
const OPENING_MARK = /^(?:["“„«»‹›「‘>]|'(?=\S)|`{3}|~{3})/u;
const POINTS_AT_END = /\b(?:this|these|that|this one|these ones|below|attached)\s*[?:.!]*\s*$/iu;
/** Words that say where a text comes from, at the end: "one of them wrote this (on paper):". */
const CAME =
  /\b(?:wrote|sent|got|received|posted|found|left|says?|said|reads) (?:me |us )?(?:this|these|that|it)\b[^.?!]*$|\b(?:theirs|his|hers)\b[^.?!]{0,12}$/iu;
const IN_LANGUAGE = regex(
  String.raw`^(?:and |now |same )?(?:in|auf|en|into|to) (?:{language})\b[^.?!]{0,20}$`,
  'iu',
);
const EDITS = regex(
  String.raw`\b(?:translat\w*|proof-?read\w*|rewrite|rephrase|reword|summari[sz]e|shorten|paraphrase|correct|edit|fix|polish|simplify|grammar|sounds? (?:right|ok|okay|natural|better)|next (?:verse|line|chapter|stanza)|where(?:'s| is) (?:it|this|that) from|who (?:wrote|said|sang) (?:it|this|that)
    übersetz\w*|korrigier\w*|traduc\w+|tradu[zc]\w*|corrig\w+|traduis\w*|reformul\w+)\b|翻译|润色|修改|訳して|翻訳|添削`,
  'iu',
);

/** What stands behind one of them is usually read as a whole. */
const MAX_INTRODUCTIONS = 6;
const MAX_REQUEST_CHARACTERS = 240;
const COLON = /(?:[:：]|\s[-–—])(?=\s|["'“‘„«「])|：/u;
const SENTENCE_STOP = /[.!?](?=\s)/u;
const CONTINUES =
  /\b(?:continue|finish|go on with|carry on with|weiter|continúa|continue) (?:my|the|this|our|mein\w*) (?:novel|story|chapter|scene|poem|song|tale|roman|novela)\b/iu;
const ASKS_AGAIN = /\?\s*$|\b(?:please|pls|can you|could you|write|make|tell me|help me|give me|now)\b/iu;

const WORK_ON = regex(
  String.raw`\b(?:translat\w*|proof-?read\w*|rewrite|rephrase|reword|continue|schreib weiter|summari[sz]e|sum up|shorten|paraphrase|correct|edit
    fix|polish|improve|simplify|classify|extract|sentiment|reported speech|review (?:this|these|the|it|my)|analy[sz]e (?:this|these|the|it|my)
    (?:score|rate|grade|rank|judge|check|format|explain|debug|mark) (?:this|these|the|it|each|our|his|her|their|my)|reply to|respond to|answer (?:this|it|her|him|them)|tl;?dr|grammar|feedback on|thoughts on
    sounds? (?:nicer|better|natural|right|ok|okay|too|more|less|professional|native)|what (?:do|should|can) i (?:say|tell|reply|answer|write back)|what does (?:this|it|he|she|that|the|line|\w+ \w+) (?:do|mean|say|want)
    is (?:this|it) (?:a )?(?:scam|legit|real|spam|true|correct|ok|okay|too)|(?:headline|title|caption|questions?|subtitle|alt text|summary|comments?) (?:for|from|to|on) (?:this|these|it|the)
    übersetz\w*|korrigier\w*|fasse?\b.{0,200}\bzusammen|kürz\w*|verbesser\w*|traduc\w+|tradu[zc]\w*
    corrig\w+|resum\w+|traduis\w*|résum\w+|reformul\w+)\b|翻译|润色|总结|修改|续写|用\p{Script=Han}{1,3}怎么说|訳して|翻訳|要約|添削`,
  'iu',
);
const POINTS =
  /\b(?:this|these|below|following|attached|above|that|it|them|each|diese[rsn]?|dies|das|folgende\w*|est[ae]|eso|lo|cette|ce|ça|voici|isso)\b|\^|这|これ/iu;
const TEXT_WORD = String.raw`(?:e-?mails?|mails?|messages?|texts?|letters?|web ?pages?|pages?|articles?|ads?|adverts?|job (?:offer|posting|ad|advert|description)|postings?|logs?|errors?|stack ?trace|output|transcripts?|contracts?|clauses?|paragraphs?|passages?|lyrics|tweets?|threads?|comments?|announcements?|reports?|snippets?|quotes?|invitations?|reviews?|poems?|story|stories|novels?|scenes?|chapters?|dialogues?|scripts?|screenplays?|essays?|diary|entries|excerpts?|openings?|narrator|voice|characters?|witness|persona|bios?|testimonials?|statements?|resumes?|cvs?|candidates?|applicants?|recipes?|readme|docs?|code|functions?|exercises?|sentences?|lines?|notes|minutes|survey|posts?|captions?|stellenanzeige|nachricht|artikel|anzeige|seite|correo|mensaje|texto|carta|anuncio|página|courriel|texte|lettre|annonce|page web|mensagem|anúncio)`;
/** Texts that somebody has made. */
const LITERARY = String.raw`(?:notes?|letters?|cards?|posts?|reviews?|ads?|adverts?|lyrics?|songs?|poems?|verses?|raps?|speech|speeches|eulogy|toast|vows|sermon|story|stories|tales?|essays?|monologues?|diary|blog|bios?|messages?|e-?mails?|texts?|tweets?|captions?|ballads?|gedichte?|lied|rede|geschichte|brief|poema|canción|discurso|cuento|poème|chanson|discours|histoire|lettre)`;
/** Words in the first person, which somebody in a text may say. */
const OWN_VOICE = String.raw`(?:i|i'm|my|we)\s[^\n]+`;
const SAY = regex(
  String.raw`\bhow (?:do|would|can|should) (?:you|i|we|one) (?:say|write|spell|phrase|put|translate)\b:?\s+(?<what>[^?\n]+?)\s+(?:in|auf|en|into|to) \p{L}+\s*\?
    \b(?:which (?:one )?(?:is|sounds) (?:right|correct|better|more natural)|is it (?:right|correct|ok|okay|better) to (?:say|write)|what'?s the difference between)\b[^\n:]{0,40}?[:,]?\s+(?<what2>[^\n]+)
    \b(?:first|last|opening|closing)\s(?:line|sentence|words?|verse)(?:\sis)?\s?:?\s+(?<what3>${OWN_VOICE})
    \b(?:${TEXT_WORD}|${LITERARY})\b(?:(?!\s(?:i|i'm|im|we|my|our)\s)[^\n.,:;!?]){0,40}?\s(?:(?:begin|start|open|end)s?\swith|begins|starts|beginning|starting|opens|opening)(?:\swith)?\s?:?\s+(?<what4>${OWN_VOICE})`,
  'giu',
);
const TEXT_NAMED = regex(
  String.raw`\b(?:this|these|that|those|the|his|her|their|our|an?|which|following|attached|each|every|here'?s|here is|got|received|found|saw|from|for|diese[rsn]?|der|die|das|este|esta|el|la|cette|ce|le|voici)\s+(?:[\p{L}'’-]+\s+){0,3}?${TEXT_WORD}\b`,
  'iu',
);
/** Requests to write something of one's own wording. */
const WRITES =
  /\b(?:begins?|starts?|opening line|first (?:line|sentence)|saying|that says|with the words?|fill in|remember this|text|tell|write|message|email|dictat\w+)\b/iu;
/** Texts that are about the user, whoever works on them. */
const OWN_TEXT = regex(
  String.raw`\b(?:about (?:me|myself|us|my)|my (?:[\p{L}'’-]+ )?(?:cv|resume|résumé|curriculum|answers|(?:actual |real )?(?:year|life)|diary|journal|notes?|list|budget|schedule|timeline|situation|background|setup|stats|steps|symptoms|details|profile|day|week|plan|goals|medications?|meds|allergies|poem|log|checklist|table|data|numbers|results|specs?)|(?:here'?s|this is|here is) me|to myself|note to self|i (?:made|keep|kept|wrote down) (?:a |this )?(?:list|note|log|diary)|(?:it'?s|that'?s|this is) me\b|(?:by|from) me\b|(?:it'?s|its|all) (?:all )?(?:honest|true|mine)\b|true version|es mía|mine(?: so far)?\s*$|myself|my own|von mir|de moi|de mí|meu mesmo|i (?:filled|typed|filed|noted)|filled in|(?:our (?:actual |real )?(?:year|life)|my (?:[\p{L}'’-]+ )?(?:profile|bio|form|about page))|for me,[^:]*$|zu mir|über mich|mein(?:e|en)? (?:lebenslauf|tagebuch|liste)|mon (?:journal|cv)|sobre mí|mi (?:diario|cv)|(?:steps|context|background|setup|update|edit|situation|symptoms|facts|info|ps|p\.s\.|fyi|btw|tl;?dr)\s*[:：]?\s*$)\b
    \b(?:steps|context|background|setup|update|edit|situation|symptoms|facts|info|fyi|btw)\s*[:：]?$`,
  'iu',
);
/** A text that is somebody's: "Otto's poem", "a speech by my aunt". */
const AUTHORED = regex(
  String.raw`(?<![\p{L}'’])(?!(?:it|that|what|here|there|let|who|how|where|he|she|today|tomorrow|yesterday|tonight|week|month|year|life|{weekday})['’])\p{L}+(?:['’]s|s['’])\s(?:[\p{L}'’-]+\s){0,2}?${LITERARY}(?:\s[^.!:\n]{0,30})?[\s?:]{0,5}$
    \b${LITERARY}\s(?:by|from|von|de|par)\s(?!(?:me|mine|myself|mir|moi|mí|the heart)\b)[\p{L}'’. -]{2,40}[\s?:]{0,5}$`,
  'iu',
);
const FOR_MINE = /\b(?:for|to|an|für|pour|à|para|per) (?:my|our|mein\w*|mon|ma|mi|meu|minha|mio|mia)\b/iu;
/** What is written in one's own name and seldom received, unlike mails and messages. */
const OWN_DRAFT =
  /\b(?:my|mein\w*|mi|mon|ma|meu|minha) (?:\p{L}+ ){0,2}?(?:cover letter|application|essay|speech|bewerbung|anschreiben|motivationsschreiben|lettre de motivation|candidature|carta de presentación)\b/iu;
const OWN_LETTER =
  /\b(?:my|our|mein\w*|mi|mon|ma|meu|minha) (?:\p{L}+ ){0,2}?(?:letters?|cover letter|e-?mails?|mails?|messages?|drafts?|posts?|application|text|complaint|essay|speech|brief|bewerbung|anschreiben|motivationsschreiben|carta|lettre|courriel)\b/iu;
