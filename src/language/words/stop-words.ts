/**
 * English function words. `s`, `t`, `d`, `m`, `ll`, `re` and `ve` remain when "it's", "don't" or "we'll" is split at the
 * apostrophe.
 */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between
  both but by can could d did do does doing down during each few for from further had has have having he her here
  hers herself him himself his how i if in into is it its itself just ll m me more most my myself no nor not now of
  off on once only or other our ours ourselves out over own re s same she should so some such t than that the their
  theirs them themselves then there these they this those through to too under until up us ve very was we were what
  when where which while who whom whose why will with would you your yours yourself yourselves`.split(/\s+/),
);

/**
 * German function words, except those that are English words in lower case and without marks ("die", "war" and "für").
 */
export const GERMAN_STOP_WORDS: readonly string[] =
  `aber als auch auf aus bei bin bist da das dass dein deine dem der des dich dir du ein eine einem einen einer er es
  euch euer habe haben hast ich ihm ihn ihnen ihr ihre ist kein keine mein meine mich nach nicht noch nur ob oder
  sein seine sich sie sind und uns unser vom von wann warum welche welcher welches wem wen wenn wer wie wir wird wo
  wurde zu zum zur`.split(/\s+/);

/** Terms that are ignored in a query, unless it has no others. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH_STOP_WORDS, ...GERMAN_STOP_WORDS]);

/** Function words of languages whose words are indexed and searched all the same, as `fold` returns them. */
export const FUNCTION_WORDS: Readonly<Record<'es' | 'fr' | 'pt' | 'it' | 'nl', readonly string[]>> = {
  es: `a al ante aquel aquella aunque bajo cada como con cual cuando cuanto de del desde donde durante e el ella
    ellos en entre era es esa ese eso esta este esto estoy fue ha hacia han hasta hay he la las le les lo los
    mas me mi mis muy ni no nos nuestra nuestro o para pero por porque que quien se ser si sin sobre son soy
    su sus tambien te tengo ti tiene todo tu un una uno unos y ya yo`.split(/\s+/),
  fr: `a ai au aux avec c ce ces cette chez comme comment d dans de des du elle en est et etre il ils j je l la
    le les leur lui m ma mais me mes moi mon n ne nos notre nous on ont ou par pas pendant plus pour pourquoi
    qu quand que quel quelle quels qui s sa sans se ses si son sont suis sur t ta te tes toi ton tu un une
    vos votre vous y`.split(/\s+/),
  pt: `a ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso isto ja
    lhe mais mas me meu meus mim minha muito na nao nas nem no nos nossa nosso o onde os ou para pela pelo
    por porque quais qual quando que quem se sem ser seu sou sua tambem te tem tenho tu um uma voce`.split(
    /\s+/,
  ),
  it: `a agli ai al alla alle anche che chi ci come con cosa cui da dal dalla degli dei del della delle di dove
    e gli ha hanno ho il in io la le lei lo loro lui ma me mi mia mio ne nel nella no noi non o per perche
    piu quale quando quanti quanto questa questo qui se si sono sua sul sulla suo te ti tra tu un una uno vi`.split(
    /\s+/,
  ),
  nl: `aan al als bij dat de deze die dit door een en er haar heb heeft het hij hoe hun ik in is je kan maar me
    met mij mijn naar niet nog of om onder ons ook op over te tot uit van veel voor waar waarom was wat we
    welke werd wie wij wordt ze zich zij zijn zo`.split(/\s+/),
};
