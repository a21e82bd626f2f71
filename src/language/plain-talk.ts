import { fold } from './fold.ts';
import { sentencesIn } from './sentences.ts';
import { stretchesNotOwn } from './speech-acts.ts';
import { hasWord } from './words/life-words.ts';
import { moodWords } from './words/moods.ts';

/** A longer message, or one of more sentences or lines, may be a text from elsewhere that nothing shows to be one. */
const MAX_CHARACTERS = 400;
const MAX_SENTENCES = 5;
const MAX_LINES = 3;

/**
 * Whether words of a user's message are plain talk: in a short message without any stretch that is not the user's own,
 * a sentence without quotation marks, labels and requests that is neither asked, supposed, reported nor in jest. Only
 * this ends what the user has entered or decided; a mistake here loses what they have said explicitly.
 *
 * @param quote the words; the whole message if undefined
 * @param userName see {@link stretchesNotOwn}
 */
export function isPlainTalk(text: string, quote: string | undefined, userName?: string): boolean {
  const said = text.trim();
  if (said.length > MAX_CHARACTERS || said.split('\n').length > MAX_LINES) return false;
  const sentences = sentencesIn(text);
  if (sentences.length > MAX_SENTENCES || NO_TALK.test(said)) return false;
  const folded = fold(said);
  if (moodWords(folded, 'joke').length > 0 || hasWord(folded, 'material') || TEXT.test(folded)) return false;
  if (stretchesNotOwn(text, userName).length > 0) return false;
  const start = quote === undefined ? 0 : text.indexOf(quote);
  if (start < 0) return false;
  const end = quote === undefined ? text.length : start + quote.length;
  return sentences
    .filter((sentence) => sentence.end > start && sentence.start < end)
    .every((sentence) => !sentence.isAsked && isPlain(text.slice(sentence.start, sentence.end)));
}

/** Marks of quotations, labels, code, lists and tables. */
const NO_TALK = /["“”„«»`:：<>{}|[\]=_*#~]|^\s*(?:[-•–—>]|\d+[.)])\s|(?<!\p{L})['‘]|['’](?!\p{L})/mu;

/** What is written, spoken or worked on: the sentences beside these words may be those of a text. */
const TEXT =
  /\b(?:typ(?:e|ing)|writ(?:e|es|ing|ten)|wrote|draft\w*|dictat\w*|repeat|copy|copied|pasted?|quot(?:e|es|ed|ation)|recit\w+|read(?:s|ing)? (?:aloud|out|this|it)|letter|e-?mails?|messages?|texts?|posts?|captions?|notes?|speech|poems?|song|lyrics|stor(?:y|ies)|novel|essay|sentences?|paragraphs?|lines?|script|diktat|brief|mail|schreib\w*|carta|correo|escrib\w*|lettre|courriel|ecri\w*)\b/u;

function isPlain(sentence: string): boolean {
  const folded = fold(sentence);
  if (hasWord(folded, 'request') || hasWord(folded, 'say')) return false;
  return (['condition', 'doubt'] as const).every((mood) => moodWords(folded, mood).length === 0);
}
