/** What is asked of the memory. */
export type AskedOfMemory = 'forget' | 'remember' | 'what-do-you-know';

/** Ways to say what one wants of the memory. */
interface IntentPattern {
  readonly kind: AskedOfMemory;
  /** Read from the beginning of a sentence, in lower case and without marks on Latin letters. */
  readonly patterns: readonly RegExp[];
  /** Only behind words that ask for something: "kannst du dir das merken". */
  readonly needsRequest?: true;
  /** It is a request also where it ends in a question mark: "你能忘记……吗". */
  readonly isRequest?: true;
}

const words = (...sources: readonly string[]): readonly RegExp[] =>
  sources.map((source) => new RegExp(`^(?:${source})$`, 'du'));

const ABOUT = '(?<about>.+?)';

/** What opens a sentence and says nothing. */
export const OPENING: RegExp =
  /^(?:please|pls|plz|hey|hi|hello|ok|okay|so|well|and|but|now|then|alright|right|also|actually|sorry|btw|by the way|one more thing|from now on|for (?:the )?future(?: reference)?|bitte|hallo|ach|ja|und|ubrigens|por favor|oye|hola|vale|bueno|y|s'il (?:te|vous) plait|stp|svp|salut|bonjour|alors|et|ola|oi|olha|e|bom)(?![\p{L}\p{N}'-])[\s,:!.]*|^(?:请|請|麻烦|麻煩|嘿|你好|好的|对了|對了|那么|すみません|お願い|ねえ|あの|では|じゃあ)[\s,，、:!！]*/u;

