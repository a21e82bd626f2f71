/** Whether a noun (lower case, singular) is a person or pet in relation to somebody: `sister`, `boss`, `dog`. */
export function isKin(noun: string): boolean {
  return PEOPLE.has(noun) || PETS.has(noun);
}

export function isPersonKin(noun: string): boolean {
  return PEOPLE.has(noun);
}

export function genderOf(noun: string): 'male' | 'female' | undefined {
  return MALE.test(noun) ? 'male' : FEMALE.test(noun) ? 'female' : undefined;
}

export function singularOf(noun: string): string {
  const irregular = IRREGULAR.get(noun.toLowerCase());
  if (irregular !== undefined) return irregular;
  if (/(?:pupp|bab|budg|bunn)ies$/iu.test(noun))
    return `${noun.slice(0, -3)}${/budg/iu.test(noun) ? 'ie' : 'y'}`;
  return /[^s]s$/u.test(noun) && !isKin(noun.toLowerCase()) ? noun.slice(0, -1) : noun;
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['children', 'child'],
  ['kids', 'child'],
  ['kid', 'child'],
  ['youngest', 'child'],
  ['eldest', 'child'],
  ['grandchildren', 'grandchild'],
  ['wives', 'wife'],
]);
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u));

const PEOPLE = words(
  `wife husband hubby partner girlfriend boyfriend gf bf fiance fiancé fiancée fiancee spouse ex ex-wife ex-husband
  ex-boyfriend ex-girlfriend sister brother mother father mom mum mama mam dad papa son daughter child kid baby toddler
  newborn friend bestie mate buddy pal boss colleague coworker co-worker manager supervisor teacher tutor student
  neighbor neighbour cousin aunt auntie uncle grandmother grandfather grandma grandpa gran granny nan nana granddad
  grandad grandson granddaughter grandchild roommate housemate flatmate doctor dentist physio physiotherapist nephew
  niece twin mentor therapist landlord landlady tenant nanny babysitter coach trainer stepson stepdaughter stepmom stepmum
  stepdad stepfather stepmother stepbrother stepsister half-brother half-sister godson goddaughter godmother godfather
  sister-in-law brother-in-law mother-in-law father-in-law son-in-law daughter-in-law assistant apprentice intern advisor
  correspondent penpal parent grandparent midwife gp vet lawyer accountant editor agent`,
);
const PETS = words(
  `dog cat horse pony parrot hamster rabbit bunny puppy kitten pet tortoise turtle ferret goat lizard gecko snake budgie
  canary labrador poodle terrier beagle retriever greyhound dachshund spaniel donkey cow pig hen guinea-pig rat mouse`,
);
const MALE =
  /^(?:husband|hubby|boyfriend|bf|brother|father|dad|papa|son|uncle|nephew|grandfather|grandpa|granddad|grandad|grandson|landlord|.*(?:father|brother|son)-in-law|step(?:son|dad|father|brother))$/u;
const FEMALE =
  /^(?:wife|girlfriend|gf|sister|mother|mom|mum|mama|daughter|aunt|auntie|niece|grandmother|grandma|gran|granny|nan|nana|granddaughter|landlady|.*(?:mother|sister|daughter)-in-law|step(?:daughter|mom|mum|mother|sister))$/u;
