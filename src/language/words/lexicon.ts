/**
 * Lists of English words by what they can be. A word that begins with `-` is a suffix; it can be a regular expression.
 *
 * Lists whose name begins with `/`, such as `/work`, contain the last words of phrases of that kind.
 */
const LISTS = String.raw`
article: a an the some any both either
number: one two three four five six seven eight nine ten no couple several
preposition: of in at on for with to from by about into near under over through without like than as per around between after before during until via against across along behind off out up down toward towards
no-phrase: i you he she it we they me him her us them my your his its our their mine yours hers theirs myself yourself this that these those there here who whom whose which what when where why how is am are was were be been being do does did have has had can could will would should may might must not no never if whether because but so though although while then else just really very too also only even still yet already much more most less least many enough lot lots bit anymore please always ever lately now today tomorrow yesterday tonight anybody anyone somebody someone nobody everybody everyone nothing anything something everything none other others another such everywhere together well better again
noun-verb: work play dance run swim drink cook travel walk cycle fish drive ride sleep read
empty: home one ones thing things stuff idea ideas sound sounds look help part way ways time people all some same first last best latter former answer answers suggestion suggestions question questions version versions option options name title fun role ton tons instrument instruments project command commands along around fair safe game games ball
no-goods: sense sure mistake mistakes progress money friends plans time note notes list lists decision decisions joke jokes noise room trouble
no-place: fear hope pain peace poverty sin denial style luxury harmony silence bed hospital prison jail school college town trouble love charge debt shock tears therapy remission recovery labor labour general fact person theory principle shape pieces need touch line doubt luck heaven hell tech finance retail marketing sales it law here there home work meeting meetings class court transit limbo agreement danger stitches awe menopause quarantine mourning uniform heat season high middle constant full good bad great real
no-city: management production development engineering support consulting operations research design strategy leadership nursing surgery palliative hospice decaf tea coffee water juice milk soy oat almond cash credit card paper print digital audio video vinyl fiction poetry jazz piano guitar bass cello violin drums yoga pilates crossfit insulin statins keto paleo vegan vegetarian freelance freelancing contract contracting self-employment retirement parenthood kindergarten preschool elementary secondary uni university campus church temple mass bed kitchen bathroom bedroom basement attic upstairs downstairs abroad overseas nights days mornings evenings weekends remote hybrid monday tuesday wednesday thursday friday saturday sunday plan next last level stage grade year phase acceptance forgiveness action
technology: kubernetes k8s docker linux ubuntu debian windows macos mac ios android react vue angular svelte python java javascript typescript rust go ruby php sql postgres postgresql mysql mongodb redis aws azure gcp excel word powerpoint sheets notion slack teams zoom discord github gitlab jira vim emacs vscode chrome firefox safari edge figma photoshop blender html css latex matlab bash terraform google gmail outlook minecraft
no-deed: ask say be bother interrupt admit see hear know think do have get go learn live deal
workplace: hospital school university college bank shop store bakery cafe café restaurant farm salon startup company studio agency bar pub practice clinic hotel gallery brewery charity firm library museum market supermarket warehouse factory office council government airport port station gym nursery kindergarten pharmacy garage lab laboratory theater theatre cinema church prison zoo plant mill ministry bookshop bookstore nonprofit ngo center centre department ward co-op authority rescue shelter sanctuary depot shipyard yard mine refinery foundry court courthouse vineyard harbour harbor post-office dealership archive archives zoo call-center call-centre
no-job: man woman lifesaver game-changer lover beginner fan member believer number matter newcomer learner loser winner killer person human disaster monster hater eater drinker sleeper morning bother factor error mirror color horror favor flavor summer winter weather player user customer reader visitor owl other another brother sister neighbor prisoner liar teenager stranger sucker dinner christian order computer paper water letter answer offer survivor quitter wanderer outsider helper rumor tumor cancer burger corner finger fever starter timer printer trailer filter layer marker router server folder fighter minor major senior junior
job: tech aide rep educator nurse midwife doctor gp vet dentist paramedic surgeon chef cook baker barista waiter waitress bartender teacher tutor lecturer professor student phd undergrad freshman sophomore developer dev programmer engineer architect designer illustrator writer author editor journalist translator interpreter photographer musician pianist singer actor actress lawyer attorney solicitor paralegal accountant bookkeeper auditor analyst consultant manager director ceo cto cfo founder owner entrepreneur freelancer carpenter plumber electrician welder mechanic builder roofer mason farmer gardener florist tailor seamstress barber hairdresser stylist driver trucker courier pilot sailor captain soldier officer policeman policewoman cop firefighter fireman librarian archivist curator scientist researcher chemist physicist biologist geologist mathematician economist therapist psychologist psychiatrist physio physiotherapist pharmacist optician dietitian nutritionist radiologist hygienist carer caregiver nanny babysitter secretary receptionist clerk cashier salesman saleswoman realtor landlord landlady cleaner janitor guard butcher fisherman potter weaver jeweler artist painter sculptor animator dancer coach trainer referee athlete goalkeeper drummer priest pastor monk nun magistrate judge servant dba sysadmin admin intern apprentice trainee lead treasurer caretaker schoolmistress schoolteacher headteacher principal pensioner widow widower homemaker housewife veteran immigrant expat refugee twin mom mum mother dad father grandmother grandfather grandma grandpa friend beekeeper brewer conductor composer steward stewardess attendant operator technician assistant inspector surveyor planner buyer tester marketer recruiter streamer blogger youtuber novelist poet historian linguist astronomer meteorologist magician coordinator chairman chairwoman chairperson president supervisor instructor contractor pediatrician paediatrician radiographer paramedic porter warden ranger miner machinist postman postwoman mailman banker broker actuary statistician housekeeper dispatcher foreman blacksmith luthier optometrist counselor counsellor diplomat reporter producer presenter copywriter proofreader lifeguard zookeeper shepherd winemaker organist violinist cellist guitarist rabbi imam vicar deacon tiler glazier joiner upholsterer labourer laborer bricklayer stonemason optometrist toolmaker watchmaker shoemaker dressmaker seafarer bookseller shopkeeper innkeeper hotelier caterer notary goldsmith locksmith
agent: -cer -der -fer -ger -her -ker -ler -mer -ner -per -ser -ter -ver -wer -yer -eer -or -ist -ian -man -woman -wright -smith
state: vegan vegetarian pescatarian veggie teetotal celiac coeliac gluten-free dairy-free lactose-intolerant gluten-intolerant diabetic pregnant retired semi-retired unemployed self-employed freelance left-handed right-handed ambidextrous colorblind colourblind color-blind colour-blind deaf blind hard-of-hearing short-sighted autistic dyslexic epileptic asthmatic anemic anaemic bipolar sober jewish muslim christian hindu buddhist catholic sikh atheist agnostic bilingual trilingual gay lesbian bisexual bi queer trans non-binary nonbinary adopted handsome tall short bald blond blonde shy introverted extroverted claustrophobic homeschooled disabled undocumented halal kosher stay-at-home-mum stay-at-home-mom stay-at-home-dad stay-at-home-parent only-child night-owl morning-person early-bird nearsighted farsighted
nation: french german dutch greek swiss czech thai welsh norwegian iraqi israeli pakistani bangladeshi kiwi filipino filipina slovak afghan croat serb finn dane swede turk arab scottish scots basque latino latina somali nepali qatari emirati saudi kuwaiti omani yemeni muslim christian hindu buddhist catholic jewish sikh -ish -ese -lian -nian -rian -vian -sian -tian -cian -dian -gian -pian -ean -can
/club: club group choir team band orchestra gym society class league church
/degree: law medicine engineering history philosophy math maths mathematics science studies literature nursing architecture economics politics degree phd master masters mba bachelor bachelors a-levels gcse gcses apprenticeship residency french german spanish english japanese chinese italian korean arabic portuguese russian latin art music psych design linguistics education marketing accounting finance journalism -ology -ometry -istry -onomy -onomics -ysics
/project: project novel book album thesis paper app game startup website song film movie dissertation phd
/student: student freshman sophomore undergrad undergraduate postgrad grad
/plan: shed house boat deck cabin pergola greenhouse trip holiday wedding party novel book thesis memoir dissertation app game website bathroom kitchen garden flat home van shop business startup course podcast album film festival reunion honeymoon
/food: dairy gluten meat pork beef lamb alcohol caffeine sugar spicy food nuts seafood fish eggs lactose soy wheat bread carbs shellfish mushrooms onions garlic salt cheese milk
/business: club choir hostel guesthouse kiosk shop store bakery cafe café restaurant farm salon startup company business studio agency stall bar pub practice clinic b&b hotel gallery brewery vineyard truck podcast blog channel nonprofit charity firm bookshop bookstore nursery gym kennel newsletter
/having: kid kids child children son sons daughter daughters sister sisters brother brothers sibling siblings twins grandchildren grandkids grandson grandsons granddaughter granddaughters babies baby toddler dog dogs cat cats kitten kittens puppy puppies horse horses hamster hamsters rabbit rabbits parrot parrots chickens hens goat goats sheep cows ferret ferrets tortoise tortoises turtle turtles bees fish snake snakes lizard gecko budgie budgies car truck van motorbike motorcycle bike e-bike bicycle scooter boat campervan camper tesla piano guitar violin cello ukulele drums house flat apartment cottage cabin garden allotment greenhouse degree phd diploma passport license licence visa tattoo tattoos pacemaker implant girlfriend boyfriend wheelchair pets laptop macbook ipad iphone pc printer kindle drone treadmill machine kayak canoe dinghy tractor telescope loom kiln
/home: flat house apartment village town city suburb place studio cottage farm condo dorm bungalow
/company: parents grandparents family mum mom dad mother father grandma husband wife partner girlfriend boyfriend roommates flatmates housemates roommate flatmate housemate kids children sister sisters brother brothers in-laws cat cats dog dogs friends
/baby: baby twins girl boy daughter son child kid triplets
/surgery: surgery operation transplant replacement stroke stent miscarriage c-section bypass chemo
/part: leg arm wrist ankle knee foot toe finger hand shoulder rib ribs hip collarbone acl achilles nose elbow back tonsils appendix gallbladder kidney cataract cataracts
/sport: yoga pilates karate judo crossfit ballet gymnastics physio climbing running swimming cycling hiking fishing sailing surfing skiing dancing bouldering rowing kayaking
/condition: asthma pain diabetes syndrome disease disorder allergy allergies intolerance adhd add autism anxiety depression migraine migraines apnea apnoea hypertension pressure epilepsy eczema cancer ibs pcos ms gout tinnitus insomnia dyslexia vertigo celiac coeliac deficiency murmur pacemaker ptsd ocd copd dementia lupus glaucoma cataract cataracts hernia scoliosis sciatica arthritis reflux psoriasis fracture palsy tendonitis anemia anaemia -itis -osis -aemia -emia -algia -opathy -plasia -trophy -lepsy -phobia
/medicine: insulin antidepressants statins inhaler thinner thinners aspirin ibuprofen metformin warfarin steroids hrt antihistamines lithium adderall ritalin -pril -olol -statin -formin -azole -etine -aline -xaban -ipine -sartan -thyroxine -cillin -lukast -azepam -triptyline
/school: university uni college school academy institute mit polytechnic conservatory high
base-verb: live work like love hate play speak eat drink want prefer enjoy own drive run sell make are were have do
bare-property: work office budget birthday age weight height
bare-kin: dad mom mum mama papa baba grandma grandpa gran nan hubby wife husband gf bf girlfriend boyfriend son daughter sis bro brother sister
no-subject: this that there here it what who everyone everybody nobody somebody nothing everything something weather one all some any most people the then today tomorrow yesterday
finite: is are was were has have had live lives work works like likes love loves hate hates does do did moved play plays speak speaks studies eat eats drink drinks want wants prefer prefers enjoy enjoys own owns drive drives run runs teaches wrote directed founded met made built painted composed invented created designed sell sells make makes got can not never always still just also really currently now married allergic left quit joined started will would could should may might must
no-small-name: group side house birthday wedding name job car place party food family team room work phone problem situation voice mood health hair idea plan class lesson account office thing request
kin-adjective: older elder eldest oldest younger youngest little big baby late ex former best old new other dear good close own twin favorite first second only beloved poor lovely sweet current adult teenage teen uni school childhood work next-door upstairs downstairs direct
no-kin: dream toy sim avatar game virtual ai previous last next fake imaginary imagined fictional future potential dead deceased estranged so-called supposed pretend would-be
conjunction: but so because cause cuz coz bc though tho although while whereas then plus which who whom where when whenever that until till til after before once if unless whether except lol lmao haha hehe btw tbh ngl fyi imo idk lmk pls plz please thanks thx ty hence therefore otherwise
opener: so and hi hello hey ok okay well but also oh yo now then please btw
question-tag: right correct no yes is are am do does did was were ok okay huh eh
doubt-start: if unless whether imagine suppose supposing assuming pretend say as when whenever until till til before after once while which who whom where that
doubt: if unless whether suppose supposing imagine wish wishes hope hopes hoping hopefully maybe perhaps possibly probably likely allegedly supposedly apparently reportedly rumou?rs? said says say saying told tell tells telling claims? claimed think thinks thought believes? believed guess guessing assume assumed heard hears? pretend pretended pretending dream dreamed dreamt dreams doubt wonder wondering asked asks asking almost nearly hypothetically hypothetical seems? seemed fictional wants want wanted would could should might shall must will ought feels? felt calls swears insists jokes joked kidding unless lest than
modal: would could might should must will shall ought may can did
participle: \p{L}{2,}ed lived known written built made sold bought taught spoken met run seen quit left had begun found got given gotten grown
adverb: also really just now currently still always usually often actually recently finally both all only absolutely definitely truly simply originally once ever even mostly mainly totally completely very so too already basically literally obviously sadly luckily happily proudly officially kinda sorta honestly genuinely personally normally generally regularly sometimes occasionally temporarily permanently presently technically quite pretty super strictly myself secretly slowly lately
no-name: i i'm a an the and but or so if when where while who what which why how whose whom is am are was were do does did have has had can could will would should may might must shall not no yes yeah yep nope ok okay well hi hello hey thanks thank please sure sorry great good nice cool wow oh ah also then now here there this that these those it he she they we you me my mine your his her hers its our their him them us everyone someone anyone nobody nothing everything today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december ceo cto cfo coo vp fyi btw lol asap omg idk imo tldr ps tv pc ai human user assistant mom mum dad mother father in on at of for from with by to as about after before since until during actually currently recently maybe perhaps remember note call let just only very really both all some any each every other another birthday christmas easter english mr mrs ms
no-initial: first second third last next new old best big little good great red blue black white
name-connector: of the de van von der den di da du la le las los el al bin ibn del y &
name-and-word: will mark may rose hope jack bill art frank grace joy faith summer june april august dawn drew grant chase ray rich rob sue pat nick jean penny iris lily ruby amber ginger heather ivy olive violet daisy basil dale dean earl gene glen guy hunter jade jay jewel josh lance miles mason max melody mercy misty norm paris patience pearl pierce robin rusty sandy scarlet sky skip star sterling stone storm tucker turkey van victor wade ward chuck china chip charity eve gay happy major mo reading split nice bath cork mobile orange buffalo phoenix lead tan tag an man
either-gender: sam alex chris jordan taylor morgan casey jamie robin kim lee pat terry jean andrea nikita sasha ashley avery charlie riley max mei
person: wife husband hubby partner girlfriend boyfriend gf bf fiance fiancé fiancée fiancee spouse ex ex-wife ex-husband ex-boyfriend ex-girlfriend sister brother mother father mom mum mama mam dad papa son daughter child kid baby toddler newborn friend bestie mate buddy pal boss colleague coworker co-worker manager supervisor teacher tutor student neighbor neighbour cousin aunt auntie uncle grandmother grandfather grandma grandpa gran granny nan nana granddad grandad grandson granddaughter grandchild roommate housemate flatmate lodger deputy classmate teammate carer room-mate doctor dentist physio physiotherapist nephew niece twin mentor therapist landlord landlady tenant nanny babysitter coach trainer stepson stepdaughter stepmom stepmum stepdad stepfather stepmother stepbrother stepsister half-brother half-sister godson goddaughter godmother godfather sister-in-law brother-in-law mother-in-law father-in-law son-in-law daughter-in-law assistant apprentice intern advisor correspondent penpal parent grandparent midwife gp vet lawyer accountant editor agent
pet: dog cat horse pony parrot hamster rabbit bunny puppy kitten pet tortoise turtle ferret goat lizard gecko snake budgie canary labrador poodle terrier beagle retriever greyhound dachshund spaniel donkey cow pig hen guinea-pig rat mouse
male: husband hubby boyfriend bf brother father dad papa son uncle nephew grandfather grandpa granddad grandad grandson landlord father-in-law brother-in-law son-in-law stepson stepdad stepfather stepbrother
female: wife girlfriend gf sister mother mom mum mama daughter aunt auntie niece grandmother grandma gran granny nan nana granddaughter landlady mother-in-law sister-in-law daughter-in-law stepdaughter stepmom stepmum stepmother stepsister
`;

