import type { CountedPerson, HeldLine, HeldReads } from "../store/count-held.ts"
import { type HeldBody, standingOf } from "./held-bodies.ts"
import type { Asked, Turn, Weighed } from "./read-queue.ts"
import type { HealthReadRequest } from "./waiting-read.ts"

/** A read whose body is held, and that is answered by counting it where what the body was made under still stands. */
export interface HeldRead extends Asked, Weighed {
  readonly type: HeldLine["type"]
  readonly held: HeldBody
  readonly standing: Omit<HeldReads, "times">
}

type HeldTurn = Turn<HeldRead>

/** A read of a held body, if counting it can be all there is to do: it is counted, and asks for nothing but the body. */
export function heldReadOf(
  { credential, query, charge, ifNoneMatch }: HealthReadRequest,
  asked: Asked,
  held: HeldBody,
  now: Date,
): HeldRead | undefined {
  if (!charge || query === null || ifNoneMatch.length > 0 || !("keyHash" in credential)) return undefined
  const standing = standingOf(held, credential.keyHash, now)
  return standing && { ...asked, weight: 1, type: query.type, held, standing }
}

/**
 * A call's people, each once, in the order of their ids. Who asks with two keys, or for bodies of two versions, is left out: one of them is no
 * longer good, and only a read of its own tells which.
 */
export function heldPeopleOf(turns: readonly HeldTurn[]): { held: HeldReads[]; lines: HeldLine[] } {
  const people = [...Map.groupBy(turns, ({ item }) => item.standing.user_id).values()].flatMap((own) => {
    const [first, ...others] = own
    if (!first || others.some(({ item }) => !isSame(item.standing, first.item.standing))) return []
    return [{ own, reads: { ...first.item.standing, times: own.reduce((sum, { times }) => sum + times, 0) } }]
  })
  people.sort((one, other) => (one.reads.user_id < other.reads.user_id ? -1 : 1))
  return { held: people.map(({ reads }) => reads), lines: people.flatMap(({ own }) => own.map(lineOf)) }
}

const isSame = (one: HeldRead["standing"], other: HeldRead["standing"]): boolean =>
  one.key_hash === other.key_hash &&
  one.data_version === other.data_version &&
  one.provider === other.provider &&
  one.utc_offset_minutes === other.utc_offset_minutes

const lineOf = ({ item: { type, held }, times }: HeldTurn): HeldLine => ({
  user_id: held.userId,
  type,
  start_date: type === "profile" ? null : held.fromDate,
  end_date: type === "profile" ? null : held.toDate,
  record_count: held.recordCount,
  times,
})

/** A read's body, and what its person had used before it; nobody where nothing was counted. */
export interface CountedRead {
  readonly body: HeldBody
  readonly person: CountedPerson | undefined
}

/** What became of each turn, those of one person one after the other. */
export function countedReadsOf(turns: readonly HeldTurn[], people: readonly CountedPerson[]): CountedRead[] {
  const byPerson = new Map(people.map((person) => [person.user_id, person]))
  return turns.map(({ item: { held }, times }) => {
    const person = byPerson.get(held.userId)
    if (person) byPerson.set(held.userId, { ...person, used: person.used + times })
    return { body: held, person }
  })
}
