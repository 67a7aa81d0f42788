/** Puts the simulator together and starts it. */
import { SimulatedClock } from "./clock/clock.ts"
import { addControlRoutes } from "./control/control-api.ts"
import type { Controls, TokenControl } from "./control/controls.ts"
import { Faults } from "./faults/faults.ts"
import { Grants } from "./grants/grants.ts"
import { keepGrantsIn } from "./grants/grants-file.ts"
import { createServer } from "./http/server.ts"
import { type SimulatorOptions, settingsFrom } from "./options.ts"
import { addDefaultPeople, People } from "./people/people.ts"
import { RequestLog } from "./requests/request-log.ts"
import { Webhooks } from "./webhooks/webhooks.ts"
import { createEdits } from "./whoop/edits.ts"
import { RateLimiter } from "./whoop/rate-limit.ts"
import { visibleRecords } from "./whoop/records/visible-records.ts"
import type { Vendor } from "./whoop/vendor.ts"

export interface Simulator extends Controls {
  /** Origin of the simulated WHOOP, without a slash at the end: the value for WHOOP_BASE_URL. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a simulated WHOOP on a loopback address. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = settingsFrom(options)
  const clock = new SimulatedClock(options.now ?? "system", options.ticking)
  const nowMs = () => clock.nowMs()
  const people = new People({
    seed: settings.seed,
    nowMs,
    days: options.days ?? 365,
    fromMs: options.historyFrom?.getTime(),
    wearsAlways: options.wearsAlways ?? false,
  })
  if (options.defaultPeople !== false) addDefaultPeople(people)
  const grants = new Grants(nowMs, settings.accessTokenSeconds)
  if (options.grantsFile !== undefined) keepGrantsIn(options.grantsFile, grants)
  const vendor: Vendor = { settings, clock, people, grants, rateLimiter: new RateLimiter(settings.rateLimits, nowMs) }
  const webhooks = new Webhooks(vendor, options.webhookUrls ?? [])
  const controls: Controls = {
    clock,
    people,
    edit: createEdits(vendor, webhooks),
    faults: new Faults(settings.seed),
    tokens: tokenControl(vendor),
    webhooks,
    requestLog: new RequestLog(),
    limitRates: (limits) => vendor.rateLimiter.set(limits),
    records: (person) => visibleRecords(people, person, nowMs()),
  }
  const app = createServer(vendor, controls.faults, controls.requestLog)
  addControlRoutes(app, controls)
  const url = await app.listen({ port: options.port ?? 0, host: options.host ?? "127.0.0.1" })
  const close = async () => {
    clock.stop()
    await webhooks.close()
    await app.close()
  }
  return { ...controls, url, close }
}

function tokenControl({ grants, people }: Vendor): TokenControl {
  return {
    revokeAll: (person) => grants.revoke(people.get(person).userId),
    expireAccess: (person) => grants.expireAccess(people.get(person).userId),
    isRefreshable: (refreshToken) => grants.isRefreshable(refreshToken),
    counts: () => grants.counts(),
  }
}
