// A vendor that sends hostile JSON in place of some of a person's records.
import type { Person, Simulator } from "@restwell/simulator"
import { type HostileJson, hostileFormsOf } from "@restwell/testing/hostile"
import fc from "fast-check"

export type Kind = "sleep" | "recovery" | "workout" | "cycle"

export interface HostileRecord extends HostileJson {
  readonly kind: Kind
  /** The vendor's id of the record that it replaces. */
  readonly providerId: string
}

export interface HostileVendor {
  readonly hostile: readonly HostileRecord[]
  /** Keys of the records that stay as they are: `sleep/<id>`. */
  readonly untouched: ReadonlySet<string>
  /** From now on the vendor sends what is true. */
  repair(): void
}

const KIND_OF_PATH: readonly (readonly [RegExp, Kind])[] = [
  [/\/v2\/activity\/sleep/, "sleep"],
  [/\/v2\/activity\/workout/, "workout"],
  [/\/recovery$/, "recovery"],
  [/\/v2\/cycle/, "cycle"],
]

const kindOf = (path: string): Kind | undefined => KIND_OF_PATH.find(([pattern]) => pattern.test(path))?.[1]

/** Replaces every other record of a person by a hostile form, in lists and by id, the same at every read. */
export function sendHostileRecords(simulator: Simulator, person: Person, seed: number): HostileVendor {
  const { sleeps, recoveries, workouts, cycles } = simulator.records(person)
  const all = [
    ...sleeps.map((record) => ({ kind: "sleep" as const, record, providerId: record.id })),
    ...recoveries.map((record) => ({ kind: "recovery" as const, record, providerId: String(record.cycle_id) })),
    ...workouts.map((record) => ({ kind: "workout" as const, record, providerId: record.id })),
    ...cycles.map((record) => ({ kind: "cycle" as const, record, providerId: String(record.id) })),
  ]
  const hostile = all
    .filter((_record, index) => index % 2 === 0)
    .flatMap(({ kind, record, providerId }, index) =>
      fc
        .sample(hostileFormsOf(record), { seed: seed + index, numRuns: 1 })
        .map((form) => ({ kind, providerId, ...form })),
    )
  const textOf = new Map(hostile.map(({ kind, providerId, text }) => [`${kind}/${providerId}`, text]))
  const repair = simulator.faults.add({
    match: { personId: person.userId, path: /\/v2\/(cycle|recovery|activity)/ },
    kind: "rewrite",
    rewrite: (reply, path) => rewritten(reply, kindOf(path), textOf),
  })
  const untouched = all.map(({ kind, providerId }) => `${kind}/${providerId}`).filter((key) => !textOf.has(key))
  return { hostile, untouched: new Set(untouched), repair }
}

function rewritten(reply: string, kind: Kind | undefined, textOf: ReadonlyMap<string, string>): string {
  if (kind === undefined || !reply.startsWith("{")) return reply
  const { records, ...rest } = JSON.parse(reply)
  const replacedBy = (record: { id?: unknown; cycle_id?: unknown }) =>
    textOf.get(`${kind}/${kind === "recovery" ? record.cycle_id : record.id}`) ?? JSON.stringify(record)
  if (!Array.isArray(records)) return replacedBy(rest)
  const more = JSON.stringify(rest).slice(1, -1)
  return `{"records":[${records.map(replacedBy).join(",")}]${more === "" ? "" : `,${more}`}}`
}
