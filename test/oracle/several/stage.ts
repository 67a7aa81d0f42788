/* Small lives for the rules of docs/sources.md: two weeks, measured by two to four devices, and read over HTTP. */
import type { NormalizedRecord, RecordKind } from "@restwell/providers"
import fc from "fast-check"
import { z } from "zod"
import { DEVICES, Measurement } from "./devices.ts"
import { Dice } from "./dice.ts"
import type { SourceQuery } from "./expected.ts"
import { type Answer, Installation, type Someone } from "./installation.ts"
import { live } from "./lives.ts"

export type DeviceName = keyof typeof DEVICES
const SOURCES = ["whoop", "oura", "apple_health", "polar", "garmin", "google_health"] as const
export const KINDS = ["sleep", "recovery", "workout", "cycle"] as const satisfies readonly RecordKind[]
export type Sent = ReadonlyMap<DeviceName, readonly NormalizedRecord[]>

const NOW = new Date("2026-10-21T18:00:00Z")
const DAYS = 14
const RANGE = { days: DAYS + 6, end_date: "2026-10-22" }

const RecordSchema = z.looseObject({
  id: z.string().optional(),
  date: z.string(),
  start: z.string().optional(),
  end: z.string().nullable().optional(),
  source: z.string(),
  chosen_because: z.string().nullable(),
  chosen: z.boolean().optional(),
  is_nap: z.boolean().optional(),
  night: z.object({ date: z.string() }).optional(),
  strain: z.number().nullable().optional(),
  score_state: z.string(),
  others: z.unknown().optional(),
})
export type Listed = z.infer<typeof RecordSchema>
const ListSchema = z.looseObject({ records: z.array(RecordSchema) })

export class Stage {
  readonly installation: Installation
  readonly someone: Someone
  /** Another person, to compare with. */
  readonly other: Someone

  private constructor(installation: Installation, someone: Someone, other: Someone) {
    this.installation = installation
    this.someone = someone
    this.other = other
  }

  static async open(): Promise<Stage> {
    const installation = await Installation.open(NOW)
    return new Stage(installation, await installation.addSomeone(), await installation.addSomeone())
  }

  close(): Promise<void> {
    return this.installation.close()
  }

  /** Two weeks as some devices measure them. */
  readonly sent: fc.Arbitrary<Sent> = fc
    .record({
      seed: fc.nat(),
      devices: fc.shuffledSubarray([...SOURCES], { minLength: 2, maxLength: 4 }),
      trainsAtMidnight: fc.boolean(),
      wakesAt: fc.constantFrom(0, 7, 7),
    })
    .map(({ seed, devices, ...habits }) => {
      const dice = new Dice(seed)
      const offsets = [60, -300, 540]
      const days = live(dice, { days: DAYS, naps: 60, workouts: 90, offsets, ...habits }, NOW)
      return new Map(
        devices.map((name) => {
          const measurement = new Measurement(dice, DEVICES[name], NOW)
          return [name, days.flatMap((day) => measurement.of(day))]
        }),
      )
    })

  /** Makes a person who has these sources and nothing else. */
  async fill(someone: Someone, sent: Sent): Promise<void> {
    await this.installation.forget(someone)
    for (const [provider, records] of sent) {
      await this.installation.connect(someone, provider)
      await this.installation.sync(someone, provider, { records })
    }
  }

  read(someone: Someone, type: RecordKind | "summary", source?: string): Promise<Answer> {
    return this.installation.read(someone, { type, ...RANGE, ...(source !== undefined && { source }) })
  }

  async list(someone: Someone, query: SourceQuery): Promise<Listed[]> {
    return ListSchema.parse((await this.installation.read(someone, query)).body).records
  }

  records(someone: Someone, type: RecordKind, source?: string): Promise<Listed[]> {
    return this.list(someone, { type, ...RANGE, ...(source !== undefined && { source }) })
  }

  /** The chosen records of every type. */
  async chosen(someone: Someone): Promise<Record<RecordKind, Listed[]>> {
    const [sleep, recovery, workout, cycle] = await Promise.all(KINDS.map((kind) => this.records(someone, kind)))
    return { sleep: sleep ?? [], recovery: recovery ?? [], workout: workout ?? [], cycle: cycle ?? [] }
  }

  /** Every answer to a person. */
  async answers(someone: Someone): Promise<unknown[]> {
    return Promise.all([...KINDS, "summary" as const].map(async (type) => (await this.read(someone, type)).body))
  }

  /** Puts the sources of every type in one order. */
  async prefer(someone: Someone, names: readonly string[]): Promise<void> {
    const order = { sleep: names, recovery: names, workout: names, cycle: names }
    await this.installation.prefer(someone, { order })
  }
}

/** A record without the reason of its choice, and without what other sources know. */
export function valuesOf({ chosen_because: _, chosen: __, others: ___, ...values }: Listed): object {
  return values
}

/** Records by their date. */
export const byDate = (records: readonly Listed[]): Map<string, Listed[]> => Map.groupBy(records, ({ date }) => date)

/** Records that are chosen by date: naps and workouts are chosen by activity. */
export const isByDate = (kind: RecordKind) => (record: Listed) => kind !== "workout" && record.is_nap !== true
