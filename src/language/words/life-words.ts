import { regex } from './lists.ts';

/** The subject of a word. */
export type WordClass = LifeClass | 'say' | 'ask' | 'request' | 'material' | 'acknowledgement';
type LifeClass = Topic | 'activity' | 'vehicle' | 'date' | 'plan' | 'change' | 'unreal' | 'negation';
type Topic = 'kin' | 'others' | 'pet' | 'work' | 'home' | 'health' | 'diet';

/**
 * Everyday words by subject, in English, German, Spanish, French, Portuguese, Italian and Dutch and, after a slash, in Chinese
 * and Japanese, where words match anywhere in a text. This is general vocabulary that people use when they speak about
 * themselves. Latin script is matched in lower case and without diacritics (see {@link fold}). A word can be
 * a regular expression, and an underscore is the space in a phrase.
 */
const WORDS: Readonly<Record<WordClass, string>> = {
  kin: String.raw`moms? mums? mothers? mama mami dads? fathers? daddy papa parents? sisters? sis brothers? bro siblings? sons?(?!_(?:como|un[ao]?s?|l[ao]s|muy|mis)\b) daughters? kids? child(?:ren)? baby wife husband hubby partner spouse girlfriend boyfriend gf bf fiancee? ex(?:es)? grand\w+ gran nana? aunt(?:ie)? uncle cousins? niece nephew twins? step\w+ in-laws?
    mutter vater eltern schwester bruder sohn tochter kind(?:er)? frau mann oma opa tante onkel madre padre herman[ao]s? hij[ao]s? espos[ao] marido novi[ao] abuel[ao]s? ti[ao] prim[ao] mere pere soeur frere fils fille femme mari copine? mae pai irmao? filh[ao]s? namorad[ao] avo suegr[ao]s? cunad[ao]s? niet[ao]s? sobrin[ao]s? yerno nuera mi_mujer pareja padres bebes? sogr[ao]s? cunhad[ao]s? net[ao]s? noiv[ao] minha_mulher fratell[oi] sorell[ae] mamma nonn[aoi] zi[ao] cugin[aoie] suocer[aoi] cognat[aoie] figli[aoe]? nipot[ei] marito moglie mi[oa]_ragazz[oa] fidanzat[ao] genitori gemell[ie] moeder vader ouders zus(?:je|sen)? broer(?:s|tje)? zoon dochters? kinderen schoon\w+ (?:mijn|m'n)_(?:man|vrouw|vriend|vriendin) neef kleinkind\w* / 妈|爸|妻|丈夫|老婆|老公|儿子|女儿|姐|妹|哥|弟弟|女友|男友|女朋友|男朋友|孩子|奶奶|爷爷|母|父|夫|息子|娘|兄|姉|彼女|彼氏|祖母|祖父|媽|弟|媳[妇婦]|老伴|太太|[闺閨]女|女兒|兒子|[宝寶]{2}|娃|公公|婆婆|岳|丈[人母]|爺爺|外[公婆]|姥|叔|伯|舅|姑|姨|[婶嬸]|嫂|侄|甥|[孙孫]|家人|旦那|嫁|奥さん|両親|家族`,
  others: String.raw`friends?'?s? bestie buddy roommates? flatmates? housemates? neighbou?rs? boss manager coworkers? co-workers? colleagues? teacher coach landlord landlady mentor tenant freund(?:in)? chef(?:in)? nachbar(?:in)? kolleg\w+ amig[ao]s? vecin[ao] jef[ae] ami(?:e|s|es)? voisine? collegue vizinh[ao] compi companer[ao]s? coleg[ao]s? profe(?:sora?)? jefa? caser[ao] entrenador[ao]? amic[aoi] amiche collegh?[aie] vicin[aoi] capo coinquilin[aoie] compagn[aoie] chefe vriend(?:in|en)? buurman buurvrouw buren baas huisgenoot huisgenoten / (?<![男女])朋友|同事|老板|邻居|老师|室友|友達|同僚|上司|先生|隣|[闺閨]蜜|哥们|同[学學]|[领領][导導]|合[伙夥]人|房[东東]|[邻鄰]居|教[练練]|[导導][师師]|老師|友人|後輩|先輩|部下|大家さん`,
  pet: String.raw`dogs? cats? pupp(?:y|ies) pup kittens? kitty rabbits? bunn(?:y|ies) hamsters? parrots? budgies? pony horses? goats? hens? tortoise pets? hund katzen? kater perr[ao]s? gat[ao]s? chien(?:ne)? chatte? cachorr[ao] gatit[ao]s? perrit[ao]s? mascotas? (?:il|un|mio|nostro)_cane gatt[aoie] conigli[ao] hond(?:je)? kat(?:ten|je)? poes konijn / 狗|猫|犬|宠物|ペット|貓|兔|仓鼠|鹦鹉|うさぎ|インコ|ハムスター`,
  work: String.raw`works? worked working jobs? shifts? company office business clients? employer salary career nurse doctor dentist vet engineer developer programmer designer driver chef cook baker waite?r(?:ess)? barista lawyer accountant plumber electrician carpenter builder farmer mechanic translator student apprentice intern freelancer? owner retired? pension(?:er)? unemployed study studying studied degree thesis phd uni university college school course major exams? graduat\w+ hired promot\w+
    arbeit\w* beruf firma studier\w* ausbildung rente trabaj\w+ empleo estudi\w+ jubilad[ao] travail\w* boulot metier etudi\w* retraite trabalh\w+ emprego estud\w+ laburo lavor\w+ studi\w+ universita werk(?:en|te)? baan studie studeer\w* / 工作|上班|公司|职|学生|大学|实习|仕事|会社|働|勤|退職|学校|辞|入[职職]|跳槽|毕业|畢業|バイト|転職|就職|会社員|社員`,
  home: String.raw`live lives lived living mov(?:e|es|ed|ing) flat apartment house rent(?:s|ing)? home based hometown village neighbou?rhood landlord city town country from wohn\w* ziehe gezogen umgezogen wohnung viv[eoi]\w* mud[eao]\w* casa piso habit\w+ demenag\w+ appart\w* mor[oa]\w* mudei abit[oia]\w* trasferit\w+ woon verhuisd alquil\w+ / 住|搬|家里|租|引っ越|実家|出身|搬|房子|暮ら|引越`,
  health: String.raw`allerg\w* intoleran\w* diabet\w* asthma\w* pregnan\w+ pills? meds? medications? tablets? surgery operation diagnos\w+ injur\w+ hospital insulin co?eliac\w* migraines? anxi\w+ depress\w+ adhd autis\w+ dyslex\w+ deaf blind wheelchair therap\w+ cancer epilep\w+ arthritis blood_pressure cholesterol knees? hip back ankle shoulder sick ill disease condition symptoms? phobia panic insomnia
    krank\w* schmerz\w* allergisch schwanger tablett\w* medikament\w* operation\w* bandscheibe\w* rucken migrane asthma zoliakie herz\w* blutdruck\w* unvertraglich\w* vertrag(?:e|en|t) sehbehindert schwerhorig rollstuhl hoh?enangst flugangst
    medicaments? comprimes? operation genou dos hernie migraines? fauteuil_roulant supporte_pas tension aveugle sourde?
    medicament\w+ pastillas? rodilla espalda hernia migranas? silla_de_ruedas operacion medicine farmac\w+ ginocchio schiena ernia emicrania sedia_a_rotelle operazione incinta malat[oa] remedios? joelho costas cirurgia enxaquecas? cadeira_de_rodas
    asma alergi\w* celia[cq]\w* cieg[ao] sord[ao] embarazada enferm(?:[ao]s?|edad\w*) enceinte malade gravida doent\w* diagnostic\w+ operad[ao] ansiedad depresion tension hipertension colesterol tobillo hombro insomn\w+ zwanger ziek\w* / 过敏|病|孕|药|手术|医院|疼|アレルギー|妊娠|薬|手術|糖尿|麸|失明|看不见|听不见|目が見え|耳が聞こえ|過敏|痛|血[压壓糖圧]|失眠|诊断|癌|哮喘|焦虑|抑郁|关节|膝|肩|腰`,
  diet: String.raw`vegan veggie vegetarian pescatarian halal kosher gluten\w* lactose dairy nuts? peanuts? shellfish seafood fish meat pork beef chicken eggs? eats? eating drinks? drinking alcohol beer wine sober coffee tea sugar salt cook(?:s|ing)? bak(?:e|ing) diet spicy
    esse isst trink\w+ fleisch fisch laktose\w* alkohol\w* erdnuss\w* nuss\w* zucker vegetari\w* beb[oe] carne cerdo pollo porco frango mange\w* bois viande poissons? lactose alcool cacahuetes? noix sucre bebo pescado lactosa alcohol nueces azucar marisco mangi\w+ bev[oe] pesce lattosio noci zucchero peixe alcool nozes acucar vegetarian[ao]s? vegan[ao] dolci veganist vlees zuivel / 吃|喝|素食|清真|海鲜|酒|食べ|飲|菜食|肉|辣|奶|乳|糖|卵|甘い`,
  plan: String.raw`going_to gonna will 'll tomorrow tonight next booked signed_up planning plan(?:s|ned)? upcoming wedding flight fly(?:ing)? trip appointment due deadline starts? starting begins? getting_married training saving_for apply(?:ing)? interview morgen nachste[nrs]? werde manana proxim[ao] voy_a vamos_a demain prochaine? vais amanha vou / 明天|下周|下个月|打算|准备|要去|明日|来週|来月|予定|つもり|下[周週]|下[个個]月|[准準][备備]|[决決]定|考试|面接`,
  change: String.raw`now anymore any_more no_longer quit stop(?:ped|s)? left switched changed sold broke divorc\w+ separat\w+ used_to instead died passed_away new finally since again ended cancel+ed gave_up fired laid_off retired bought got became turned back moved_out started joined ex
    jetzt nicht_mehr aufgehort seit neu\w* gekundigt getrennt verkauft ahora ya_no dej[eao]\w* desde nuev[ao]s? vendi maintenant ne_plus plus arrete depuis nouve\w+ quitte vendu agora nao_mais larguei parei nov[ao] cambi\w+ empec\w+ empiezo terminamos mudamos comecei troquei terminei cambiato cambiamo lasciat[ao] smesso iniziato comprato compre comprado comprei gestopt verhuisd begonnen gekocht verkocht niet_meer al_final non_piu / 现在|不再|已经|换|辞|分手|卖|新|今は|もう|やめ|辞め|別れ|変わ|新しい|[离離][职職婚]|改|退|取消|[买買]了|[终終][于於]|延期|変え|替え|決ま|買っ`,
  date: String.raw`jan(?:uary)? feb(?:ruary)? march april june july aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)? mon(?:days?)? tue(?:s|sdays?)? wed(?:s|nesdays?)? thu(?:rs|rsdays?)? fri(?:days?)? sat(?:urdays?)? sun(?:days?)? spring summer autumn winter birthday easter christmas xmas years? months? weeks? yesterday today
    januar februar marz juni juli oktober dezember montags? dienstags? mittwochs? donnerstags? freitags? samstags? sonntags? jahren? enero febrero marzo abril mayo junio julio agosto octubre lunes martes miercoles jueves viernes sabados? domingos? anos janvier fevrier mars avril juin juillet aout lundi mardi mercredi jeudi vendredi samedi dimanche ans segunda terca quarta quinta sexta {monthElsewhere} {weekdayElsewhere} maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag / 月|星期|周|年|曜|歳|岁|[周週]|\d[号號日]`,
  activity: String.raw`plays? playing choir band guitar piano violin drums run(?:s|ning)? marathon cycl\w+ bike swim\w* yoga gym climb\w* hik(?:e|ing) football soccer tennis basketball club team hobb(?:y|ies) knit\w* paint\w* gardening garden sings? dance\w* fishing chess learning collect\w* volunteer\w* coach(?:ing)? practi[cs]e\w* lessons? class(?:es)? member spiele? singe jueg[oa] toc[oa] joue chante jog[oa] canto entren\w+ clases? cursos? corso lezioni palestra lessen / 学|打球|唱|跑步|弹|習|練習|趣味|[练練]|健身`,
  vehicle: String.raw`car van bike driv(?:e|es|ing) license licence train bus commute fly scooter boat auto fuhrerschein coche carro voiture permis moto bici macchina fiets / 车|地铁|車|電車|免許|[开開][车車]|自行[车車]|バイク|自転車`,
  unreal: String.raw`if would could might maybe perhaps imagine pretend wish dream\w* hypothetical\w* suppose probably guess thinking_of was going_to almost nearly wenn ware hatte vielleicht si fuera quizas? tal_vez peut-etre serais talvez se_fosse / 如果|可能|也许|もし|かも|たら`,
  negation: String.raw`not no never none nothing neither nor without \w+n't \w*(?:don|can|won|isn|didn|doesn|wasn|aint|havn|haven|couldn|shouldn)t cannot nicht kein\w* nie nada nunca ningun\w* pas jamais sans nao sem / 不|没|别|ない|ません`,
  say: String.raw`says? said saying tells? told thinks? thought asks? asked claims? reckons? joked jokes? kidding quote wrote sagt\w* meint dice dijo dit disse / 说|告诉|言って|と言`,
  ask: String.raw`what what's whats how how's hows why when where who who's whos which whose can could would will should do does did is are any suggest\w* recommend\w* wie warum wann wo wer welche[rs]? kannst que como por_que cuando donde quien cual quel(?:le)?s? comment pourquoi quand ou est-ce qui peux qual quando onde wat hoe waar waarom wanneer welke? hoeveel che chi dove quando perche quale? quanto cosa / 什么|怎么|哪|吗|多少|几|何|どう|どこ|いつ|誰|ですか|ますか`,
  request: String.raw`help write draft make give show explain translate summari[sz]e fix check proofread rewrite convert list find calculate solve compare describe suggest recommend tell create need please pls plz thanks? let's give_me schreib\w* hilf erklar\w* ubersetz\w* bitte ayud\w+ escrib\w+ explic\w+ traduc\w+ por_favor aide\w* ecri[st]\w* explique\w* traduis stp svp escrev\w+ ajud\w+ traduz\w* / 帮|请|推荐|写|翻译|教えて|ください|おすすめ|書いて|訳`,
  material: String.raw`translate proofread rewrite rephrase reword summari[sz]e shorten paraphrase correct grammar edit fix simplify classify extract review_this means? ubersetz\w* korrigier\w* zusammen\w* traduc\w+ corrig\w+ resum\w+ traduis pasal[oa] reescrib\w+ reformul\w+ riscriv\w+ riformul\w+ vertaal herschrijf / 翻译|润色|总结|修改|訳して|要約|添削|改[得成写寫]|[缩縮]短|短くして|直して`,
  acknowledgement: String.raw`ok okay k yes yeah yep yup no nope nah sure thanks? thx ty cool great nice perfect good lovely wow haha lol right exactly true hi hey hello hiya morning evening sorry please brilliant awesome danke ja nein gut gracias vale si hola buenas merci oui non d'accord bonjour salut obrigad[ao] sim oi / 好的|谢谢|嗯|ありがとう|はい`,
};

const patterns = new Map<string, RegExp>();

function matches(folded: string, list: string): string[] {
  let known = patterns.get(list);
  if (!known) {
    known = wordPattern(list.replaceAll(/(?<! \/)\s+(?!\/)/gu, '|').replaceAll('_', String.raw`\s+`), 'gu');
    patterns.set(list, known);
  }
  return folded.match(known) ?? [];
}

/** Returns the words of a class in a folded text, in their order. */
export function wordsOf(folded: string, wordClass: WordClass): string[] {
  return matches(folded, WORDS[wordClass]);
}

/** Whether a folded text has a word of a class. */
export function hasWord(folded: string, wordClass: WordClass): boolean {
  return wordsOf(folded, wordClass).length > 0;
}

/**
 * Returns a pattern for words separated by `|` or line breaks and, after ` / `, for words in scripts without spaces,
 * which match anywhere in a text.
 */
export function wordPattern(list: string, flags = 'u'): RegExp {
  const [words = '', unspaced = ''] = list.split(' / ');
  return regex(String.raw`(?<![\w'])(?:${words})(?!\w)|${unspaced}`, flags);
}
