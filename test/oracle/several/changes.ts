/* What happens between two queries: records arrive late, change and disappear, sources come and go, and people change their mind. */
import type { NormalizedRecord, RecordKind } from "@restwell/providers"
import type { Member } from "./cast.ts"
import type { Dice } from "./dice.ts"
import type { Installation } from "./installation.ts"
import { HOUR_MS } from "./lives.ts"
import type { SourceTruth } from "./truth.ts"

export interface Scene {
  readonly installation: Installation
  readonly member: Member
  readonly dice: Dice
}

const KINDS = ["sleep", "recovery", "workout", "cycle"] as const satisfies readonly RecordKind[]

/** Each makes one change and returns whether there was something to change. */
export const CHANGES = {
  "records arrive late": async ({ installation, member, dice }) => {
    const ready = member.late.filter(({ provider, records }) => records.length > 0 && isLive(member, provider))
    if (ready.length === 0) return false
    const { provider, records } = dice.pick(ready)
    const arriving = dice.shuffled(records).slice(0, 1 + dice.below(12))
    records.splice(0, records.length, ...records.filter((record) => !arriving.includes(record)))
    await installation.sync(member, provider, { records: arriving })
    return true
  },
  "records change": (scene) =>
    withRecords(scene, async (source, records) => {
      const { installation, member, dice } = scene
      const changed = records.map((record) => edited(dice, record, installation.now.getTime()))
      await installation.sync(member, source.provider, { records: changed })
    }),
  "records are deleted": (scene) =>
    withRecords(scene, async (source, deleted) => {
      await scene.installation.sync(scene.member, source.provider, { deleted })
    }),
  "a source disconnects and its records stay": async (scene) => {
    const source = liveSource(scene)
    if (source) await scene.installation.disconnect(scene.member, source.provider, false)
    return source !== undefined
  },
  "a source disconnects and its records are deleted": async (scene) => {
    const { installation, member, dice } = scene
    const source = dice.percent(30) ? liveSource(scene) : undefined
    if (!source) return false
    const own = ownRecords(source)
    await installation.disconnect(member, source.provider, true)
    // A later connection fetches them again.
    member.late.find(({ provider }) => provider === source.provider)?.records.push(...own)
    return true
  },
  "a source connects again": async ({ installation, member, dice }) => {
    const ended = member.truth.sources.filter(({ status }) =>
      ["disconnected", "archive", "reauthorization_required"].includes(status),
    )
    if (ended.length === 0) return false
    await installation.connect(member, dice.pick(ended).provider)
    return true
  },
  "a source needs the person": async (scene) => {
    const source = liveSource(scene)
    if (source) await scene.installation.setStatus(scene.member, source.provider, "reauthorization_required")
    return source !== undefined
  },
  "an order changes": async ({ installation, member, dice }) => {
    const names = dice
      .shuffled(["whoop", "oura", "polar", "apple_health", "garmin", "google_health"])
      .slice(0, dice.below(6))
    await installation.prefer(member, { order: { [dice.pick(KINDS)]: names } })
    return true
  },
  "dates get a choice": async ({ installation, member, dice }) => {
    const chosen = KINDS.flatMap((type) => {
      const dates = [...new Set(member.ledger.measured()[type].map(({ date }) => date))]
      const names = member.truth.sources.map(({ provider }) => provider)
      return dice
        .shuffled(dates)
        .slice(0, 4)
        .map((date) => ({ type, date, source: dice.pick(names) }))
    })
    if (chosen.length > 0) await installation.prefer(member, { choices: chosen })
    return chosen.length > 0
  },
} satisfies Record<string, (scene: Scene) => Promise<boolean>>

export type ChangeName = keyof typeof CHANGES
export const CHANGE_NAMES = Object.keys(CHANGES).filter((name): name is ChangeName => name in CHANGES)

const isLive = (member: Member, provider: string): boolean => member.truth.source(provider).status === "ok"

function liveSource({ member, dice }: Scene): SourceTruth | undefined {
  const live = member.truth.sources.filter(({ status }) => status === "ok")
  return live.length === 0 ? undefined : dice.pick(live)
}

/** Those that the vendor sent itself. */
const ownRecords = ({ records }: SourceTruth): NormalizedRecord[] =>
  [...records.values()].flatMap(({ record, fromArchive }) => (fromArchive ? [] : [record]))

/** Some records that a live source can send again. */
async function withRecords(
  scene: Scene,
  change: (source: SourceTruth, records: NormalizedRecord[]) => Promise<void>,
): Promise<boolean> {
  const source = liveSource(scene)
  const own = source ? ownRecords(source) : []
  if (!source || own.length === 0) return false
  await change(source, scene.dice.shuffled(own).slice(0, 1 + scene.dice.below(8)))
  return true
}

/** Another version of a record: it moves, loses its values, or becomes a nap. */
function edited(dice: Dice, record: NormalizedRecord, updatedMs: number): NormalizedRecord {
  const version = { updatedMs, scoreState: dice.pick(["scored", "pending", "unscorable"] as const) }
  switch (record.kind) {
    case "sleep": {
      const { stages, ...rest } = record
      const moved = { ...rest, ...version, ...movedBy(record, dice.between(-5 * HOUR_MS, 5 * HOUR_MS)) }
      const isNap = dice.percent(20) ? !record.isNap : record.isNap
      return { ...moved, isNap, ...(stages && dice.percent(50) && { stages }) }
    }
    case "workout":
      return { ...record, ...version, ...movedBy(record, dice.between(-HOUR_MS, HOUR_MS)) }
    case "recovery": {
      const { scorePercent, ...rest } = record
      return { ...rest, ...version, ...(scorePercent !== undefined && dice.percent(50) && { scorePercent }) }
    }
    case "cycle": {
      const { strain, ...rest } = record
      const keeps = version.scoreState === "scored" && dice.percent(50)
      return { ...rest, ...version, ...(strain !== undefined && keeps && { strain }) }
    }
  }
}

interface Times {
  readonly startMs: number
  readonly endMs: number
}

const movedBy = ({ startMs, endMs }: Times, byMs: number): Times => ({ startMs: startMs + byMs, endMs: endMs + byMs })
