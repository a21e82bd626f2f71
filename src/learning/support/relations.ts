import { predicateForm } from '../../graph/predicate.ts';
import { fold } from '../../language/fold.ts';
import { invalidOption } from '../../model/error.ts';

/**
 * Relations that a model may state in other words than the user: the predicates before `=>`, and the wordings that say
 * them. Extend it with the option `relations` of `llmExtractor`. A relation that is not listed has to be said with its
 * own content words.
 *
 * A wording is a row of words; `a/b` are alternatives, `..` stands for up to four words, and the object follows it. `my` is
 * whatever says that something is the subject's. A wording that begins with `@` says it of the speaker without a subject
 * ("vivo en"), one with `<` follows its object ("is my favorite"), and one with `!` says the contrary ("can not stand").
 *
 * @example
 * llmExtractor(llm, { relations: [...RELATIONS, 'supports => am/is/are a fan of, root/roots for'] });
 */
export const RELATIONS: readonly string[] = [
  'lives in | resides in | is based in | is living in | lives at => @<is my home, @<ist mein zuhause, meine wohnung ist/liegt in, mein zuhause ist, my flat/apartment/house/place/home in, home is, am/is/are home in, am/is/are local to, born and raised in, live/lives/living in/at/on, reside/resides in, am/is/are/be based in, moved to, have/has moved to, just moved to, relocated to, settled in, call/calls home, my home is in, my home is, my flat/apartment/house is in, am/is/are a resident of, wohne/wohnt/wohnen/lebe/lebt/leben in, wohne/wohnt/wohnen, bin/ist/sind nach gezogen, zog nach, @vivo/vivimos/resido/moro/moramos/abito/abitiamo en/em/no/na/in/a, vive/viven/mora/moram/abita/abitano en/em/no/na/in/a, @me mude a, @mudei-me para, habite/habites/habitons/habitent/vis/vit/vivons a/en/au/dans, habite/habitons/habitent, ai/a demenage a',
  'works at | works for | is employed by | is employed at | has employer => am/is/are .. nurse/doctor/dentist/vet/engineer/developer/programmer/designer/driver/chef/cook/baker/waiter/waitress/barista/lawyer/accountant/electrician/mechanic/translator/intern/apprentice/manager/analyst/consultant/teacher/lecturer/professor/researcher/scientist/clerk/cashier/receptionist/secretary/technician/porter/guard/midwife/pharmacist/librarian/paramedic/surgeon/architect at/for, work/works/working .. at, teach/teaches .. at, arbeite/arbeitet .. bei, my job/shift/shifts/boss/team/colleagues/coworkers/office at, teach/teaches at, started at, joined, have/has been with/at, am/is/are on staff at, work/works/working at/for/in, am/is/are employed by/at/with, got/have/has a job at/with, got hired by, was hired by, my employer is, am/is/are a employee of, arbeite/arbeitet/arbeiten bei/fur/in, bin/ist bei angestellt, @trabajo/trabalho/lavoro/trabajamos en/para/na/no/em/da/per/presso, trabaja/trabalha/lavora en/para/na/no/em/da/per/presso, travaille/travailles/travaillons/travaillent chez/pour/a',
  'works as | has job | has profession | is employed as | has occupation | has job title => my job as, my work as, work/works/working as, am/is/are, earn a/my living as, my job is, my job title is, make a living as, arbeite/arbeitet als, bin/ist, @trabajo/trabalho como/de, @soy/sou/sono, trabaja/trabalha como/de, travaille comme, suis/est, @lavoro come, faccio il/la',
  'is | is a | is an | identifies as | has nationality => am/is/are/be, have been, am/is/are being, as a, count as, consider/considers myself, bin/ist/sind, @soy/estoy/somos/estamos/sou/estou/sono/siamo/sto, es/esta/e, suis/est/sommes/sont',
  'is named | has name | is called | goes by | name is => my name is, am/is/are called/named, am/is, go/goes by, call me, called/named, heisse/heisst/heissen, mein/meine name ist, @me llamo/chamo, se llama/llaman/chama, @mi chiamo, si chiama, m appelle, s appelle/appellent, mon nom est, bin, @soy/sou/sono, suis',
  'is from | comes from | was born in | has hometown | grew up in => am/is/are from, come/comes from, was/were born in, grew up in, hail/hails from, my hometown is, was raised in, komme/kommt aus, @soy/vengo/sou/venho de, viens/vient de, @vengo da',
  'is allergic to | has allergy to | is intolerant to | has food allergy => am/is/are/be allergic to, am/is/are intolerant to, have/has a allergy to, my allergy to, can not have/eat, react/reacts badly to, bin/ist/sind allergisch gegen/auf, vertrage/vertragt kein/keine/keinen, @soy/sou/sono alergico/alergica/allergico/allergica a, @tengo/tenho alergia a, es/e alergico/alergica a, suis/est allergique a/au/aux',
  'likes | enjoys | loves | is fond of | is fan of | is a fan of | adores => @<is/are my favorite/favourite, @<is/are my jam, @<makes/make me happy, !@<is/are not for me, !@<is/are not my thing, luv/luvs, can not get enough of, can not live without, am/is/are addicted to, am/is/are a sucker for, have/has always loved, never say no to, like/likes, love/loves, enjoy/enjoys, adore/adores, am/is/are fond of, am/is/are a fan of, am/is/are a huge/big/massive fan of, am/is/are into, am/is/are obsessed with, am/is/are crazy/mad/nuts about, my favorite/favourite is, mag/mogen, liebe/liebt/lieben, gern/gerne, @me gusta/gustan/encanta/encantan/chifla, le gusta/gustan/encanta/encantan, aime/aimes/aimons/aiment, adore/adores/adorons, gosto/gostamos de, @adoro/amo, gosta/gostam de, @mi piace/piacciono, gli/le piace/piacciono, !hate/hates, !dislike/dislikes, !detest/detests, !loathe/loathes, !can not stand/bear, !hasse/hasst, !@odio/odeio, !deteste',
  'hates | detests | loathes | cannot stand => hate/hates, dislike/dislikes, detest/detests, loathe/loathes, can not stand/bear/abide, hasse/hasst/hassen, @odio/odeio/detesto, odia/odeia/detesta, deteste/detestes/detestent, !like/likes, !love/loves, !enjoy/enjoys',
  'prefers => prefer/prefers, like/likes better, would rather have, ziehe/zieht vor, bevorzuge/bevorzugt, @prefiero/prefiro/preferisco, prefiere/prefere/preferisce, prefere/preferes/preferent',
  'has favorite * | favorite * is => my favorite/favourite * is/are, my favorite/favourite * has always been, my go-to * is, mein/meine lieblings*, mi * favorito/favorita es, mon/ma * prefere est',
  'is married to | has wife | has husband | has spouse | is wife of | is husband of => am/is/are married to, my wife/husband/spouse/hubby, my other/better half, got married to, bin/ist mit verheiratet, mein mann, meine frau, mi marido/esposo/esposa/mujer, mon mari, ma femme, meu marido, minha esposa/mulher, mio marito, mia moglie',
  'has partner | is in a relationship with | is dating | has boyfriend | has girlfriend => my partner/boyfriend/girlfriend/bf/gf/fiance/fiancee/wife/husband/spouse, my other/better half, am/is/are dating/seeing, am/is/are in a relationship with, am/is/are together with, live/lives with my partner/boyfriend/girlfriend, mein freund, meine freundin, mi novio/novia/pareja, mon copain/compagnon, ma copine/compagne, meu namorado, minha namorada, mio/mia ragazzo/ragazza',
  'is engaged to => am/is/are engaged to, got engaged to, my fiance/fiancee, bin/ist mit verlobt',
  'is divorced from | was married to => am/is/are divorced from, got divorced from, my ex wife/husband, my ex, was/were married to',
  'has mother => my mother/mum/mom/mama/mam, meine mutter/mama, mi madre/mama, ma mere, minha mae, mia madre/mamma',
  'has father => my father/dad/papa/daddy, mein vater/papa, mi padre/papa, mon pere/papa, meu pai, mio padre/papa',
  'has sister | has sibling => my sister/sis, i have a sister, have/has a sister called/named, meine schwester, mi hermana, ma soeur, minha irma, mia sorella',
  'has brother | has sibling => my brother/bro, have/has a brother called/named, mein bruder, mi hermano, mon frere, meu irmao, mio fratello',
  'has son | has child => my son/boy, have/has a son called/named, mein sohn, mi hijo, mon fils, meu filho, mio figlio',
  'has daughter | has child => my daughter/girl, have/has a daughter called/named, meine tochter, mi hija, ma fille, minha filha, mia figlia',
  'has friend | is friends with | is a friend of => my friend/mate/buddy/bestie, am/is/are friends with, mein freund, meine freundin, mi amigo/amiga, mon ami, mon amie, meu amigo, minha amiga, mio amico, mia amica',
  'has boss | has manager => my boss/manager/supervisor, report/reports to, mein chef, meine chefin, mi jefe/jefa, mon chef, meu chefe, il mio capo',
  'has dog | owns dog => my dog/puppy/pup, have/has/own/owns a dog/puppy, got/adopted/rescued/bought a dog/puppy, dog/puppy called/named, @tengo/tenemos/tenho/temos/ho/abbiamo perro/perra/cachorro/cane, ai/avons chien, habe/haben hund, mein hund, mi perro/perra, mon chien, ma chienne, meu cachorro, meu cao, il mio cane',
  'has cat | owns cat => my cat/kitten/kitty, have/has/own/owns a cat/kitten, got/adopted/rescued/bought a cat/kitten, cat/kitten called/named, @tengo/tenemos/tenho/temos/ho/abbiamo gato/gata/gatto, ai/avons chat, habe/haben katze, meine katze, mein kater, mi gato/gata, mon chat, ma chatte, meu gato, minha gata, il mio gatto',
  'has pet => my pet/dog/cat/puppy/kitten/rabbit/hamster/parrot/horse/pony/tortoise, have/has/own/owns',
  'has | owns | possesses | keeps | has a => have/has, have/has got, own/owns, keep/keeps, my, habe/hat/haben, besitze/besitzt/besitzen, @tengo/tenemos/tenho/temos/ho/abbiamo, tiene/tienen/tem/ha/hanno, ai/as/a/avons/ont',
  'drives | has car => drive/drives/driving, my car is, fahre/fahrt, @conduzco/conduzo/guido/dirijo, conduis/conduit',
  'speaks | knows language => speak/speaks/speaking, am/is/are fluent in, know/knows, spreche/spricht/sprechen, @hablo/falo/parlo/hablamos/falamos, habla/fala/parla, parle/parles/parlons/parlent',
  'plays | plays instrument | plays sport => play/plays/playing, spiele/spielt/spielen, @toco/juego/tocamos/jogo/suono/gioco, toca/juega/joga/suona/gioca, joue/joues/jouons/jouent',
  'studies | is studying | studies at | is a student at | attends => study/studies/studying at/in, study/studies/studying, am/is/are studying, am/is/are a student of/at, attend/attends, go/goes to, am/is/are doing a degree in, major/majors/majoring in, studiere/studiert/studieren, @estudio/estudo/studio/estudiamos, estudia/estuda/studia, etudie/etudies/etudions',
  'is learning | learns => am/is/are learning, learn/learns, am/is/are teaching myself, lerne/lernt, @aprendo/imparo, @estoy aprendiendo, apprends/apprend',
  'eats | follows diet => !avoid/avoids, !steer clear of, !stay away from, !stopped eating, !gave up, !am/is/are off, !can not have/stomach/tolerate, !cut out, eat/eats/eating, esse/isst/essen, @como/mangio/comemos, come, mange/manges/mangeons/mangent',
  'drinks => !avoid/avoids, !gave up, !stopped drinking, !stay away from, !do not touch, drink/drinks/drinking, have/has, trinke/trinkt/trinken, @bebo/bevo/tomo, bebe/beve/toma, bois/boit/buvons',
  'avoids => avoid/avoids, do not eat/touch/have, am/is/are off, steer clear of, stay away from, stopped eating, gave up',
  'smokes => !stopped smoking, !gave up, smoke/smokes/smoking, rauche/raucht, @fumo, fuma, fume/fumes',
  'takes | is on | takes medication | uses medication => take/takes/taking, am/is/are on, am/is/are taking, was/were prescribed, nehme/nimmt, @tomo/prendo, toma/prende, prends/prend',
  'has condition | suffers from | has been diagnosed with | was diagnosed with | has disease => have/has a diagnosis of, have/has, have/has got, suffer/suffers from, was/were diagnosed with, got diagnosed with, have been diagnosed with, live/lives with, my, habe/hat, leide/leidet an/unter, @tengo/tenho/sufro/soffro de/di, @tengo/tenho/ho, ai/a, souffre/souffrent de',
  'uses => use/uses/using, work/works with, am/is/are on, switched to, run/runs, benutze/benutzt/nutze/nutzt/verwende/verwendet, @uso/utilizo/usamos, usa/utiliza, utilise/utilises/utilisons',
  'visited | has visited | has been to | traveled to | went to => have/has been to/in, went to, visited, have/has visited, was/were in, traveled/travelled to, got back from, spent time in, war/waren in, habe/haben besucht, @estuve/fui/viaje en/a, @estive/visitei em, suis alle/allee a, ai visite',
  'is a fan of | supports | supports team => support/supports, am/is/are a fan of, root/roots for, follow/follows, bin/ist fan von, @soy/sou/sono del/de/do, @tifo per',
  'has birthday on | has birthday | was born on | birthday is => my bday is, my bday is on, celebrate my birthday on, turn/turns on, my birthday is on, my birthday is, my birthday, was/were born on, born on, habe/hat am geburtstag, mein geburtstag ist am, mi cumpleanos es el, mon anniversaire est le, meu aniversario e, il mio compleanno e',
  'is aged | has age | age is | is years old => am/is/are, turned, just turned, am/is/are aged, my age is, bin/ist, @tengo/tenho/ho, tiene/tem/ha, ai/a',
  'moved to | relocated to => moved to, have/has moved to, relocated to, umgezogen nach, @me mude a, @mudei-me para, ai/a demenage a, @mi sono trasferito/trasferita a',
  'quit | left | resigned from | no longer works at => quit, have/has quit, left, have/has left, resigned from, gave notice at, was/were laid off from, was/were fired from, got laid off from, kundigte bei, @deje/renuncie, ai/a quitte',
  'has quit | stopped | gave up => quit, have/has quit, stopped, have/has stopped, gave up, have/has given up, am/is/are done with, aufgehort mit, @deje de, @deixei de, ai/a arrete de, @ho smesso di',
  'wants | wants to | would like | wishes for | wants to buy => want/wants, want/wants to, would like/love, would like/love to, hope/hopes to, mochte/mochten, will/wollen, @quiero/quisiera/quero/queria/voglio/vorrei, voudrais/voudrait/veux/veut, aimerais/aimerait',
  'plans to | intends to | is planning to | is going to | plans => plan/plans to, am/is/are planning to, am/is/are going to, intend/intends to, will, am/is/are planning, am/is/are thinking of, plane/plant, werde/wird, @voy/vamos a, @vou/vamos, vais/va/allons',
  'is afraid of | fears | has phobia of => am/is/are afraid/scared/terrified of, fear/fears, have/has a fear/phobia of, angst vor, @tengo/tenho miedo/medo a/de, ai/a peur de, @ho paura di',
  'has died | died | is dead | passed away => died, has died, passed away, has passed away, is dead, ist gestorben, starb, murio, fallecio, est mort/morte, morreu, e morto/morta',
  'lived in | has lived in => lived in, have/has lived in, habe gelebt/gewohnt in, @he vivido en, @vivi em/en, @morei em, @ho vissuto/abitato a/in, ai/a vecu/habite a/en',
  'teaches => teach/teaches/teaching, unterrichte/unterrichtet, @enseno/ensino/insegno, ensena/ensina/insegna, enseigne/enseignes',
  'is pregnant with | is expecting => am/is/are expecting, am/is/are pregnant with',
];

