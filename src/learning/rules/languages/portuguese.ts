import type { LanguageRules } from './language-rules.ts';

export const PORTUGUESE: LanguageRules = {
  subjects: 'eu|nós|a gente',
  conjunctions: 'e',
  opening: String.raw`(?:(?:e|então|bem|bom|sim|olá|oi|ola|bom dia|boa tarde|boa noite|aliás|a propósito|além disso|enfim|ah|que)[\s,:!.]+)+`,
  fillers: String.raw`eu|também|agora|atualmente|ainda|já|além disso|aliás|na verdade|realmente|sempre|muito|bastante|sobretudo|infelizmente|sozinh[oa]|aqui|originalmente|simplesmente|finalmente|nada|ultimamente|no momento
    desde (?:sempre|ontem|\d{4}|(?:{monthElsewhere})(?: de \d{4})?|o ano passado)
    há (?:pouco tempo|muito tempo|(?:um|uma|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|doze|\d+|alguns|vários) \p{L}+)|faz (?:um|uma|dois|duas|três|\d+) \p{L}+
    (?:na semana|no mês|no ano|no verão|no fim de semana) passad[oa]|est[ea] (?:semana|mês|ano|fim de semana)|(?:em|no dia) \d{1,2} de (?:{monthElsewhere})|ontem|hoje`,
  own: '(?:o |a |os |as )?(?:meu|minha|meus|minhas|nosso|nossa|nossos|nossas)',
  kin: {
    sister: 'irmã|irmãzinha',
    brother: 'irmão|irmãozinho',
    mother: 'mãe|mamãe|mamã',
    father: 'pai|papai|papá',
    daughter: 'filha',
    son: 'filho',
    wife: 'mulher|esposa',
    husband: 'marido|esposo',
    girlfriend: 'namorada|noiva',
    boyfriend: 'namorado|noivo',
    partner: 'companheiro|companheira|parceiro|parceira',
    grandmother: 'avó|vovó',
    grandfather: 'avô|vovô',
    aunt: 'tia',
    uncle: 'tio',
    cousin: 'primo|prima',
    niece: 'sobrinha',
    nephew: 'sobrinho',
    grandson: 'neto',
    granddaughter: 'neta',
    boss: 'chefe|chefa|patrão|patroa',
    colleague: 'colega',
    neighbor: 'vizinho|vizinha',
    roommate: 'colega de quarto|colega de casa',
    friend: 'amigo|amiga',
    dog: 'cachorro|cachorra|cachorrinho|cão|cadela|salsicha|labrador',
    cat: 'gato|gata|gatinho|gatinha',
    rabbit: 'coelho|coelha',
    horse: 'cavalo|égua|pônei|pónei',
    hamster: 'hamster',
    parrot: 'papagaio|periquito',
    tortoise: 'tartaruga',
  },
  noPlaces: String.raw`deus|natal e \p{L}+`,
  noNames: String.raw`segunda|terça|quarta|quinta|sexta|sábado|domingo`,
  jobs: String.raw`(?:enfermeir|médic|veterinári|farmacêutic|engenheir|cozinheir|padeir|açougueir|cabeleireir|carteir|bombeir|jardineir|carpinteir|pedreir|mecânic|secretári|funcionári|bibliotecári|psicólog|biólog|químic|físic|fotógraf|músic|advogad|arquitet|estagiári|empresári|banqueir|relojoeir|fazendeir)[oa]|(?:professor|doutor|programador|desenvolvedor|vendedor|tradutor|escritor|treinador|pesquisador|contador|pintor|cuidador|editor|diretor|educador|agricultor|pescador)a?|ator|atriz|(?:dent|jornal|eletric|tax|motor|recepcion|flor|art|econom|fisioterapeut|pian)ista|fisioterapeuta|parteira|policial|polícia|soldado|militar|piloto|juiz|juíza|notário|contabilista|garçom|garçonete|empregad[oa] de mesa|chef|estudante|aposentad[oa]|reformad[oa]|autônom[oa]|freelancer|designer|consultora?|analista|intérprete|barista|encanador|canalizador|canalizadora|assistente social`,
  relatives: 'que|quando|se|onde|exceto',
  bans: String.raw`louc[oa]|doid[oa]|burro|sempre|muito|um|uma|antes|eu|nós|vocês|sempre|às vezes|só|que|quando|se|como|este|esta|estes|estas|esse|essa|esses|essas|isso|isto|tu|você|te|ti|teu|tua|seu|sua|meu|minha|me|ele|ela|eles|lhe|o que|não|nunca|mais|nada|ninguém|quem|onde|porque|mas|tão|noss[oa]s?`,
  lists: 'e|ou|nem',
  articles: String.raw`o |a |os |as |de |do |da |dos |das |ao |à `,
  prepositions: 'em|no|na|nos|nas|num|numa|para|com|por|pelo|pela|sem|sobre|contra|até',
  titles: String.raw`senhora?|dona|seu|doutora?`,
  table: String.raw`
(?:moro|moramos|vivo|vivemos|a gente mora) (?:em|no|na) {place} => lives in {place}
(?:me mudei|mudei-me|mudei|nos mudamos|mudamos) para {place} => lives in {place}
(?:me mudei|mudei-me|mudei|nos mudamos|mudamos) (?:de|do|da) {from} para {place} => lives in {place}
sou (?:de|do|da) {place} => is from {place}
venho (?:de|do|da) {place} => is from {place}
nasci (?:em|no|na) {place} => was born in {place}
nasci (?:em|no|na) {place} (?:em|a|no dia) {date} => was born in {place}; was born on {date}
nasci (?:em|a|no dia) {date} (?:em|no|na) {place} => was born in {place}; was born on {date}
cresci (?:em|no|na) {place} => grew up in {place}
trabalho como {work} => works as {work}
trabalho como {work} (?:em|no|na|para|num|numa) .{2,60} => works as {work}
trabalho (?:para a |para o |para |na |no ){org} => works at {org}
sou {job} => is a {job}
sou {job} (?:em|no|na|de|num|numa) .{2,60} => is a {job}
ensino {things} => teaches {things}
dou aulas? de {subject} => teaches {subject}
estudo {degree} => studies {degree}
estudo {degree} (?:em|no|na) .{2,60} => studies {degree}
(?:estou aprendendo|estou a aprender|aprendo) {things} => is learning {things}
(?:estou aprendendo|estou a aprender|aprendo) a tocar {things} => is learning {things}
falo {language} => speaks {language}
toco {instrument} => plays {instrument}
toco {instrument} (?:em|no|na|num|numa) .{2,60} => plays {instrument}
jogo {subject} => plays {subject}
(?:a minha|o meu|minha|meu|nosso|nossa|o nosso|a nossa) {kin} (?:se chama|chama-se) {name} => has {kin} {name}
(?:a |o )?{name} é (?:a minha|o meu|minha|meu|nosso|nossa) {kin} => has {kin} {name}
(?:tenho|temos) uma? {kin} (?:que se chama|chamad[oa]) {name} => has {kin} {name}
(?:tenho|temos) {count} => has {count}
sou casad[oa] com (?:a |o )?{name} => is married to {name}
estou {state} => is {state}
(?:vamos|viajamos|viajo) (?:para|a|ao|à) (?:o |a )?{place} => is going to {place}
sou {status} => has marital status {status}
(?:sou|tenho) (?:muito )?(?:alérgic[oa]|alergia) (?:a |ao |à |aos |às ){things} => is allergic to {things}
(?:sou|tenho) (?:intolerante|intolerância) (?:a |ao |à |aos |às ){things} => is intolerant to {things}
não (?:tolero|suporto) {things} => cannot tolerate {things}
não como {things} => does not eat {things}
não bebo {things} => does not drink {things}
sou {diet} => is {diet}
como {diet} => is {diet}
tenho {condition} => has {condition}
sofro de {condition} => has {condition}
gosto (?:de |do |da |dos |das ){things} => likes {things}
adoro {things} => loves {things}
(?:odeio|detesto) {things} => hates {things}
não gosto (?:de |do |da |dos |das ){things} => does not like {things}
(?:me chamo|chamo-me) {name} => is named {name}
(?:o )?meu nome é {name} => is named {name}
{person} (?:mora|vive) (?:em|no|na) {place} => lives in {place}
{person} (?:se mudou|mudou-se|mudou) para {place} => lives in {place}
{person} trabalha como {work} => works as {work}
{person} trabalha como {work} (?:em|no|na|para|num|numa) .{2,60} => works as {work}
{person} é {job} => is a {job}
{person} estuda {degree} => studies {degree}
{person} toca {instrument} => plays {instrument}
{person} (?:é|tem) (?:muito )?(?:alérgic[oa]|alergia) (?:a |ao |à |aos |às ){things} => is allergic to {things}
{person} não come {things} => does not eat {things}
{person} é {diet} => is {diet}
{person} tem {condition} => has {condition}
{person} tem {age} anos => has age {age}
tenho {age} anos => has age {age}
(?:o )?meu aniversário é (?:em |a |no dia |dia ){date} => has birthday {date}
faço anos (?:em |a |no dia |dia ){date} => has birthday {date}
nasci (?:em |a |no dia ){date} => was born on {date}
`,
  words: {
    degree: String.raw`direito|medicina|história|geografia|filosofia|letras|psicologia|sociologia|química|física|biologia|matemática|informática|economia|administração|arquitetura|música|enfermagem|farmácia|veterinária|jornalismo|belas artes|engenharia(?: \p{L}+)?|pedagogia|contabilidade`,
    instrument: String.raw`(?:o |a )?(?:piano|violão|guitarra|violino|viola|violoncelo|flauta|clarinete|oboé|saxofone|sax|trompete|trombone|tuba|bateria|baixo|contrabaixo|harpa|acordeão|órgão|ukulele|percussão|cavaquinho)`,
    language:
      'português|inglês|francês|alemão|italiano|espanhol|chinês|japonês|russo|árabe|coreano|polonês|polaco|turco|grego|holandês',
    state: 'aposentad[oa]|reformad[oa]|grávida|desempregad[oa]',
    status: 'casad[oa]|solteir[oa]|divorciad[oa]|viúv[oa]|noiv[oa]',
    diet: 'vegetarian[oa]|vegan[oa]|pescetarian[oa]|celíac[oa]|sem glúten|halal|intolerante à lactose',
    condition: String.raw`diabetes(?: tipo [12])?|asma|enxaquecas?|epilepsia|hipertensão|tdah|artrite|artrose|insônia|insónia|vertigens|ansiedade|dor nas costas`,
    count: String.raw`(?:dois|duas|três|quatro|cinco|seis|[2-9]) (?:filhos|filhas|irmãos|irmãs|netos|cachorros|cães|gatos|cavalos|galinhas|coelhos)`,
  },
};