/** What makes a question of a request. */
export const REQUEST: RegExp =
  /^(?:(?:can|could|would|will) (?:you|u)(?: please| kindly| just)?|i (?:want|need|would like|'d like) you to|i'd like you to|would you mind|you (?:can|may))\s+|^(?:kannst|konntest|wurdest) du(?: bitte)?\s+|^(?:puedes|podrias|puede|podria)(?: por favor)?\s+|^(?:peux-tu|pourrais-tu|tu peux|tu pourrais|pouvez-vous|pourriez-vous)(?: s'il (?:te|vous) plait)?\s+|^(?:voce pode|voce poderia|pode|poderia|podes|podias)(?: por favor)?\s+/u;

/** Thanks, and what makes a request polite behind it. */
export const CLOSING: RegExp =
  /[\s,.!]+(?:please|pls|thanks|thank you|thx|ok|okay|bitte|danke|gracias|por favor|merci|s'il (?:te|vous) plait|stp|svp|obrigad[oa]|faz favor)$|[\s，、。]*(?:谢谢|謝謝|好吗|好嗎|ありがとう|お願いします)$/u;

/** Behind "forget": what is kept of somebody, or that something was so; "forget it" means no more than "never mind". */
const KNOWN_EN =
  "(?:everything|all|anything|whatever|what|all of it)(?: that)?(?: (?:you|u)(?:'ve| have)? (?:know|remember|have|saved?|stored?|learned|kept)| i(?:'ve| have)? (?:told|said to) you)(?: (?:about|on|of))?";
const MEMORY_EN = '(?:your |the )?(?:memory|memories|records?)';
const FACT_EN = '(?:(?:about )?(?:that|the fact that|the part where|how)|(?:all )?about|:)';

const ENGLISH: readonly IntentPattern[] = [
  {
    kind: 'remember',
    patterns: words(
      `(?:do not|don't|dont|never) (?:ever )?forget(?: (?:about|that))?[,:]? ${ABOUT}`,
      `(?:always )?remember(?: for (?:later|next time))?(?:[,:]| that(?! time\\b| day\\b| one\\b| night\\b)| this:?)? (?!when\\b|me\\b|how\\b|what\\b|who\\b|where\\b|the time\\b|that\\b|him\\b|her\\b|them\\b|it\\b)${ABOUT}`,
      'remember this',
      `(?:keep|bear) in mind(?:,| that|:)? ${ABOUT}`,
      `(?:make|take) (?:a )?note(?: that| of|:) ${ABOUT}`,
      `memori[sz]e(?: that| this)?:? ${ABOUT}`,
      `note (?:down )?that (?<about>(?:i|i'm|my|we|our)\\b.+?)`,
      `(?:save|store|put|keep|add) ${ABOUT} (?:to|in|into) (?:your )?memory`,
    ),
  },
  {
    kind: 'forget',
    patterns: words(
      `(?:please )?forget(?:ting)? ${KNOWN_EN}(?: ${ABOUT})?`,
      `forget(?:ting)?(?: ${FACT_EN})? (?!it$|about it$|this$|that$|you\\b|.*\\bfor (?:a|one) (?:moment|second|minute|while)\\b|.* for now$)${ABOUT}`,
      'forget (?:that|this)',
      `(?:delete|erase|remove|wipe|clear) ${KNOWN_EN}(?: ${ABOUT})?`,
      `(?:delete|erase|remove|wipe|drop|clear) (?:everything |all |anything )?(?:about )?(?:(?:that|the fact that) )?${ABOUT} from ${MEMORY_EN}`,
      `(?:delete|erase|wipe|clear) (?:your|the|my|all (?:your|my|of my)) (?:memory|memories)(?: (?:of|about) ${ABOUT})?`,
      `(?:delete|erase|remove) the fact that ${ABOUT}`,
      `(?:stop remembering|(?:do not|don't|dont) remember)(?: that)? ${ABOUT}`,
    ),
  },
  {
    kind: 'what-do-you-know',
    patterns: words(
      'what (?:all |things )?(?:else )?do (?:you|u) (?:already |still |actually )?know (?:about|of) (?<about>(?:me|us|(?:my|our) .+?))',
      `what (?:all )?(?:else )?(?:do (?:you|u) (?:already |still |actually )?remember|(?:have you|did you) (?:saved?|stored?|remember(?:ed)?|learned|kept|noted)|do you have (?:saved|stored|on file))(?: (?:about|of|on) ${ABOUT})?`,
      '(?:show|tell|give|list)(?: me)? (?:everything|all|what)(?: that)? (?:you|u) (?:know|remember|have)(?: (?:saved|stored))?(?: about (?<about>(?:me|us|(?:my|our) .+?)))?',
      "what(?:'s| is) in your memory(?: (?:about|on) (?<about>.+?))?",
      'what (?:facts|information|data|memories) do you have (?:about|on|of) (?<about>(?:me|us|(?:my|our) .+?))',
      '(?:show|list)(?: me)? (?:your|my) memor(?:y|ies)(?: (?:about|of) (?<about>.+?))?',
      'how much do you know about (?<about>(?:me|us|(?:my|our) .+?))',
    ),
  },
];

const GERMAN: readonly IntentPattern[] = [
  {
    kind: 'remember',
    patterns: words(
      `vergiss (?:bitte )?(?:nicht|nie),? (?:dass |: ?)?${ABOUT}`,
      `merke? dir(?: bitte)?(?: mal)?[,:]? (?:dass |folgendes: |das: )?${ABOUT}`,
      `(?:denk|denke) (?:bitte )?(?:immer )?daran,? (?:dass )?${ABOUT}`,
      `erinnere dich (?:bitte )?daran,? dass ${ABOUT}`,
      `(?:behalte?|behalt) (?:bitte )?(?:im kopf|im gedachtnis|in erinnerung),? dass ${ABOUT}`,
      `(?:speichere?|notiere?)(?: dir| bitte)*,? dass ${ABOUT}`,
    ),
  },
  {
    kind: 'forget',
    patterns: words(
      'vergiss (?:bitte )?(?:alles,? )?was du (?:uber|von) (?<about>.+?) (?:wei(?:ss|ß|s)t|gespeichert hast|gelernt hast)',
      `vergiss(?: bitte)?(?: wieder)?(?:,? dass|[,:])? (?!es$|das$|mal$|bitte\\b|dass\\b|es einfach$|das mal$|nicht\\b|nie\\b)${ABOUT}`,
      `ich (?:mochte|will),? dass du ${ABOUT} vergisst`,
      `(?:losche?|entferne?|streiche?) (?:bitte )?(?:alles uber )?${ABOUT} aus (?:deinem|dem) (?:gedachtnis|speicher)`,
      'losche? (?:bitte )?(?:alles,? )?was du (?:uber|von) (?<about>.+?) (?:wei(?:ss|ß|s)t|gespeichert hast)',
      'losche? (?:bitte )?dein gedachtnis',
    ),
  },
  { kind: 'remember', needsRequest: true, patterns: words(`(?:dir )?${ABOUT} merken`) },
  { kind: 'forget', needsRequest: true, patterns: words(`${ABOUT} (?:wieder )?vergessen`) },
  {
    kind: 'what-do-you-know',
    patterns: words(
      'was wei(?:ss|ß|s)t du (?:denn |eigentlich |alles |schon |noch )*(?:uber|von) (?<about>(?:mich|mir|uns|mein\\w* .+?|unser\\w* .+?))',
      `was hast du (?:dir )?(?:alles )?(?:uber|von|zu) ${ABOUT} (?:gespeichert|gemerkt|notiert|behalten)`,
      'was hast du (?:dir )?(?:alles )?(?:gespeichert|gemerkt|behalten)',
      '(?:zeig|zeige|sag|sage|erzahl|erzahle) mir(?: bitte)?,? (?:alles,? )?was du (?:alles )?(?:uber|von) (?<about>.+?) (?:wei(?:ss|ß|s)t|gespeichert hast)',
      'was steht in deinem gedachtnis(?: uber (?<about>.+?))?',
      `woran erinnerst du dich bei ${ABOUT}`,
      'wie viel wei(?:ss|ß|s)t du (?:uber|von) (?<about>(?:mich|mir|uns))',
    ),
  },
];

const SPANISH: readonly IntentPattern[] = [
  {
    kind: 'remember',
    patterns: words(
      `no (?:te )?olvides(?: de)?(?: que)? ${ABOUT}`,
      `recuerda(?: bien| siempre)?(?::| que) ${ABOUT}`,
      `recuerda (?<about>(?:mi|mis|nuestr[ao]s?) .+?)`,
      `acuerdate de(?: que)? ${ABOUT}`,
      `(?:que )?(?:recuerdes|recordar) que ${ABOUT}`,
      `ten (?:en cuenta|presente) que ${ABOUT}`,
      `(?:guarda|apunta|anota|memoriza)(?: en (?:tu )?memoria)?(?::| que) ${ABOUT}`,
    ),
  },
  {
    kind: 'forget',
    patterns: words(
      '(?:olvida|olvidar|borra|elimina|borrar) (?:todo )?lo que (?:sabes|recuerdas|tienes guardado) (?:de|sobre|acerca de) (?<about>.+?)',
      `olvida(?:te)?(?: de)?(?: que)? (?!lo$|eso$|esto$|el tema$)${ABOUT}`,
      `olvidar(?:te)?(?: de)?(?: que)? ${ABOUT}`,
      `quiero que (?:te )?olvides(?: de)?(?: que)? ${ABOUT}`,
      `no recuerdes(?: que)? ${ABOUT}`,
      `(?:borra|elimina|quita|borrar|eliminar) (?:todo sobre )?${ABOUT} de (?:tu|la) memoria`,
      `(?:borra|elimina|quita) de (?:tu|la) memoria(?: que)? ${ABOUT}`,
      '(?:borra|vacia) (?:toda )?tu memoria',
    ),
  },
  {
    kind: 'what-do-you-know',
    patterns: words(
      'que (?:mas )?sabes (?:ya )?(?:de|sobre|acerca de) (?<about>(?:mi|nosotros|nosotras|mi .+?|mis .+?))',
      `que (?:recuerdas|has guardado|tienes guardado|has aprendido)(?: (?:de|sobre|acerca de) ${ABOUT})?`,
      '(?:dime|muestrame|ensename|cuentame) (?:todo )?lo que (?:sabes|recuerdas|tienes) (?:de|sobre|acerca de) (?<about>.+?)',
      'que hay en tu memoria(?: sobre (?<about>.+?))?',
      'cuanto sabes (?:de|sobre) (?<about>mi)',
      'que (?:datos|informacion|recuerdos) tienes (?:de|sobre) (?<about>.+?)',
    ),
  },
];

const FRENCH: readonly IntentPattern[] = [
  {
    kind: 'remember',
    patterns: words(
      `n'oublie(?:z)? (?:pas|jamais)(?: que| qu'| de| d')? ?${ABOUT}`,
      `(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous)(?: bien)?(?: de)?(?: ?:| que| qu') ?${ABOUT}`,
      `(?:retiens|retenez|retenir|memorise[rz]?)(?: bien)?(?: ceci| cela)?(?: ?:| que| qu')? ?${ABOUT}`,
      `(?:garde[rz]?|gardez) (?:en memoire|en tete|a l'esprit)(?: que| qu')? ?${ABOUT}`,
      `(?:note|notez|noter)(?: bien)?(?: ?:| que| qu') ?${ABOUT}`,
    ),
  },
  {
    kind: 'forget',
    patterns: words(
      "(?:oublie[rz]?|efface[rz]?|supprime[rz]?) (?:tout )?ce que (?:tu sais|vous savez|tu as retenu) (?:de|sur|d'|a propos de) ?(?<about>.+?)",
      `oublie[rz]?(?: que | qu'| )(?!ca$|cela$|pas\\b|que\\b|qu'|un (?:instant|moment)\\b)${ABOUT}`,
      `je (?:veux|voudrais|souhaite) que tu oublies(?: que| qu')? ?${ABOUT}`,
      `(?:efface[rz]?|supprime[rz]?|retire[rz]?|enleve[rz]?) (?:tout sur )?${ABOUT} de (?:ta|votre|la) memoire`,
      `(?:efface[rz]?|supprime[rz]?|retire[rz]?) de (?:ta|votre|la) memoire(?: que| qu')? ?${ABOUT}`,
      '(?:efface|vide)[rz]? (?:toute )?(?:ta|votre) memoire',
    ),
  },
  {
    kind: 'what-do-you-know',
    patterns: words(
      "(?:que (?:sais-tu|savez-vous)|qu'est-ce que (?:tu sais|vous savez)|tu sais quoi)(?: deja| encore)? (?:de|sur|a propos de) (?<about>(?:moi|nous|(?:mon|ma|mes|notre|nos) .+?))",
      `(?:de quoi te souviens-tu|qu'as-tu retenu|qu'est-ce que tu as retenu|qu'as-tu enregistre)(?: (?:de|sur|a propos de) ${ABOUT})?`,
      '(?:dis-moi|montre-moi|raconte-moi|dites-moi|montrez-moi) (?:tout )?ce que (?:tu sais|vous savez|tu as retenu) (?:de|sur|a propos de) (?<about>.+?)',
      "(?:qu'y a-t-il|qu'est-ce qu'il y a) dans (?:ta|votre) memoire(?: sur (?<about>.+?))?",
      'quelles (?:informations|donnees) as-tu sur (?<about>.+?)',
    ),
  },
];

const PORTUGUESE: readonly IntentPattern[] = [
  {
    kind: 'remember',
    patterns: words(
      `nao (?:te |se )?esque(?:cas?|ca-se|cas-te)(?: de)?(?: que)? ${ABOUT}`,
      `(?:lembra|lembre|recorda|recorde)(?:-te|-se)?(?: sempre)?(?: de)?(?::| que) ${ABOUT}`,
      `(?:lembrar|recordar)(?:-se|-te)?(?: de)? que ${ABOUT}`,
      `(?:tenha|tem) em (?:mente|conta) que ${ABOUT}`,
      `(?:guarda|guarde|anota|anote|memoriza|memorize)(?: na (?:tua |sua )?memoria)?(?::| que) ${ABOUT}`,
    ),
  },
  {
    kind: 'forget',
    patterns: words(
      '(?:esquece|esqueca|esquecer|apaga|apague|apagar) (?:tudo )?o que (?:voce )?(?:sabes?|tens? guardado|lembras?) (?:sobre|de|acerca de) (?<about>.+?)',
      `(?:esquece|esqueca)(?:-te|-se)?(?: de)?(?: que)? (?!isso$|isto$|la$)${ABOUT}`,
      `esquecer(?:-te|-se)?(?: de)?(?: que)? ${ABOUT}`,
      `(?:eu )?quero que (?:voce )?(?:te )?esque(?:ca|cas)(?: de)?(?: que)? ${ABOUT}`,
      `(?:apaga|apague|remove|remova|apagar|tira|tire) (?:tudo sobre )?${ABOUT} da (?:tua |sua )?memoria`,
      `(?:apaga|apague|remove|remova) da (?:tua |sua )?memoria(?: que)? ${ABOUT}`,
      '(?:apaga|apague|limpa|limpe) (?:toda )?a (?:tua |sua )memoria',
    ),
  },
  {
    kind: 'what-do-you-know',
    patterns: words(
      'o que (?:e que )?(?:voce |tu )?(?:ja )?sabes? (?:sobre|de|acerca de) (?<about>(?:mim|nos|(?:o |a |os |as )?(?:meus?|minhas?|nossos?|nossas?) .+?))',
      `(?:o que|do que) (?:voce |tu )?(?:te |se )?(?:lembras?|guardou|guardaste|tens? guardado|aprendeu)(?: (?:sobre|de|acerca de) ${ABOUT})?`,
      '(?:diz-me|diga-me|me diga|me diz|mostra-me|me mostre|conta-me|me conte) (?:tudo )?o que (?:voce )?(?:sabes?|lembras?|tens?) (?:sobre|de|acerca de) (?<about>.+?)',
      'o que ha na (?:tua |sua )memoria(?: sobre (?<about>.+?))?',
      'que (?:dados|informacoes) (?:voce )?(?:tens?|tem) sobre (?<about>.+?)',
    ),
  },
];

const ASKS_ZH = '怎么|怎麼|如何|为什么|為什麼|什么时候|哪里|吗|嗎|呢';
const FORGET_ZH = '(?:忘记|忘記|忘掉|忘了)';

const CHINESE: readonly IntentPattern[] = [
  {
    kind: 'remember',
    isRequest: true,
    patterns: words(
      `(?:你)?(?:能|可以|能不能|可不可以)?(?:请|請)?(?:帮我|幫我)?(?:记住|記住|记下|記下|记下来|牢记|牢記)(?:[,，:：]|这一点|這一點|一下)?(?!了)(?!.*(?:怎么|什么|怎麼|什麼))(?<about>.+?)(?:吗|嗎)?`,
      `(?:记得|記得)(?!吗|嗎|.*(?:${ASKS_ZH}))${ABOUT}`,
      `(?:别|別|不要|千万别)(?:忘了|忘记|忘記)(?!吗|嗎)${ABOUT}`,
    ),
  },
  {
    kind: 'forget',
    isRequest: true,
    patterns: words(
      `(?:你)?${FORGET_ZH}(?:你)?(?:知道的)?(?:所有)?(?:关于|關於|有关|有關)(?!.*(?:${ASKS_ZH}))(?<about>.+?)(?:的(?:一切|所有(?:事|事情|信息|内容)?|事|事情|信息))?(?:吧)?`,
      `${FORGET_ZH}(?!吧$|了$|它$|.*(?:${ASKS_ZH}))(?<about>.+?)吧?`,
      `(?:你)?(?:能|可以|能不能|可不可以)(?:请|請)?${FORGET_ZH}(?<about>.+?)(?:吗|嗎)?`,
      `(?:我(?:要|想让|想讓|希望)你)${FORGET_ZH}(?<about>.+?)`,
      `把(?<about>.+?)(?:忘了|忘掉|忘记|忘記)吧?`,
      `(?:把)?(?:关于|關於)?(?<about>.+?)(?:从|從)(?:你的)?(?:记忆|記憶)(?:中|里|裡)(?:删除|刪除|删掉|抹去|清除)`,
      `(?:从|從)(?:你的)?(?:记忆|記憶)(?:中|里|裡)(?:删除|刪除|删掉|抹去|清除)(?:关于|關於)?(?<about>.+?)`,
      `(?:删除|刪除|清除)(?:你)?(?:所有)?(?:关于|關於)(?<about>.+?)的(?:所有)?(?:记忆|記憶)`,
      `(?:不要|别|別)再(?:记得|記得|记住|記住)(?<about>.+?)`,
    ),
  },
  {
    kind: 'what-do-you-know',
    patterns: words(
      '你(?:都|还|還)?(?:知道|了解|记得|記得|记住了|記住了)(?:些)?(?:关于|關於)?(?<about>我(?:们|們)?)(?:的)?(?:什么|什麼|哪些|多少|些什么)(?:事|事情|信息|情况)?',
      '你(?:都|还|還)?(?:知道|了解|记得|記得|记住了)(?:什么|什麼|哪些)(?:关于|關於|有关)(?<about>.+?)(?:的(?:事|事情|信息|情况)?)?',
      '(?:关于|關於|有关)(?<about>我)[,，]?你(?:都)?(?:知道|了解|记得|記得)(?:些)?(?:什么|什麼|多少)',
      '你(?:对|對)(?<about>我)(?:了解(?:多少|些什么|什么)|有(?:什么|多少|哪些)(?:了解|记忆))',
      '(?:告诉|告訴|给|給)我(?:看)?你(?:所)?(?:知道|记得|記得|了解)的?(?:所有|一切)?(?:关于|關於|有关)(?<about>.+?)(?:的(?:一切|所有(?:事|事情|信息)?|事|事情|信息))?',
      '你(?:的)?(?:记忆|記憶)(?:里|中|裡)(?:都)?有(?:什么|什麼|哪些)(?:关于(?<about>.+?)的(?:内容|信息|事))?',
      '(?:显示|列出|顯示)(?:你)?(?:所有)?(?:关于|關於)(?<about>.+?)的(?:记忆|記憶|信息)',
    ),
  },
];

const PLEASE_JA =
  '(?:ください|下さい|くれ|くれますか|くれませんか|もらえますか|もらえませんか|ほしい(?:です)?|欲しい|ちょうだい|ね|よ|な)*';

const JAPANESE: readonly IntentPattern[] = [
  {
    kind: 'remember',
    isRequest: true,
    patterns: words(
      `(?<about>.+?)(?:という)?(?:こと)?(?:を|は|も|と|って)?(?:ちゃんと)?(?:覚えて(?:おいて)?|おぼえて(?:おいて)?|記憶して(?:おいて)?|メモして(?:おいて)?)${PLEASE_JA}`,
      `(?<about>.+?)(?:という)?(?:こと)?(?:を|は|も)?(?:絶対に?)?忘れないで${PLEASE_JA}`,
    ),
  },
  {
    kind: 'forget',
    isRequest: true,
    patterns: words(
      `(?<about>.+?)(?:について)?(?:知って|覚えて)いる(?:こと|事)(?:を|は)?(?:全部|すべて|全て)?(?:忘れて|消して|削除して)${PLEASE_JA}`,
      `(?!もう$|それ(?:は|を)?忘れて|これ(?:は|を)?忘れて|今の(?:は|を)?忘れて)(?<about>.+?)(?:という|の)?(?:こと|事)?(?:を|は|も)?(?:もう|全部|すべて)?忘れて${PLEASE_JA}`,
      `(?<about>.+?)(?:の(?:こと|情報))?(?:を|は)?(?:あなたの)?(?:記憶|メモリー?)から(?:削除|消去?|抹消)して${PLEASE_JA}`,
      `(?:あなたの)?(?:記憶|メモリー?)から(?<about>.+?)(?:の(?:こと|情報))?を(?:削除|消去?|抹消)して${PLEASE_JA}`,
      `(?<about>.+?)(?:について|に関する)の?(?:記憶|メモリー?)を(?:すべて|全部)?(?:削除|消去?)して${PLEASE_JA}`,
    ),
  },
  {
    kind: 'what-do-you-know',
    patterns: words(
      '(?<about>私|僕|俺|わたし)(?:のこと|について|に関して)?(?:を|は|の)?(?:何|なに|どんなこと|どのくらい|どれくらい|どれだけ)(?:を|が)?(?:知って|覚えて|記憶して)(?:いますか|いるの|いる|ますか|るの|る)(?:か|の)?',
      '(?<about>.+?)(?:について|のことで)(?:何|なに|どんなこと)(?:を|が)?覚えて(?:いますか|いるの|いる|るの|る)(?:か|の)?',
      '(?<about>私|僕|俺|わたし)(?:のこと|について|に関して)で?(?:知って|覚えて)(?:いる|る)(?:こと|事)(?:を|は)?(?:全部|すべて|全て|何)?(?:教えて|見せて|話して|ですか)?(?:ください|下さい|くれ|ほしい)?',
      '(?:あなたは)?(?<about>私|僕|俺|わたし)の何を(?:知って|覚えて)(?:いますか|いるの|いる|るの|る)(?:か|の)?',
      '(?:あなたの)?(?:記憶|メモリー?)(?:に|には)(?:何|なに)が(?:ありますか|あるの|ある|入って(?:いますか|いる|る))',
      '(?<about>私|僕|俺|わたし)に(?:ついて|関する)の?(?:記憶|情報|データ|メモリー?)を(?:全部|すべて)?(?:見せて|表示して|教えて)(?:ください|下さい|くれ)?',
    ),
  },
];

/** In the order in which they are tried: "don't forget" is no wish to forget. */
export const INTENT_PATTERNS: readonly IntentPattern[] = [
  ...ENGLISH,
  ...GERMAN,
  ...SPANISH,
  ...FRENCH,
  ...PORTUGUESE,
  ...CHINESE,
  ...JAPANESE,
];
