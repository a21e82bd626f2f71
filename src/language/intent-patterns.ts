/** Kinds of request that a message can make of the memory. */
export type AskedOfMemory = 'forget' | 'remember' | 'what-do-you-know';

/** Ways to say what one wants of the memory. */
interface IntentPattern {
  readonly kind: AskedOfMemory;
  /** Read from the beginning of a sentence, in lower case and without marks on Latin letters. */
  readonly patterns: readonly RegExp[];
  /**
   * `if-asked`: only behind words that ask for something, as in "kannst du dir das merken". `as-question`: also if it ends
   * in a question mark, as in "你能忘记……吗".
   */
  readonly form: 'statement' | 'if-asked' | 'as-question';
}

/** Words that open a sentence and carry no meaning. */
export const OPENING: RegExp =
  /^(?:please|pls|plz|hey|hi|hello|ok|okay|so|well|and|but|now|then|alright|right|also|actually|sorry|btw|by the way|one more thing|from now on|for (?:the )?future(?: reference)?|bitte|hallo|ach|ja|und|ubrigens|por favor|oye|hola|vale|bueno|y|s'il (?:te|vous) plait|stp|svp|salut|bonjour|alors|et|ola|oi|olha|e|bom)(?![\p{L}\p{N}'-])[\s,:!.]*|^(?:请|請|麻烦|麻煩|嘿|你好|好的|对了|對了|那么|すみません|お願い|ねえ|あの|では|じゃあ)[\s,，、:!！]*/u;

/** Words that turn a request into a question. */
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
const ASKS_ZH = '怎么|怎麼|如何|为什么|為什麼|什么时候|哪里|吗|嗎|呢';
const FORGET_ZH = '(?:忘记|忘記|忘掉|忘了)';
const PLEASE_JA =
  '(?:ください|下さい|くれ|くれますか|くれませんか|もらえますか|もらえませんか|ほしい(?:です)?|欲しい|ちょうだい|ね|よ|な)*';

