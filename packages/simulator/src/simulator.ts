/** Composes and starts the simulator. */
import { SimulatedClock } from "./clock/clock.ts"
import { addControlRoutes } from "./control/control-api.ts"
import { type Controls, createTokenControl } from "./control/controls.ts"
import { Faults } from "./faults/faults.ts"
import { Grants } from "./grants/grants.ts"
import { persistGrants } from "./grants/grants-file.ts"
import { createServer } from "./http/server.ts"
import type { SimulatorOptions } from "./options.ts"
import { addDefaultPeople, People, type PersonReference } from "./people/people.ts"
import { RequestLog } from "./requests/request-log.ts"
import { Webhooks } from "./webhooks/webhooks.ts"
import { createEdits, type Edits } from "./whoop/edits.ts"
import { createEventSource } from "./whoop/event-source.ts"
import { RateLimiter } from "./whoop/rate-limit.ts"
import { createMemberRecords } from "./whoop/records/member-records.ts"
import { visibleRecords } from "./whoop/records/visible-records.ts"
import type { WireRecords } from "./whoop/records/wire.ts"
import { type RateLimits, whoopSettings } from "./whoop/settings.ts"
import type { Vendor } from "./whoop/vendor.ts"
import { createWhoopApi } from "./whoop/whoop-api.ts"

export interface Simulator extends Controls {
  /** Origin of the simulated WHOOP without a trailing slash: the value for WHOOP_BASE_URL. */
  readonly url: string
  readonly edit: Edits
  /** Replaces the rate limits. */
  limitRates(limits: RateLimits | "off"): void
  /** Returns every record of a person that is visible now, as plain JSON. */
  records(person: PersonReference): WireRecords
  close(): Promise<void>
}

/** Starts a simulated WHOOP on a loopback address. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const seed = String(options.seed ?? 1)
  const clock = new SimulatedClock(options.now ?? "system", options.ticking)
  const people = createPeople(options, seed, clock)
  const vendor = createVendor(options, clock, people)
  const source = createEventSource(vendor)
  const controls: Controls = {
    clock,
    people,
    faults: new Faults(seed),
    tokens: createTokenControl(people, vendor.grants),
    webhooks: new Webhooks({ source, clock, seed, urls: options.webhookUrls ?? [] }),
    requestLog: new RequestLog(),
  }
  const edit = createEdits(vendor, controls.webhooks)
  const records = (person: PersonReference) =>
    visibleRecords(people.get(person), vendor.recordsOf(person), clock.nowMs())
  const app = createServer({ ...controls, api: createWhoopApi(vendor) })
  addControlRoutes(app, controls, {
    read: records,
    edits: { cycles: edit.cycle, sleeps: edit.sleep, recoveries: edit.recovery, workouts: edit.workout },
  })
  const url = await app.listen({ port: options.port ?? 0, host: options.host ?? "127.0.0.1" })
  return {
    ...controls,
    url,
    edit,
    records,
    limitRates: (limits) => vendor.rateLimiter.set(limits),
    async close() {
      clock.stop()
      await controls.webhooks.close()
      await app.close()
    },
  }
}

function createPeople(options: SimulatorOptions, seed: string, clock: SimulatedClock): People {
  const people = new People({
    seed,
    nowMs: () => clock.nowMs(),
    days: options.days ?? 365,
    fromMs: options.historyFrom?.getTime(),
    wearsAlways: options.wearsAlways ?? false,
  })
  if (options.defaultPeople !== false) addDefaultPeople(people)
  return people
}

function createVendor(options: SimulatorOptions, clock: SimulatedClock, people: People): Vendor {
  const settings = whoopSettings(options)
  const nowMs = () => clock.nowMs()
  const grants = new Grants(nowMs, settings.accessTokenSeconds)
  if (options.grantsFile !== undefined) persistGrants(options.grantsFile, grants)
  return {
    settings,
    clock,
    people,
    grants,
    recordsOf: createMemberRecords(people, nowMs),
    rateLimiter: new RateLimiter(settings.rateLimits, nowMs),
  }
}
