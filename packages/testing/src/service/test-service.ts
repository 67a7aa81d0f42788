import type { Clock } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import { loadConfig, type Role } from "@restwell/server/config"
import { createLogger } from "@restwell/server/log"
import { openSecrets } from "@restwell/server/secrets"
import { type Service, startService } from "@restwell/server/service"
import type { Simulator } from "@restwell/simulator"
import { createTestDatabase, type TestDatabase } from "../programs/database.ts"
import { startVendor, type VendorUnderTest } from "../vendor/vendor-under-test.ts"
import { type OptionsBeside, startVendorBeside, type VendorsBeside } from "../vendor/vendors-beside.ts"
import { whoopUnderTest } from "../vendor/whoop-under-test.ts"
import {
  METRICS_ENVIRONMENT,
  OPEN_SIGN_UP,
  QUICK_PASSWORD_HASH,
  serviceEnvironment,
  vendorEnvironment,
} from "./environment.ts"

/** The whole service in this process, with a database of its own and simulated vendors. Time and HTTP are real. */
export interface TestService {
  readonly url: string
  /** WHOOP. It has the people and the clock of all vendors. */
  readonly simulator: Simulator
  /** The vendor under test. */
  readonly vendor: VendorUnderTest
  /** Returns the simulator of the vendor beside WHOOP. @throws where the test asked for none */
  readonly simulatorOf: VendorsBeside["simulatorOf"]
  readonly store: TestDatabase
  /** The lines that all replicas logged. */
  readonly log: string[]
  /** Sets the clock of the service ahead of the vendor's, or behind it if negative. */
  skewClock(milliseconds: number): void
  /** Starts another replica on the same database. */
  startReplica(role?: Role, environment?: Readonly<Record<string, string>>): Promise<Replica>
  /** Stops the first replica; the others keep running. */
  closeFirst(): Promise<void>
  close(): Promise<void>
}

export interface Replica {
  readonly url: string
  close(): Promise<void>
}

export interface TestServiceOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly days?: number
  /** Where the clock starts. It runs at the pace of real time. @default real time */
  readonly now?: Date
  /** The clock stops between calls of `simulator.clock.advance`, for tests of delays. Needs `now`. @default false */
  readonly isStill?: boolean
  /** The others are simulated beside WHOOP. @default "whoop" */
  readonly vendor?: VendorName
  /** Options of its simulator. */
  readonly beside?: Partial<OptionsBeside>
  /** What the first replica does. @default "all" */
  readonly role?: Role
  /** Stands in for the sites where OAuth clients publish their metadata. */
  readonly fetchDocument?: typeof fetch
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { environment = {}, days = 60, now, isStill = false, role: firstRole = "all", fetchDocument } = options
  const time = now && { now, ticking: !isStill }
  const simulator = await startVendor({ seed: "service", days, wearsAlways: true, ...time })
  const whoop = whoopUnderTest(simulator)
  const beside = await startVendorBeside(simulator, options.vendor ?? "whoop", {}, options.beside)
  const store = await createTestDatabase()
  const log: string[] = []
  let skewMs = 0
  const clock: Clock = { now: () => new Date(simulator.clock.nowMs() + skewMs) }
  const replicas: Replica[] = []
  const startReplica: TestService["startReplica"] = async (role = "all", more = {}) => {
    const settings = {
      ...serviceEnvironment(store, simulator),
      ...Object.fromEntries(
        beside.vendors.flatMap((each) => Object.entries(vendorEnvironment(each.simulator, each.provider))),
      ),
      ...environment,
      ...more,
    }
    const replica = await startInProcess({
      environment: settings,
      role,
      clock,
      log,
      ...(fetchDocument && { fetchDocument }),
    })
    replicas.push(replica)
    return replica
  }
  const first = await startReplica(firstRole)
  return {
    url: first.url,
    simulator,
    vendor: beside.vendors[0] ?? whoop,
    simulatorOf: beside.simulatorOf,
    store,
    log,
    skewClock(milliseconds) {
      skewMs = milliseconds
    },
    startReplica,
    closeFirst: () => first.close(),
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()))
      await beside.close()
      await simulator.close()
      await store.drop()
    },
  }
}

export interface InProcessOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly role?: Role
  readonly clock: Clock
  /** Receives every line that is logged. */
  readonly log: string[]
  readonly fetchDocument?: typeof fetch
}

/** Starts the service in this process, on any free port if the environment names none. */
export async function startInProcess(options: InProcessOptions): Promise<Replica> {
  const { environment, role = "all", clock, log, fetchDocument } = options
  const config = loadConfig({ PORT: "0", ...METRICS_ENVIRONMENT, ...OPEN_SIGN_UP, ...environment }, role)
  const service: Service = await startService({
    config,
    secrets: await openSecrets(config),
    clock,
    logger: createLogger("debug", { write: (line: string) => void log.push(line) }),
    ...(fetchDocument && { fetchDocument }),
    passwordHash: QUICK_PASSWORD_HASH,
    onFatal: (error) => {
      throw error
    },
  })
  // By name, because cookies and passkeys are bound to "localhost".
  return { url: `http://localhost:${new URL(service.url).port}`, close: () => service.close() }
}