/** Patterns in the order in which they are tried: "don't forget" is not a request to forget. */
export const INTENT_PATTERNS: readonly IntentPattern[] = [
  // English
  asking('remember')`
    (?:do not|don't|dont|never) (?:ever )?forget(?: (?:about|that))?[,:]? …
    (?:always )?remember(?: for (?:later|next time))?(?:[,:]| that(?! time\b| day\b| one\b| night\b)| this:?)? (?!when\b|me\b|how\b|what\b|who\b|where\b|the time\b|that\b|him\b|her\b|them\b|it\b)…
    remember this
    (?:keep|bear) in mind(?:,| that|:)? …
    (?:make|take) (?:a )?note(?: that| of|:) …
    memori[sz]e(?: that| this)?:? …
    note (?:down )?that (?<about>(?:i|i'm|my|we|our)\b.+?)
    (?:save|store|put|keep|add) … (?:to|in|into) (?:your )?memory
  `,
  asking('forget')`
    (?:please )?forget(?:ting)? ${KNOWN_EN}(?: …)?
    forget(?:ting)?(?: ${FACT_EN})? (?!it$|about it$|this$|that$|you\b|.*\bfor (?:a|one) (?:moment|second|minute|while)\b|.* for now$)…
    forget (?:that|this)
    (?:delete|erase|remove|wipe|clear) ${KNOWN_EN}(?: …)?
    (?:delete|erase|remove|wipe|drop|clear) (?:everything |all |anything )?(?:about )?(?:(?:that|the fact that) )?… from ${MEMORY_EN}
    (?:delete|erase|wipe|clear) (?:your|the|my|all (?:your|my|of my)) (?:memory|memories)(?: (?:of|about) …)?
    (?:delete|erase|remove) the fact that …
    (?:stop remembering|(?:do not|don't|dont) remember)(?: that)? …
  `,
  asking('what-do-you-know')`
    what (?:all |things )?(?:else )?do (?:you|u) (?:already |still |actually )?know (?:about|of) (?<about>(?:me|us|(?:my|our) .+?))
    what (?:all )?(?:else )?(?:do (?:you|u) (?:already |still |actually )?remember|(?:have you|did you) (?:saved?|stored?|remember(?:ed)?|learned|kept|noted)|do you have (?:saved|stored|on file))(?: (?:about|of|on) …)?
    (?:show|tell|give|list)(?: me)? (?:everything|all|what)(?: that)? (?:you|u) (?:know|remember|have)(?: (?:saved|stored))?(?: about (?<about>(?:me|us|(?:my|our) .+?)))?
    what(?:'s| is) in your memory(?: (?:about|on) …)?
    what (?:facts|information|data|memories) do you have (?:about|on|of) (?<about>(?:me|us|(?:my|our) .+?))
    (?:show|list)(?: me)? (?:your|my) memor(?:y|ies)(?: (?:about|of) …)?
    how much do you know about (?<about>(?:me|us|(?:my|our) .+?))
  `,
  // German
  asking('remember')`
    vergiss (?:bitte )?(?:nicht|nie),? (?:dass |: ?)?…
    merke? dir(?: bitte)?(?: mal)?[,:]? (?:dass |folgendes: |das: )?…
    (?:denk|denke) (?:bitte )?(?:immer )?daran,? (?:dass )?…
    erinnere dich (?:bitte )?daran,? dass …
    (?:behalte?|behalt) (?:bitte )?(?:im kopf|im gedachtnis|in erinnerung),? dass …
    (?:speichere?|notiere?)(?: dir| bitte)*,? dass …
  `,
  asking('forget')`
    vergiss (?:bitte )?(?:alles,? )?was du (?:uber|von) … (?:wei(?:ss|ß|s)t|gespeichert hast|gelernt hast)
    vergiss(?: bitte)?(?: wieder)?(?:,? dass|[,:])? (?!es$|das$|mal$|bitte\b|dass\b|es einfach$|das mal$|nicht\b|nie\b)…
    ich (?:mochte|will),? dass du … vergisst
    (?:losche?|entferne?|streiche?) (?:bitte )?(?:alles uber )?… aus (?:deinem|dem) (?:gedachtnis|speicher)
    losche? (?:bitte )?(?:alles,? )?was du (?:uber|von) … (?:wei(?:ss|ß|s)t|gespeichert hast)
    losche? (?:bitte )?dein gedachtnis
  `,
  asking('remember', 'if-asked')`
    (?:dir )?… merken
  `,
  asking('forget', 'if-asked')`
    … (?:wieder )?vergessen
  `,
  asking('what-do-you-know')`
    was wei(?:ss|ß|s)t du (?:denn |eigentlich |alles |schon |noch )*(?:uber|von) (?<about>(?:mich|mir|uns|mein\w* .+?|unser\w* .+?))
    was hast du (?:dir )?(?:alles )?(?:uber|von|zu) … (?:gespeichert|gemerkt|notiert|behalten)
    was hast du (?:dir )?(?:alles )?(?:gespeichert|gemerkt|behalten)
    (?:zeig|zeige|sag|sage|erzahl|erzahle) mir(?: bitte)?,? (?:alles,? )?was du (?:alles )?(?:uber|von) … (?:wei(?:ss|ß|s)t|gespeichert hast)
    was steht in deinem gedachtnis(?: uber …)?
    woran erinnerst du dich bei …
    wie viel wei(?:ss|ß|s)t du (?:uber|von) (?<about>(?:mich|mir|uns))
  `,
  // Spanish
  asking('remember')`
    no (?:te )?olvides(?: de)?(?: que)? …
    recuerda(?: bien| siempre)?(?::| que) …
    recuerda (?<about>(?:mi|mis|nuestr[ao]s?) .+?)
    acuerdate de(?: que)? …
    (?:que )?(?:recuerdes|recordar) que …
    ten (?:en cuenta|presente) que …
    (?:guarda|apunta|anota|memoriza)(?: en (?:tu )?memoria)?(?::| que) …
  `,
  asking('forget')`
    (?:olvida|olvidar|borra|elimina|borrar) (?:todo )?lo que (?:sabes|recuerdas|tienes guardado) (?:de|sobre|acerca de) …
    olvida(?:te)?(?: de)?(?: que)? (?!lo$|eso$|esto$|el tema$)…
    olvidar(?:te)?(?: de)?(?: que)? …
    quiero que (?:te )?olvides(?: de)?(?: que)? …
    no recuerdes(?: que)? …
    (?:borra|elimina|quita|borrar|eliminar) (?:todo sobre )?… de (?:tu|la) memoria
    (?:borra|elimina|quita) de (?:tu|la) memoria(?: que)? …
    (?:borra|vacia) (?:toda )?tu memoria
  `,
  asking('what-do-you-know')`
    que (?:mas )?sabes (?:ya )?(?:de|sobre|acerca de) (?<about>(?:mi|nosotros|nosotras|mi .+?|mis .+?))
    que (?:recuerdas|has guardado|tienes guardado|has aprendido)(?: (?:de|sobre|acerca de) …)?
    (?:dime|muestrame|ensename|cuentame) (?:todo )?lo que (?:sabes|recuerdas|tienes) (?:de|sobre|acerca de) …
    que hay en tu memoria(?: sobre …)?
    cuanto sabes (?:de|sobre) (?<about>mi)
    que (?:datos|informacion|recuerdos) tienes (?:de|sobre) …
  `,
  // French
  asking('remember')`
    n'oublie(?:z)? (?:pas|jamais)(?: que| qu'| de| d')? ?…
    (?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous)(?: bien)?(?: de)?(?: ?:| que| qu') ?…
    (?:retiens|retenez|retenir|memorise[rz]?)(?: bien)?(?: ceci| cela)?(?: ?:| que| qu')? ?…
    (?:garde[rz]?|gardez) (?:en memoire|en tete|a l'esprit)(?: que| qu')? ?…
    (?:note|notez|noter)(?: bien)?(?: ?:| que| qu') ?…
  `,
  asking('forget')`
    (?:oublie[rz]?|efface[rz]?|supprime[rz]?) (?:tout )?ce que (?:tu sais|vous savez|tu as retenu) (?:de|sur|d'|a propos de) ?…
    oublie[rz]?(?: que | qu'| )(?!ca$|cela$|pas\b|que\b|qu'|un (?:instant|moment)\b)…
    je (?:veux|voudrais|souhaite) que tu oublies(?: que| qu')? ?…
    (?:efface[rz]?|supprime[rz]?|retire[rz]?|enleve[rz]?) (?:tout sur )?… de (?:ta|votre|la) memoire
    (?:efface[rz]?|supprime[rz]?|retire[rz]?) de (?:ta|votre|la) memoire(?: que| qu')? ?…
    (?:efface|vide)[rz]? (?:toute )?(?:ta|votre) memoire
  `,
  asking('what-do-you-know')`
    (?:que (?:sais-tu|savez-vous)|qu'est-ce que (?:tu sais|vous savez)|tu sais quoi)(?: deja| encore)? (?:de|sur|a propos de) (?<about>(?:moi|nous|(?:mon|ma|mes|notre|nos) .+?))
    (?:de quoi te souviens-tu|qu'as-tu retenu|qu'est-ce que tu as retenu|qu'as-tu enregistre)(?: (?:de|sur|a propos de) …)?
    (?:dis-moi|montre-moi|raconte-moi|dites-moi|montrez-moi) (?:tout )?ce que (?:tu sais|vous savez|tu as retenu) (?:de|sur|a propos de) …
    (?:qu'y a-t-il|qu'est-ce qu'il y a) dans (?:ta|votre) memoire(?: sur …)?
    quelles (?:informations|donnees) as-tu sur …
  `,
  // Portuguese
  asking('remember')`
    nao (?:te |se )?esque(?:cas?|ca-se|cas-te)(?: de)?(?: que)? …
    (?:lembra|lembre|recorda|recorde)(?:-te|-se)?(?: sempre)?(?: de)?(?::| que) …
    (?:lembrar|recordar)(?:-se|-te)?(?: de)? que …
    (?:tenha|tem) em (?:mente|conta) que …
    (?:guarda|guarde|anota|anote|memoriza|memorize)(?: na (?:tua |sua )?memoria)?(?::| que) …
  `,
  asking('forget')`
    (?:esquece|esqueca|esquecer|apaga|apague|apagar) (?:tudo )?o que (?:voce )?(?:sabes?|tens? guardado|lembras?) (?:sobre|de|acerca de) …
    (?:esquece|esqueca)(?:-te|-se)?(?: de)?(?: que)? (?!isso$|isto$|la$)…
    esquecer(?:-te|-se)?(?: de)?(?: que)? …
    (?:eu )?quero que (?:voce )?(?:te )?esque(?:ca|cas)(?: de)?(?: que)? …
    (?:apaga|apague|remove|remova|apagar|tira|tire) (?:tudo sobre )?… da (?:tua |sua )?memoria
    (?:apaga|apague|remove|remova) da (?:tua |sua )?memoria(?: que)? …
    (?:apaga|apague|limpa|limpe) (?:toda )?a (?:tua |sua )memoria
  `,
  asking('what-do-you-know')`
    o que (?:e que )?(?:voce |tu )?(?:ja )?sabes? (?:sobre|de|acerca de) (?<about>(?:mim|nos|(?:o |a |os |as )?(?:meus?|minhas?|nossos?|nossas?) .+?))
    (?:o que|do que) (?:voce |tu )?(?:te |se )?(?:lembras?|guardou|guardaste|tens? guardado|aprendeu)(?: (?:sobre|de|acerca de) …)?
    (?:diz-me|diga-me|me diga|me diz|mostra-me|me mostre|conta-me|me conte) (?:tudo )?o que (?:voce )?(?:sabes?|lembras?|tens?) (?:sobre|de|acerca de) …
    o que ha na (?:tua |sua )memoria(?: sobre …)?
    que (?:dados|informacoes) (?:voce )?(?:tens?|tem) sobre …
  `,
  // Chinese
  asking('remember', 'as-question')`
    (?:你)?(?:能|可以|能不能|可不可以)?(?:请|請)?(?:帮我|幫我)?(?:记住|記住|记下|記下|记下来|牢记|牢記)(?:[,，:：]|这一点|這一點|一下)?(?!了)(?!.*(?:怎么|什么|怎麼|什麼))…(?:吗|嗎)?
    (?:记得|記得)(?!吗|嗎|.*(?:${ASKS_ZH}))…
    (?:别|別|不要|千万别)(?:忘了|忘记|忘記)(?!吗|嗎)…
  `,
  asking('forget', 'as-question')`
    (?:你)?${FORGET_ZH}(?:你)?(?:知道的)?(?:所有)?(?:关于|關於|有关|有關)(?!.*(?:${ASKS_ZH}))…(?:的(?:一切|所有(?:事|事情|信息|内容)?|事|事情|信息))?(?:吧)?
    ${FORGET_ZH}(?!吧$|了$|它$|.*(?:${ASKS_ZH}))…吧?
    (?:你)?(?:能|可以|能不能|可不可以)(?:请|請)?${FORGET_ZH}…(?:吗|嗎)?
    (?:我(?:要|想让|想讓|希望)你)${FORGET_ZH}…
    把…(?:忘了|忘掉|忘记|忘記)吧?
    (?:把)?(?:关于|關於)?…(?:从|從)(?:你的)?(?:记忆|記憶)(?:中|里|裡)(?:删除|刪除|删掉|抹去|清除)
    (?:从|從)(?:你的)?(?:记忆|記憶)(?:中|里|裡)(?:删除|刪除|删掉|抹去|清除)(?:关于|關於)?…
    (?:删除|刪除|清除)(?:你)?(?:所有)?(?:关于|關於)…的(?:所有)?(?:记忆|記憶)
    (?:不要|别|別)再(?:记得|記得|记住|記住)…
  `,
  asking('what-do-you-know')`
    你(?:都|还|還)?(?:知道|了解|记得|記得|记住了|記住了)(?:些)?(?:关于|關於)?(?<about>我(?:们|們)?)(?:的)?(?:什么|什麼|哪些|多少|些什么)(?:事|事情|信息|情况)?
    你(?:都|还|還)?(?:知道|了解|记得|記得|记住了)(?:什么|什麼|哪些)(?:关于|關於|有关)…(?:的(?:事|事情|信息|情况)?)?
    (?:关于|關於|有关)(?<about>我)[,，]?你(?:都)?(?:知道|了解|记得|記得)(?:些)?(?:什么|什麼|多少)
    你(?:对|對)(?<about>我)(?:了解(?:多少|些什么|什么)|有(?:什么|多少|哪些)(?:了解|记忆))
    (?:告诉|告訴|给|給)我(?:看)?你(?:所)?(?:知道|记得|記得|了解)的?(?:所有|一切)?(?:关于|關於|有关)…(?:的(?:一切|所有(?:事|事情|信息)?|事|事情|信息))?
    你(?:的)?(?:记忆|記憶)(?:里|中|裡)(?:都)?有(?:什么|什麼|哪些)(?:关于…的(?:内容|信息|事))?
    (?:显示|列出|顯示)(?:你)?(?:所有)?(?:关于|關於)…的(?:记忆|記憶|信息)
  `,
  // Japanese
  asking('remember', 'as-question')`
    …(?:という)?(?:こと)?(?:を|は|も|と|って)?(?:ちゃんと)?(?:覚えて(?:おいて)?|おぼえて(?:おいて)?|記憶して(?:おいて)?|メモして(?:おいて)?)${PLEASE_JA}
    …(?:という)?(?:こと)?(?:を|は|も)?(?:絶対に?)?忘れないで${PLEASE_JA}
  `,
  asking('forget', 'as-question')`
    …(?:について)?(?:知って|覚えて)いる(?:こと|事)(?:を|は)?(?:全部|すべて|全て)?(?:忘れて|消して|削除して)${PLEASE_JA}
    (?!もう$|それ(?:は|を)?忘れて|これ(?:は|を)?忘れて|今の(?:は|を)?忘れて)…(?:という|の)?(?:こと|事)?(?:を|は|も)?(?:もう|全部|すべて)?忘れて${PLEASE_JA}
    …(?:の(?:こと|情報))?(?:を|は)?(?:あなたの)?(?:記憶|メモリー?)から(?:削除|消去?|抹消)して${PLEASE_JA}
    (?:あなたの)?(?:記憶|メモリー?)から…(?:の(?:こと|情報))?を(?:削除|消去?|抹消)して${PLEASE_JA}
    …(?:について|に関する)の?(?:記憶|メモリー?)を(?:すべて|全部)?(?:削除|消去?)して${PLEASE_JA}
  `,
  asking('what-do-you-know')`
    (?<about>私|僕|俺|わたし)(?:のこと|について|に関して)?(?:を|は|の)?(?:何|なに|どんなこと|どのくらい|どれくらい|どれだけ)(?:を|が)?(?:知って|覚えて|記憶して)(?:いますか|いるの|いる|ますか|るの|る)(?:か|の)?
    …(?:について|のことで)(?:何|なに|どんなこと)(?:を|が)?覚えて(?:いますか|いるの|いる|るの|る)(?:か|の)?
    (?<about>私|僕|俺|わたし)(?:のこと|について|に関して)で?(?:知って|覚えて)(?:いる|る)(?:こと|事)(?:を|は)?(?:全部|すべて|全て|何)?(?:教えて|見せて|話して|ですか)?(?:ください|下さい|くれ|ほしい)?
    (?:あなたは)?(?<about>私|僕|俺|わたし)の何を(?:知って|覚えて)(?:いますか|いるの|いる|るの|る)(?:か|の)?
    (?:あなたの)?(?:記憶|メモリー?)(?:に|には)(?:何|なに)が(?:ありますか|あるの|ある|入って(?:いますか|いる|る))
    (?<about>私|僕|俺|わたし)に(?:ついて|関する)の?(?:記憶|情報|データ|メモリー?)を(?:全部|すべて)?(?:見せて|表示して|教えて)(?:ください|下さい|くれ)?
  `,
];

/** Returns a reader of patterns, one a line, in which `…` stands for what the request is about. */
function asking(kind: AskedOfMemory, form: IntentPattern['form'] = 'statement') {
  return (template: TemplateStringsArray, ...words: readonly string[]): IntentPattern => {
    const lines = String.raw(template, ...words)
      .trim()
      .split(/\n\s*/u);
    const sources = lines.map((line) => line.replaceAll('…', '(?<about>.+?)'));
    return { kind, form, patterns: sources.map((source) => new RegExp(`^(?:${source})$`, 'du')) };
  };
}
