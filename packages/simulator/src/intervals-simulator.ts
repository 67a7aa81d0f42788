/** Composes and starts the simulated intervals.icu. It has keys of people and no apps, so it sends no webhooks. */
import type { VendorApi } from "./http/vendor-api.ts"
import { addIntervalsRoutes } from "./intervals/data-routes.ts"
import { PersonRows } from "./intervals/rows.ts"
import { type IntervalsOptions, IntervalsRateLimiter, type IntervalsVendor, Keys, tooMany } from "./intervals/vendor.ts"
import type { IntervalsRecords, WireActivity, WireWellness } from "./intervals/wire.ts"
import {
  createGrants,
  createWorld,
  type RunningVendor,
  type ServerOptions,
  startVendor,
  type World,
  type WorldOptions,
} from "./start-vendor.ts"
import { createUnannouncedEdits, type RecordEdits } from "./vendor/control-api.ts"
import { NO_EVENTS, type Webhooks } from "./vendor/webhooks.ts"
import { createRecordsOf } from "./world/growing-records.ts"
import type { PersonReference } from "./world/people.ts"

interface IntervalsEdits {
  readonly wellness: RecordEdits<WireWellness>
  readonly activities: RecordEdits<WireActivity>
}

export interface IntervalsSimulatorOptions extends WorldOptions, ServerOptions, IntervalsOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for INTERVALS_BASE_URL. */
export interface IntervalsSimulator extends RunningVendor<IntervalsEdits, IntervalsRecords> {
  /** Returns a person's key. */
  keyOf(person: PersonReference): string
  /** Ends a person's key, as a new one in the settings does. */
  renewKey(person: PersonReference): void
}

/** Starts a simulated intervals.icu on a loopback address. */
export async function startIntervalsSimulator(options: IntervalsSimulatorOptions = {}): Promise<IntervalsSimulator> {
  const world = options.beside ?? createWorld(options)
  const { clock, people } = world
  const nowMs = () => clock.nowMs()
  const vendor: IntervalsVendor = {
    options,
    clock,
    people,
    keys: new Keys(people),
    rowsOf: createRecordsOf(people, nowMs, (member) => new PersonRows(member)),
    rateLimiter: new IntervalsRateLimiter(options.rateLimits ?? { perQuarterHour: 2_500, perDay: 5_000 }, nowMs),
  }
  const api: VendorApi = {
    addRoutes: (app) => addIntervalsRoutes(app, vendor),
    ownerOf: (key) => vendor.keys.ownerOf(key)?.userId,
    rateLimitExceeded: tooMany,
  }
  const running = await startVendor(
    options,
    { ...world, isShared: options.beside !== undefined },
    {
      grants: createGrants(options, { nowMs, accessTokenSeconds: 0, isRefreshable: () => false }),
      api,
      source: NO_EVENTS,
      createEdits: (webhooks) => createIntervalsEdits(vendor, webhooks),
      editsByName: (edits) => ({ ...edits }),
      read: (person) => visibleRows(vendor.rowsOf(person), nowMs()),
    },
  )
  return {
    ...running,
    keyOf: (person) => vendor.keys.of(person),
    renewKey: (person) => vendor.keys.renew(person),
  }
}

function createIntervalsEdits({ rowsOf }: IntervalsVendor, webhooks: Webhooks): IntervalsEdits {
  const editsOf = createUnannouncedEdits(webhooks, rowsOf)
  return {
    wellness: editsOf(
      ({ wellness }) => wellness,
      ({ id }) => id,
      (atMs) => ({ updated: new Date(atMs).toISOString().replace("Z", "+00:00") }),
    ),
    activities: editsOf(
      ({ activities }) => activities,
      ({ id }) => id,
    ),
  }
}

function visibleRows({ wellness, activities }: PersonRows, nowMs: number): IntervalsRecords {
  return {
    wellness: wellness.copiesAt(nowMs).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    activities: activities
      .copiesAt(nowMs)
      .toSorted((one, other) => (one.start_date_local > other.start_date_local ? -1 : 1)),
  }
}
