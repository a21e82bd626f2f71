import { fold } from '../fold.ts';
import { hasWord } from '../words/life-words.ts';
import { regex } from '../words/lists.ts';

/** Number of characters at the beginning of a text that are looked at, and at its end. */
const NEAR = 200;

/**
 * Whether a text in German, French, Spanish, Portuguese, Italian, Dutch, Chinese or Japanese has the form of a request or of a
 * question that is written without a question mark: it begins with what is asked for ("Rezept für …", "diferencia entre …"),
 * with an imperative or with a question word behind a preposition, names alternatives ("… fruta o verdura"), or ends as
 * requests do. In the first person, such a text may still tell something.
 */
export function hasRequestForm(text: string): boolean {
  const trimmed = text.trim();
  const opening = fold(trimmed.slice(0, NEAR));
  if (!OPENS.test(opening) && !ENDS.test(trimmed.slice(-NEAR))) return false;
  // What is asked for may be somebody's: "la receta de la abuela".
  return !hasWord(opening, 'kin') && !hasWord(opening, 'others');
}

/** What is asked for, most often in general, by beginnings of words. */
const ASKED_FOR = {
  german:
    'rezept|liste|zusammenfassung|unterschied|formel|synonym|hauptstadt|anleitung|beispiel|tipps|ideen|ubersetzung|definition|bedeutung|gedicht|geschichte|trainingsplan|vorschl',
  romance:
    'recet|receit|ricett|list[ae]|elenco|resum|riassunto|diff?eren|formul|sinonim|synonym|capital|ejemplo|exempl|esempi|idei?[ae]|tradu|defini|signif|consej|conseil|conselh|consigl|dicas|trucos|astuces|poem|poesia|cuento|histo|storia|programm|plan(?:es|os?)?(?= )|rutina|treino',
};

