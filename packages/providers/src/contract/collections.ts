// The collections of a vendor: what its API lists apart can fail apart. Each vendor's folder declares its own, with the words for people.
import { AccessTokenRejected, AppRefused, AuthorizationRevoked, ProviderError, RateLimited } from "./errors.ts"
import type { RecordKind } from "./records.ts"

/** What a collection has a part in: records of a kind, the journal, or values within the day that are no parts of records. */
export type Holding = RecordKind | "journal" | "samples"

export interface VendorCollection {
  /** The vendor's own name. */
  readonly name: string
  /** What people call it: "SpO2", "workouts". */
  readonly title: string
  /** The first collection that holds a kind is the one that lists its records. The others add parts to them. */
  readonly holds: readonly Holding[]
  /** The nights or the days. While none of the essential collections answers, the vendor counts as unavailable, and the rest is stored. */
  readonly isEssential?: true
  /**
   * What the person's grant has to have, where a vendor may answer with nothing instead of a refusal. An empty answer without it says nothing.
   * @default none
   */
  readonly scope?: string
  /** The collection without which this one is not asked, or says nothing. @default none */
  readonly needs?: string
  /** It has nothing that the vendor received before the person connected, which each new connection begins anew. @default false */
  readonly isSinceConnected?: true
}

/** All collections of a vendor. */
export interface VendorCollections {
  readonly all: readonly VendorCollection[]
  /** What a person does about data that the vendor does not allow, as an order without a full stop. */
  readonly allowStep: string
}

/** Returns the collections that the person did not open, by the scopes of the grant. */
export const withheldBy = ({ all }: Pick<VendorCollections, "all">, scopes: readonly string[]): string[] =>
  all.flatMap(({ name, scope }) => (scope === undefined || scopes.includes(scope) ? [] : [name]))

/** Returns the collection that a collection needs. Undefined where it needs none. */
export const neededBy = ({ all }: Pick<VendorCollections, "all">, collection: string): string | undefined =>
  all.find(({ name }) => name === collection)?.needs

/**
 * True for errors of one collection. The others may still answer. A limit, an ended grant and a refused app concern all of them. A rejected
 * access token was renewed before and ended again: calls of the others may have had another one.
 */
export const failsAlone = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  !(error instanceof RateLimited || error instanceof AuthorizationRevoked || error instanceof AppRefused)

/**
 * True for errors of one collection that an adapter reports with the parts that answered. A rejected access token has not been refreshed
 * there: the adapter throws it, and all is read again with a new one.
 */
export const failsInPart = (error: unknown): error is ProviderError =>
  failsAlone(error) && !(error instanceof AccessTokenRejected)
