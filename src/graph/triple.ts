/** What an attribute of a fact or an entity may hold. */
export type AttributeValue = string | number | boolean | null;

export type AttributeMap = Readonly<Record<string, AttributeValue>>;

/** A message that a fact was taken from. */
export interface TripleSource {
  readonly messageId: string;
  /** The words of the message that say it. */
  readonly quote?: string;
  /** It does not say the fact, but a name or word of it is known from there: the fact goes with that message. */
  readonly isContext?: true;
}

/** A fact to add. Times are in milliseconds since 1970. */
export interface NewTriple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** @default a random one */
  readonly id?: string;
  /** Since when it has held. @default when it was recorded */
  readonly validFrom?: number;
  /** Until when it holds, itself excluded. @default open */
  readonly validTo?: number;
  /** When it became known. @default the clock's time, never before an earlier one */
  readonly recordedAt?: number;
  /** The messages that say it. */
  readonly sources?: readonly TripleSource[];
  /** Who says so: the person, or a model or rule that read the messages. @default 'extracted' */
  readonly source?: 'user' | 'extracted';
  readonly attributes?: AttributeMap;
  /** Ids of facts that this one replaces, whatever their predicates, from its `validFrom` on. */
  readonly supersedes?: readonly string[];
}

/** A fact, as known at the time asked about. Times are in milliseconds since 1970. */
export interface Triple {
  readonly id: string;
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly validFrom: number;
  /** Until when it held, itself excluded; absent while it holds. Equal to `validFrom` where it never held. */
  readonly validTo?: number;
  readonly recordedAt: number;
  /** When it became known that it does not hold any more, or never did. */
  readonly retractedAt?: number;
  /** The fact that took its place. */
  readonly supersededBy?: string;
  readonly source: 'user' | 'extracted';
  readonly sources: readonly TripleSource[];
  readonly attributes: AttributeMap;
}

/**
 * A fact as it is kept: what was said of it, and nothing that follows from other facts. Adding a fact therefore
 * changes no other record, and deleting one gives back what it had superseded.
 */
export interface TripleRecord {
  readonly id: string;
  /** Position in the order of adding, which decides where times are equal. */
  readonly seq: number;
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly validFrom: number;
  readonly validTo?: number;
  readonly recordedAt: number;
  /** Said later: that it held until `validTo` only. */
  readonly retraction?: { readonly recordedAt: number; readonly validTo: number };
  readonly supersedes: readonly string[];
  readonly source: 'user' | 'extracted';
  readonly sources: readonly TripleSource[];
  readonly attributes: AttributeMap;
}

/** A person, place or thing that facts are about. */
export interface Entity {
  /** As it was first written. */
  readonly name: string;
  /** Other names of it. */
  readonly aliases: readonly string[];
  readonly attributes: AttributeMap;
}

/** An entity as it is kept. */
export interface EntityRecord extends Entity {
  /** Whether it was added on its own, and so stays when its last fact goes. */
  readonly isStandalone: boolean;
}

/** Everything that a graph holds, for storing. */
export interface GraphRecords {
  readonly entities: readonly EntityRecord[];
  readonly triples: readonly TripleRecord[];
}
