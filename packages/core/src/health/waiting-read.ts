import { DAYS, type HealthQuery, type HealthType } from "@restwell/client"
import type { HealthRead } from "../store/read-health-rows.ts"
import type { HeldBody } from "./held-bodies.ts"
import type { Asked, Weighed } from "./read-queue.ts"
import { isList, PRESENTATION } from "./shown.ts"

const OUR_TAG = /^(?:"[0-9a-z-]+"|\*)$/

/** What a read of records weighs beside one whose body is held. */
const WEIGHT_OF_RECORDS = 8

const KINDS: Record<HealthType, readonly string[]> = {
  summary: ["sleep", "recovery", "cycle", "workout"],
  sleep: ["sleep"],
  recovery: ["recovery"],
  workout: ["workout"],
  cycle: ["cycle"],
  profile: [],
}

export interface HealthReadRequest {
  /** An API key's hash, or a person whom a door has authenticated otherwise. */
  readonly credential: { readonly keyHash: string } | { readonly userId: string }
  /** Null looks the credential and the quota up and no more. */
  readonly query: HealthQuery | null
  /** Entity tags with their quotes, or `*`. RFC 9110 13.1.2. */
  readonly ifNoneMatch: readonly string[]
  /** False for a read that carries no data away. */
  readonly charge: boolean
}

/** A read that waits for its turn. */
export interface WaitingRead extends Asked, Weighed {
  readonly read: Omit<HealthRead, "times">
  /** Where its body is held; undefined where it is not wanted as bytes. */
  readonly place: string | undefined
  readonly held: HeldBody | undefined
}

export const typeOf = ({ query }: HealthReadRequest): HealthType => query?.type ?? "summary"

const personOf = ({ credential }: HealthReadRequest): string =>
  "keyHash" in credential ? credential.keyHash : credential.userId

/** Where the body of a read is held: under who asks and what for. */
export function placeOf(request: HealthReadRequest): string | undefined {
  const { query } = request
  if (query === null) return undefined
  return `${personOf(request)} ${query.type} ${query.days ?? ""} ${query.start_date ?? ""} ${query.end_date ?? ""}`
}

/** Reads that are counted and ask for nothing but the body are equal when their bodies are. */
export const askedOf = (request: HealthReadRequest, place: string | undefined): Asked => ({
  person: personOf(request),
  name: request.charge && request.ifNoneMatch.length === 0 ? place : undefined,
})

/** @param held the body of an earlier answer to the same: its records are not read again where its entity tag still stands */
export function waitingReadOf(
  request: HealthReadRequest,
  asked: Asked,
  place: string | undefined,
  held: HeldBody | undefined,
): WaitingRead {
  const { credential, query, ifNoneMatch, charge } = request
  const type = typeOf(request)
  return {
    ...asked,
    weight: held ? 1 : WEIGHT_OF_RECORDS,
    place,
    held,
    read: {
      ...("keyHash" in credential ? { key_hash: credential.keyHash } : { user_id: credential.userId }),
      peek: query === null,
      charge,
      type,
      kinds: KINDS[type],
      wants_profile: type === "profile",
      days: query?.days ?? DAYS.default,
      ...(query?.start_date !== undefined && { start_date: query.start_date }),
      ...(query?.end_date !== undefined && { end_date: query.end_date }),
      tag_prefix: `${PRESENTATION}-${type}`,
      // What does not look like a tag of ours matches none, and stays out of a statement that others share.
      ...(place !== undefined && isList(type) && { shown_as: PRESENTATION }),
      if_none_match: ifNoneMatch.filter((tag) => OUR_TAG.test(tag)),
      ...(held && { held: held.etag, held_count: held.recordCount }),
    },
  }
}