const lists: ReadonlyMap<string, RegExp> = new Map(
  LISTS.trim()
    .split('\n')
    .map((line): [string, RegExp] => {
      const [name = '', words = ''] = line.split(': ');
      return [
        name,
        new RegExp(`^(?:${words.replaceAll(/(?<=^| )-/gu, '.{2,}').replaceAll(' ', '|')})$`, 'u'),
      ];
    }),
);

/** Whether a word (in lower case) is in a list. */
export function isIn(list: string, word: string | undefined): boolean {
  return word !== undefined && lists.get(list)?.test(word) === true;
}

/** Whether a noun (lower case, singular) is a person or pet in relation to somebody: `sister`, `boss`, `dog`. */
export function isKin(noun: string): boolean {
  return isPersonKin(noun) || isIn('pet', noun);
}

export function isPersonKin(noun: string): boolean {
  return isIn('person', noun);
}

export function genderOf(noun: string): 'male' | 'female' | undefined {
  if (isIn('male', noun)) return 'male';
  return isIn('female', noun) ? 'female' : undefined;
}

export function singularOf(noun: string): string {
  const irregular = IRREGULAR.get(noun.toLowerCase());
  if (irregular !== undefined) return irregular;
  if (/budgies$/iu.test(noun)) return noun.slice(0, -1);
  if (/(?:pupp|bab|bunn)ies$/iu.test(noun)) return `${noun.slice(0, -3)}y`;
  return /[^s]s$/u.test(noun) && !isKin(noun.toLowerCase()) ? noun.slice(0, -1) : noun;
}

const IRREGULAR = pairs(
  'children: child, kids: child, kid: child, youngest: child, eldest: child, grandchildren: grandchild, wives: wife',
);

/** Reads a table such as `cant: can not, im: I am`. */
export function pairs(table: string): ReadonlyMap<string, string> {
  return new Map(
    table.split(/,\s+/u).map((row): [string, string] => {
      const [key = '', value = ''] = row.split(': ');
      return [key, value];
    }),
  );
}

/** Returns the columns of a table with a row per line and `=>` between columns. Other lines are comments. */
export function rowsOf(table: string): string[][] {
  return table
    .split('\n')
    .map((line) => line.split(' => '))
    .filter((columns) => columns.length > 1);
}
