/**
 * Phrases that make a request permanent: "always", "from now on", "when I ask". Texts are folded: see `foldForWords`.
 */
const FOR_GOOD = pattern(
  String.raw`from now on|going forward|in (?:the )?future|(?:the )?next times?|every time|each time|when(?:ever)? i (?:ask|say|send|write|paste|share|talk|type|want|need|tell|worry|am|'m)\w*
  ab jetzt|ab sofort|von jetzt an|in zukunft|kunftig|jedes mal|wenn ich (?:frage|schreibe|dich)
  de ahora en adelante|a partir de ahora|cada vez|cuando (?:te )?(?:pregunt|escrib|pid)\w+
  a partir de maintenant|desormais|dorenavant|a chaque fois|quand je (?:demande|pose|t)\w*
  de agora em diante|a partir de agora|toda vez|quando eu (?:pergunt|escrev|ped)\w+`,
  '以后|每次|从现在|これから|毎回|今後',
);
/** A request at the beginning of a clause or after its first words. */
const ASKS_FOR = pattern(
  String.raw`please|pls|plz|(?:could|can|would|will) you|(?:just |only )?(?:answer|reply|respond|explain|write|give me|show|use|keep|tell|spell|format|start|begin|end|skip|avoid|stop|don'?t|do not|never|always|no|be|speak|talk)
  bitte|kannst du|antworte|schreib|erklar|nutze|verwende|zeig
  por favor|puedes|responde|escrib[ei]|explica|usa
  s'il te plait|s'il vous plait|stp|svp|peux-tu|pouvez-vous|reponds|ecri[st]|explique|utilise
  voce pode|pode|responda|escreva|explique|use`,
  '请|ください|て欲しい|てほしい',
);
/** Requests that are permanent by their wording. */
const ALWAYS = pattern(
  String.raw`(?:please|pls|plz) (?:always|never)|^(?:and |also |but |so )?(?:always|never) (?:answer|reply|respond|explain|write|give me|show|use|keep|tell|say|start|begin|end|add|call|ask)|(?:always|never) .*(?:please|pls|plz)$
  (?:please |pls )?stop (?:saying|calling|apologi[sz]ing|asking|adding|ending|starting|telling|giving|writing)
  (?:please|you can|you may|just|always) be (?:direct|blunt|honest|brief|frank|concise|formal|informal|casual|strict|polite)
  bitte (?:immer|nie|niemals|nur noch|kein\w* mehr)|siempre .*por favor|por favor siempre|nunca me|toujours .*(?:stp|svp|s'il)|sempre .*por favor|por favor sempre`,
  '请(?:总是|一直|不要再|别再)|いつも.*(?:ください|て)|もう.*ないで',
);
/** Phrases for how the user wants to be called. */
const ADDRESS = pattern(
  String.raw`(?:call|address) me (?!back|when|if|later|tomorrow|an?|on|at|in|after|before|by phone|out|up)\w+
  nenn mich|sag (?:ruhig |bitte |doch )?(?:du|sie) zu|(?:ruhig|gern|gerne) (?:du|sie) sagen|duz\w* mich|siez\w* mich
  llamame|puedes llamarme|tuteame|appelle[sz]?-moi|(?:tu peux|vous pouvez) m'appeler|tutoie[sz]?-moi|me chame|me chama de|pode me chamar`,
  '叫我|と呼んで',
);
/** Maximum number of words before the request; after more it belongs to another clause. */
const OPENING_WORDS = 4;

/** Whether a folded clause says how the user wants to be called. */
export function isFormOfAddress(folded: string): boolean {
  return ADDRESS.test(folded);
}

/** Whether a folded clause asks for something in every answer: a form of address, a format, or what to leave out. */
export function isStandingWish(folded: string): boolean {
  if (isFormOfAddress(folded) || ALWAYS.test(folded)) return true;
  if (!FOR_GOOD.test(folded)) return false;
  const request = ASKS_FOR.exec(folded);
  if (!request) return false;
  const words = folded.slice(0, request.index).match(/[\p{L}\p{N}'-]+/gu)?.length ?? 0;
  return words <= OPENING_WORDS || FOR_GOOD.test(folded.slice(0, request.index));
}

function pattern(words: string, unspaced: string): RegExp {
  const alternatives = words.replaceAll(/\n\s*/gu, '|');
  return new RegExp(String.raw`(?<![\w'])(?:${alternatives})(?!\w)|${unspaced}`, 'u');
}
