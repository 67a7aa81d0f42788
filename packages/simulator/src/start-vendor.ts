/** Starts the server of one simulated vendor, with the controls that every vendor has, on people and a clock that vendors may share. */

import { Faults } from "./http/faults.ts"
import { RequestLog } from "./http/request-log.ts"
import { createServer } from "./http/server.ts"
import type { VendorApi } from "./http/vendor-api.ts"
import { addControlRoutes, type Controls, createTokenControl, type RecordEdits } from "./vendor/control-api.ts"
import { type GrantRules, Grants, persistGrants } from "./vendor/grants.ts"
import { type EventSource, Webhooks } from "./vendor/webhooks.ts"
import type { WhoopOptions } from "./whoop/vendor.ts"
import { SimulatedClock } from "./world/clock.ts"
import { addDefaultPeople, People, type PersonReference } from "./world/people.ts"

/** The people and the time. */
export interface WorldOptions {
  /** All data is a pure function of the seed, the clock and the edits. @default 1 */
  readonly seed?: string | number
  /** Start of the clock. A date stays until the clock is moved; `"system"` follows real time. @default "system" */
  readonly now?: Date | "system"
  /** Lets a clock that starts at a date run at the pace of real time. @default false */
  readonly ticking?: boolean
  /** Days of history that each person has when the simulator starts. @default 365 */
  readonly days?: number
  /** First day of everyone's history, instead of `days`. A simulator restarted on a later day keeps its history. */
  readonly historyFrom?: Date
  /** Drawn people wear their devices every night, so a test does not depend on the date it runs. @default false */
  readonly wearsAlways?: boolean
  /** False: the simulator starts without the two default people. @default true */
  readonly defaultPeople?: boolean
}

/** The server of one vendor. */
export interface ServerOptions extends Pick<WorldOptions, "seed"> {
  /** @default 0, any free port */
  readonly port?: number
  /** @default "127.0.0.1" */
  readonly host?: string
  /** File that stores the grants, so that connections survive a restart. */
  readonly grantsFile?: string
  /** Addresses that receive webhooks, where the vendor has no subscriptions. `webhooks.urls` changes them later. */
  readonly webhookUrls?: readonly string[]
}

export interface SimulatorOptions extends WorldOptions, ServerOptions, WhoopOptions {}

export interface World {
  readonly clock: SimulatedClock
  readonly people: People
}

export function createWorld(options: WorldOptions): World {
  const clock = new SimulatedClock(options.now ?? "system", options.ticking)
  const people = new People({
    seed: seedOf(options),
    nowMs: () => clock.nowMs(),
    days: options.days ?? 365,
    fromMs: options.historyFrom?.getTime(),
    wearsAlways: options.wearsAlways ?? false,
  })
  if (options.defaultPeople !== false) addDefaultPeople(people)
  return { clock, people }
}

const seedOf = ({ seed }: Pick<WorldOptions, "seed">): string => String(seed ?? 1)

/** What one vendor is, beside the parts that all have. */
interface SimulatedVendor<Edits, Records extends object> {
  readonly grants: Grants
  readonly api: VendorApi
  readonly source: EventSource
  createEdits(webhooks: Webhooks): Edits
  /** The edits by their names in the control API. */
  editsByName(edits: Edits): Readonly<Record<string, RecordEdits<object>>>
  /** Returns every record of a person that is visible now. */
  read(person: PersonReference): Records
}

/** A running simulator. */
export interface RunningVendor<Edits, Records> extends Controls {
  /** Origin of the simulated vendor without a trailing slash. */
  readonly url: string
  readonly edit: Edits
  /** Returns every record of a person that is visible now, as plain JSON. */
  records(person: PersonReference): Records
  close(): Promise<void>
}

export async function startVendor<Edits, Records extends object>(
  options: ServerOptions,
  world: World & { readonly isShared: boolean },
  vendor: SimulatedVendor<Edits, Records>,
): Promise<RunningVendor<Edits, Records>> {
  const { clock, people, isShared } = world
  const seed = seedOf(options)
  const controls: Controls = {
    clock,
    people,
    faults: new Faults(seed),
    tokens: createTokenControl(people, vendor.grants),
    webhooks: new Webhooks({ source: vendor.source, clock, seed, urls: options.webhookUrls ?? [] }),
    requestLog: new RequestLog(),
  }
  const edit = vendor.createEdits(controls.webhooks)
  const records = (person: PersonReference) => vendor.read(person)
  const app = createServer({ ...controls, api: vendor.api })
  addControlRoutes(app, controls, { read: records, edits: vendor.editsByName(edit) })
  const url = await app.listen({ port: options.port ?? 0, host: options.host ?? "127.0.0.1" })
  return {
    ...controls,
    url,
    edit,
    records,
    async close() {
      if (!isShared) clock.stop()
      await controls.webhooks.close()
      await app.close()
    },
  }
}

/** Returns the vendor's grants, restored from the file when there is one. */
export function createGrants(options: ServerOptions, rules: GrantRules): Grants {
  const grants = new Grants(rules)
  if (options.grantsFile !== undefined) persistGrants(options.grantsFile, grants)
  return grants
}
