/** A value of an attribute of a fact or an entity. */
export type AttributeValue = string | number | boolean | null;

export type AttributeMap = Readonly<Record<string, AttributeValue>>;

/** A message from which a fact was taken. */
export interface TripleSource {
  readonly messageId: string;
  /** The words of the message that state the fact. */
  readonly quote?: string;
  /**
   * Set if the message does not state the fact, but a name or word of the fact comes from it. The fact is erased with
   * the message.
   */
  readonly isContext?: true;
}

/** A fact to add. Times are in milliseconds since 1970. */
export interface NewTriple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** Id of the fact. @default a random id */
  readonly id?: string;
  /** When the fact began to hold. @default `recordedAt` */
  readonly validFrom?: number;
  /** When the fact stops holding, exclusive. @default no end */
  readonly validTo?: number;
  /** When the fact became known. @default the clock's time, but never before an earlier record */
  readonly recordedAt?: number;
  /** The messages that state the fact. */
  readonly sources?: readonly TripleSource[];
  /** Who states it: the user directly, or an extractor that read the messages. @default 'extracted' */
  readonly source?: 'user' | 'extracted';
  readonly attributes?: AttributeMap;
  /**
   * Ids of facts that this one replaces from its `validFrom` on, whatever their predicates. If the user states something else
   * in their place, those that began no earlier were never true, also after this one has ended.
   */
  readonly supersedes?: readonly string[];
}

/**
 * Whether a fact is only proposed, as its attribute `isProposal` says: it waits for somebody's word and
 * holds in no view. It ends only the facts that it names in `supersedes`.
 */
export function isProposal({ attributes }: Pick<NewTriple, 'attributes'>): boolean {
  return attributes?.['isProposal'] === true;
}

/** A fact as it was known at the queried time. Times are in milliseconds since 1970. */
export interface Triple extends Required<Omit<NewTriple, 'validTo' | 'supersedes'>> {
  /** When it stopped holding, exclusive; absent while it holds. Equal to `validFrom` if it never held. */
  readonly validTo?: number;
  /** When it became known that it no longer holds, or never did. */
  readonly retractedAt?: number;
  /** Id of the fact that replaced it. */
  readonly supersededBy?: string;
}

/**
 * A fact as it is stored: only what was stated, nothing that follows from other facts. Adding a fact therefore
 * changes no other record, and deleting one restores what it had superseded.
 */
export interface TripleRecord extends Required<Omit<NewTriple, 'validTo'>>, Pick<NewTriple, 'validTo'> {
  /** Position in the order of adding; decides where times are equal. */
  readonly seq: number;
  /** Set by `retractTriple`: the fact held only until `validTo`. */
  readonly retraction?: { readonly recordedAt: number; readonly validTo: number };
}

/** Subject, predicate and object of a fact. */
export type TripleWords = Pick<NewTriple, 'subject' | 'predicate' | 'object'>;

/** Returns a fact as a sentence: `Sam lives in Rome`. */
export function sentenceOf({ subject, predicate, object }: TripleWords): string {
  return `${subject} ${predicate} ${object}`;
}

/** A person, place or thing that facts are about. */
export interface Entity {
  /** The name as it was first written. */
  readonly name: string;
  /** Other names of the entity. */
  readonly aliases: readonly string[];
  readonly attributes: AttributeMap;
}

/** An entity as it is stored. */
export interface EntityRecord extends Entity {
  /** Whether it was added on its own, so that it stays when its last fact is erased. */
  readonly isStandalone: boolean;
}

/** Everything in a graph, as plain data for storing. */
export interface GraphRecords {
  readonly entities: readonly EntityRecord[];
  readonly triples: readonly TripleRecord[];
}
