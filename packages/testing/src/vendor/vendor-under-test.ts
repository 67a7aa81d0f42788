import type { RecordKind, VendorName } from "@restwell/providers"
import {
  type GoogleHealthSimulator,
  type GoogleHealthSimulatorOptions,
  type IntervalsSimulator,
  type IntervalsSimulatorOptions,
  type OuraSimulator,
  type OuraSimulatorOptions,
  officeWorker,
  type Person,
  type PolarSimulator,
  type PolarSimulatorOptions,
  type RunningVendor,
  type Simulator,
  type SimulatorOptions,
  startGoogleHealthSimulator,
  startIntervalsSimulator,
  startOuraSimulator,
  startPolarSimulator,
  startSimulator,
  startUltrahumanSimulator,
  startWithingsSimulator,
  type Traits,
  type UltrahumanSimulator,
  type UltrahumanSimulatorOptions,
  type WithingsSimulator,
  type WithingsSimulatorOptions,
} from "@restwell/simulator"

/** The time of change of a record whose vendor tells none. */
export const UNTIMED = "2000-01-01T00:00:00.000Z"

/** The app that the simulated vendors know. */
export const VENDOR_APP = { clientId: "simulator-client", clientSecret: "simulator-secret" }

/** A simulated WHOOP without people or call limits, whose consent page approves by itself. */
export const startVendor = (options: SimulatorOptions = {}): Promise<Simulator> =>
  startSimulator({ defaultPeople: false, rateLimits: "off", autoApprove: true, ...options })

/** A simulated Oura with the people and the clock of another simulator, without call limits. It has few heart rates, because most tests are about others. */
export const startOuraBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<OuraSimulatorOptions, "beside"> = {},
): Promise<OuraSimulator> =>
  startOuraSimulator({ beside, rateLimits: "off", autoApprove: true, heartRateShare: 0.02, ...options })

/** A simulated intervals.icu with the people and the clock of another simulator, without call limits. */
export const startIntervalsBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<IntervalsSimulatorOptions, "beside"> = {},
): Promise<IntervalsSimulator> => startIntervalsSimulator({ beside, rateLimits: "off", ...options })

/** A simulated Withings with the people and the clock of another simulator, without call limits. */
export const startWithingsBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<WithingsSimulatorOptions, "beside"> = {},
): Promise<WithingsSimulator> => startWithingsSimulator({ beside, rateLimits: "off", autoApprove: true, ...options })

/** A simulated Polar with the people and the clock of another simulator, without call limits. Everybody has been registered with the app long ago. */
export const startPolarBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<PolarSimulatorOptions, "beside"> = {},
): Promise<PolarSimulator> =>
  startPolarSimulator({ beside, rateLimits: "off", autoApprove: true, registeredSince: new Date(0), ...options })

/** A simulated Google Health with the people and the clock of another simulator, without call limits. */
export const startGoogleHealthBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<GoogleHealthSimulatorOptions, "beside"> = {},
): Promise<GoogleHealthSimulator> =>
  startGoogleHealthSimulator({ beside, callsPerMinute: "off", autoApprove: true, ...options })

/** A simulated Ultrahuman with the people and the clock of another simulator. */
export const startUltrahumanBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<UltrahumanSimulatorOptions, "beside"> = {},
): Promise<UltrahumanSimulator> => startUltrahumanSimulator({ beside, ...options })

/** Opens the vendor's consent page as this person, who approves at once. Returns the address that the vendor redirects to. */
export async function approveAtVendor(page: URL, { email }: { readonly email: string }): Promise<URL> {
  const consent = new URL(page)
  consent.searchParams.set("login_hint", email)
  const response = await fetch(consent, { redirect: "manual" })
  const location = response.headers.get("location")
  if (location === null) throw new Error(`${page.host} answered ${response.status} without a redirect`)
  return new URL(location)
}

/** A person who charges the strap overnight once or twice a week: every month has nights without a record. */
export const missesNights: Traits = { ...officeWorker, life: { ...officeWorker.life, chargingNights: 0.2 } }

/** What a webhook is about, in no vendor's form. */
export interface NoticeOf {
  readonly person: Person
  readonly kind: RecordKind
  readonly id: string
  readonly verb: "updated" | "deleted"
  /** Equal for repetitions of one webhook. @default another one for each notice */
  readonly eventId?: string
}

/** A simulated vendor as suites use it that run for every vendor. Ids are listed newest first. */
export interface VendorUnderTest {
  readonly provider: VendorName
  readonly simulator: RunningVendor<unknown, object>
  readonly paths: {
    /** Of data: calls that a budget counts. */
    readonly data: RegExp
    /** Of one record. */
    readonly one: RegExp
    /** Empty for a vendor of keys. */
    readonly token: string
  }
  /** A lost answer to a refresh costs no grant. @default a refresh token works once */
  readonly keepsRefreshToken?: true
  /** Returns the key by which a person connects. Absent for a vendor with a consent page. */
  keyOf?(person: Pick<Person, "email">): string
  /** Name of the list in a page. */
  readonly listName: string
  /** An id of the vendor's form that no record has. */
  readonly unknownId: string
  /** Returns the ids of the records of a kind that the service should have. */
  idsOf(person: Person, kind: RecordKind): readonly string[]
  /** Returns those of records that began on a date or later: older edits are never found. Absent where webhooks announce each edit. */
  recentIds?(person: Person, kind: "sleep" | "workout", since: string): readonly string[]
  /** True where a cycle ends by the clock alone. Else the vendor announces its end with a sleep. */
  readonly cyclesEndByClock: boolean
  /** Returns `kind/id/time of change` of all records that are final: a day that goes on is not among them. Without a time it is `UNTIMED`. */
  versionsOf(person: Person): readonly string[]
  /** Returns the number of samples before an instant that are no parts of records. */
  samplesBefore(person: Person, atMs: number): number
  /** True while a record exists that the vendor announces later. */
  hasUnannounced(person: Person): boolean
  /** True for a request of the history. */
  isHistory(query: string): boolean
  /** Changes a workout's sport. */
  renameWorkout(person: Person, id: string, sport: "fencing" | "tennis"): void
  /** Changes the score of a sleep, if it has one. */
  rescoreSleep(person: Person, id: string, score: number): void
  /** Changes the score of a recovery, if it has one. */
  rescoreRecovery(person: Person, id: string, score: number): void
  /** Adds a workout that was recorded late, beside another one. */
  addWorkout(person: Person, beside: string, added: { readonly id: string; readonly earlierByMs: number }): void
  delete(person: Person, kind: "sleep" | "workout", id: string): void
  /** Sends webhooks of what happens from now on to this address. Absent where the service subscribes by itself, or nothing is sent. */
  subscribe?(callbackUrl: string): void
  /** Returns the body of a webhook. */
  write(notice: NoticeOf): string
  /** Returns the headers of a webhook that was signed at this time. */
  sign(body: string, atMs: number, secret: string): Readonly<Record<string, string>>
}

/** Whether webhooks announce each change, deletions too. Polar's announce nights, days and new exercises alone. */
export const announcesEdits = (provider: VendorName): boolean => provider === "whoop" || provider === "oura"

/** Every `kind/id` of a person that the service should have, sorted. */
export const keysOf = (vendor: VendorUnderTest, person: Person): string[] =>
  (["cycle", "recovery", "sleep", "workout"] as const)
    .flatMap((kind) => vendor.idsOf(person, kind).map((id) => `${kind}/${id}`))
    .toSorted()
