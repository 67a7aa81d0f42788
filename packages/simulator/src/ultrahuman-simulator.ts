/** Composes and starts the simulated Ultrahuman. It has tokens of people and no apps, so it sends no webhooks. */
import type { VendorApi } from "./http/vendor-api.ts"
import {
  createGrants,
  createWorld,
  type RunningVendor,
  type ServerOptions,
  startVendor,
  type World,
  type WorldOptions,
} from "./start-vendor.ts"
import { addUltrahumanRoutes } from "./ultrahuman/data-routes.ts"
import { PersonDays } from "./ultrahuman/days.ts"
import {
  FailingDates,
  PersonalTokens,
  type TokenForm,
  tooMany,
  type UltrahumanOptions,
  type UltrahumanVendor,
  Zones,
} from "./ultrahuman/vendor.ts"
import type { UltrahumanRecords, WireUltrahumanDay } from "./ultrahuman/wire.ts"
import { CallsOfSeconds } from "./vendor/calls-of-seconds.ts"
import { createUnannouncedEdits, type RecordEdits } from "./vendor/control-api.ts"
import { NO_EVENTS } from "./vendor/webhooks.ts"
import { createRecordsOf } from "./world/growing-records.ts"
import type { PersonReference } from "./world/people.ts"

interface UltrahumanEdits {
  readonly days: RecordEdits<WireUltrahumanDay>
}

export interface UltrahumanSimulatorOptions extends WorldOptions, ServerOptions, UltrahumanOptions {
  /** Another running simulator: both vendors measure its people, by its clock. */
  readonly beside?: World
}

/** `url` is the value for ULTRAHUMAN_BASE_URL. */
export interface UltrahumanSimulator extends RunningVendor<UltrahumanEdits, UltrahumanRecords> {
  /** Returns a person's token. */
  keyOf(person: PersonReference): string
  /** Ends a person's token, as a new one in the developer portal does. @param form of the new one. @default "claims" */
  renewKey(person: PersonReference, form?: TokenForm): void
  /** Moves a person's phone: every date is read with its zone from now on. */
  moveTo(person: PersonReference, zone: string): void
  /** Answers a date with an error, until it is set to undefined. */
  failDate(date: string, status: number | undefined): void
}

/** Starts a simulated Ultrahuman on a loopback address. */
export async function startUltrahumanSimulator(options: UltrahumanSimulatorOptions = {}): Promise<UltrahumanSimulator> {
  const world = options.beside ?? createWorld(options)
  const { clock, people } = world
  const nowMs = () => clock.nowMs()
  const vendor: UltrahumanVendor = {
    options,
    clock,
    people,
    tokens: new PersonalTokens(people),
    zones: new Zones(people),
    failing: new FailingDates(),
    seconds: new CallsOfSeconds(options.callsPerSecond, nowMs),
    daysOf: createRecordsOf(people, nowMs, (member) => new PersonDays(member)),
  }
  const api: VendorApi = {
    addRoutes: (app) => addUltrahumanRoutes(app, vendor),
    ownerOf: (token) => vendor.tokens.ownerOf(token)?.userId,
    rateLimitExceeded: tooMany,
  }
  const running = await startVendor(
    options,
    { ...world, isShared: options.beside !== undefined },
    {
      grants: createGrants(options, { nowMs, accessTokenSeconds: 0, isRefreshable: () => false }),
      api,
      source: NO_EVENTS,
      createEdits: (webhooks): UltrahumanEdits => ({
        days: createUnannouncedEdits(webhooks, vendor.daysOf)(
          ({ days }) => days,
          ({ id }) => id,
        ),
      }),
      editsByName: (edits) => ({ ...edits }),
      read: (person) => ({
        days: vendor.daysOf(person).days.copiesAt(nowMs()).toReversed(),
      }),
    },
  )
  return {
    ...running,
    keyOf: (person) => vendor.tokens.of(person),
    renewKey: (person, form = "claims") => vendor.tokens.renew(person, form),
    moveTo: (person, zone) => vendor.zones.move(person, zone),
    failDate: (date, status) => vendor.failing.set(date, status),
  }
}