/** In folded text. Imperatives that are also what people say of themselves ("suche", "fais", "busca") are left out. */
const OPENS = regex(
  String.raw`^(?:bitte )?(?:(?:eine?|kurze|einfache|gute|der|die|das) ){0,2}(?:${ASKED_FOR.german})\p{L}* (?:fur|von|zwischen|der|des|zu[mr]?|mit)\b
    ^(?:bitte )?(?:nenne?|gib|zeig|korrigiere?|erstelle?|vergleiche?|fasse?|formuliere?|mach (?:mir|uns|eine?n?)|hilf) |^bitte .*\p{L}(?:en|ern|eln)\b
    ^was (?:ist|sind|kostet|kosten|bedeutet|heisst|macht|passiert|kann|braucht|gibt|hilft|war)\b|^(?:(?:in|an|aus|mit|bei|auf|zu|von|ab|bis|seit|um|fur) )?(?:welche|wieviel)|^(?:wofur|woraus|womit|wodurch|wozu|woher|wohin|wieso|weshalb)\b
    ^(?:ist|sind|hat|haben|kann|konnen|darf|durfen|muss|mussen|gibt es|braucht) .{2,80}\boder\b
    ^(?:(?:une?|una|uma|l[aeo]s?|il|i|os?|as?|des|quelques|algun[ao]s|alcun[ei]) ){0,2}(?:${ASKED_FOR.romance})\p{L}* (?:(?:cort[oa]|courte?|curt[oa]|breve|simples?|semplice|rapid[oae]s?|facil[ei]?s?) )?(?:de|du|des|del|dell[ao]|d[aio]s?|dei|para|pour|per|entre|tra|fra|d')(?: |(?<='))
    ^(?:donne|corrige|cite|propose|compare|calcule|trouve|reformule|invente|fais|dis|aide)(?:z |-moi\b)|^(?:corrige|reformule|reformula|invente|inventa|calcula|calcola|compara|confronta|riformula) (?:cette|ce|une?|est[aeo]s?|uma?|una?|quest[aeio]|el|la|os?|as?|il|l[eo])\b
    ^(?!(?:co|mi?s|lla|tra|respond|contes|recuerd|acuerd|habl|tute)\p{L}*me )\p{L}+me (?:el|los|las|una?|unos|unas|algun\p{L}*|\d+|dos|tres|cuatro|cinco|diez|ideas?) 
    ^me (?:cont[ae]|d[ae]|di[zg]a?|fal[ae]|pass[ae]|expli\p{L}+|indi\p{L}+|recomend[ae]|sugira|sugere|ajud[ae]|mostr[ae]|mand[ae]|ensin[ae]) 
    ^(?:geef|noem|maak|vertel|toon|help|vergelijk) (?:me|mij|eens|even|een|de|het|dit|deze|\p{L}{3,}) 
    ^(?:dame|dime|haz|hazme|pon|faz|cria|enumera|propon|ayudame|corrija|me de|de-me|faca|liste|recomende|sugira|me diga|correggi|dammi|dimmi|elenca|fai|fammi|proponi|aiutami|fa(?:is|ites) une?) 
    ^(?:(?:a|ad|da|de|di|em|en|in|com|con|avec|dans|par|per|por|pour|desde|depuis|sur) )?(?:quel(?:le)?s?|quoi|combien|cual(?:es)?|cuant[ao]s?|quale?|quali|quais|quant[aeio]s?|cosa|que cosa|che cosa)\b(?!.*\bnon\b)|^(?:(?:a|de|en|em|com|con|por|in|di|da|desde) )?(?:que|che) (?!me\b|nos\b|no\b|mi|ci\b|non\b|minha)|^(?:c'est quoi|qu'est|est-ce)|^para que serve?
    \b(?:est|sont|a|ont|peut|doit|faut|existe|va)-(?:t-)?(?:elle|ils?|elles|on|ce)\b
    ^(?:(?:el|l[ae]s?|los|un[ae]?|os?|as?|il|lo|i|gli|uma?) )?\p{L}{2,} (?:es|e) [^,.]{2,30} (?:o|ou|u) [^,.]{2,30}$
    \b(?:der welt|du monde|d[eo]l? mundo|del mondo)$
    ^(?:[请請]|[帮幫]|[给給]我?[一两三几個个讲講说說写寫想起来列找出]|推[荐薦]|列[出举一]|[写寫][一个個首篇段]|翻[译譯]|[把将].{1,80}(?:翻[译譯]|改|[换換]|[译譯写寫]|[缩縮]|[变變]|[总總])|再(?:[短长長简簡详正写寫改来來给給换換]|具[体體]|口[语語])|用.{1,12}(?:介[绍紹]|解[释釋]|[写寫说說讲講])|[还還]有(?:[别別]|其他|什[么麼])|解释|介绍|总结|概括|修改|改写|润色|比较|计算|换算|生成|设计一|讲[一讲个解]|说说|举[一几例])
    (?:(?:怎[么样]|什么|哪|谁)(?![^，。]{0,6}[都也])|如何|为何|(?<![没不])多(?:少(?!有)|久|长|远|大|高|重|快|深)|几[个岁点时年种]|是不是|有没有|能不能|可不可以|要不要|是[^我，。]{1,12}还是|世界(?:上?最|一|で一)|どちら|どっち|どれ)`,
);
/** Japanese asks at the end: "…の作り方", "…を教えて", "…ですか", "…とは". Chinese: "…吗", "…呢". */
const ENDS =
  /(?:(?<![まく])[てで](?:ください|下さい|ほしい|欲しい|くれ|もらえますか|くれますか|ね|よ)?|[かの]|とは|は|方法?|仕方|理由|違い|一覧|意味|仕組み|使い方|英語|例|レシピ|おすすめ\p{L}{0,12}|[一二三四五六七八九十\d]つ(?:選んで|挙げて)?|吗|呢|做法|方法|区别|意思|公式|步骤|食谱|攻略)[。！？?!\s]*$/u;