/** A wording of a relation. */
export interface Wording {
  /** The words in their order, each with its alternatives. `my` stands for a possessive of the subject. */
  readonly words: readonly (readonly string[])[];
  /** Whether its verb says that the speaker is the subject. */
  readonly isOfSpeaker: boolean;
  /** Whether it follows its object. */
  readonly isBehind: boolean;
  /** Whether it says the contrary of the relation. */
  readonly isContrary: boolean;
}

/** Returns the wordings of a predicate, given by its key; empty if the relation is not listed. */
export type Relations = (predicateKey: string) => readonly Wording[];

/** @throws MnemoraError `invalid-option` if it is not a list of relations such as `likes => like/likes, love/loves` */
export function readRelations(lines: readonly string[]): Relations {
  if (!Array.isArray(lines)) throw invalidOption('relations must be a list of strings.');
  const byKey = new Map<string, Wording[]>();
  const open: { start: string; end: string; wordings: string }[] = [];
  for (const line of lines) {
    const [names = '', wordings = ''] = typeof line === 'string' ? line.split('=>') : [];
    if (names.trim() === '' || wordings.trim() === '')
      throw invalidOption(
        `relations contains ${JSON.stringify(line)}; write "predicate | predicate => wording, wording".`,
      );
    for (const name of names.split('|')) {
      const { key } = predicateForm(name);
      const [start = '', end] = key.split('*');
      if (end === undefined) byKey.set(key, [...(byKey.get(key) ?? []), ...readWordings(wordings)]);
      else open.push({ start, end, wordings });
    }
  }
  return (key) => {
    // "has died in" is "has died" with a place or a time.
    const known = byKey.get(key) ?? byKey.get(key.replace(/ (?:in|on|at|to|from|for|with)$/u, ''));
    if (known) return known;
    return open.flatMap(({ start, end, wordings }) => {
      const isMeant = key.length > start.length + end.length && key.startsWith(start) && key.endsWith(end);
      return isMeant ? readWordings(wordings, key.slice(start.length, key.length - end.length).trim()) : [];
    });
  };
}

function readWordings(text: string, filling = ''): Wording[] {
  return text.split(',').map((wording) => {
    const [, marks = '', words = ''] = /^([!@<]*)(.*)$/u.exec(wording.trim()) ?? [];
    return {
      words: fold(words.replaceAll(/(?<!\p{L})\*/gu, filling).replaceAll('-', ' '))
        .split(/\s+/u)
        .filter((word) => word !== '' && !ARTICLES.has(word))
        .map((word) => (word === '..' ? [''] : word.split('/'))),
      isOfSpeaker: marks.includes('@'),
      isBehind: marks.includes('<'),
      isContrary: marks.includes('!'),
    };
  });
}

const ARTICLES = new Set(['a', 'an', 'the']);
