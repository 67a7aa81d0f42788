import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { PoolConfig } from "pg"
import { DemoAccount } from "../packages/server/src/demo/demo-account.ts"
import { embeddedPostgres, startPostgres } from "./processes/postgres.ts"
import { type ServiceProcess, startServiceProcess } from "./processes/service.ts"
import { EMAIL, startSimulator } from "./processes/simulator.ts"

/** Of every person: more than any benchmark reads. */
export const MONTHLY_REQUESTS = 100_000_000
const LOOK_AGAIN_MS = 20

export interface BenchService extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly key: string
  /** The session of the person at the dashboard. */
  readonly cookie: string
  readonly database: PoolConfig
  /** From the start of the program on an empty DATA_DIR to its first answer. */
  readonly startMs: number
  /** From the person's yes at the vendor until the whole history is stored. */
  readonly historyMs: number
  readonly simulatorUrl: string
  /** Stops the service and starts it again on the same data. @returns the time to its first answer */
  restart(): Promise<number>
  close(): Promise<void>
}

export interface BenchServiceOptions {
  /** Of the person's history. @default 365 */
  readonly days?: number
  /** @default "embedded" */
  readonly postgres?: "embedded" | "external"
}

/**
 * The service as it runs for people: a process of its own with its log at the default level, PostgreSQL that syncs every commit to disk, and a
 * person with data. The simulated vendor is another process.
 */
export async function openBenchService({
  days = 365,
  postgres = "embedded",
}: BenchServiceOptions = {}): Promise<BenchService> {
  await using opened = new AsyncDisposableStack()
  const dataDir = await makeDirectory(opened)
  const simulator = opened.use(await startSimulator(days))
  const external = postgres === "external" ? opened.use(await startPostgres(await makeDirectory(opened))) : undefined
  const environment = {
    FREE_MONTHLY_REQUESTS: String(MONTHLY_REQUESTS),
    RESTWELL_SECRET: "a secret of at least thirty-two characters",
    WHOOP_CLIENT_ID: "simulator-client",
    WHOOP_CLIENT_SECRET: "simulator-secret",
    WHOOP_BASE_URL: simulator.url,
    WHOOP_CALLS_PER_MINUTE: "1000000",
    WHOOP_CALLS_PER_DAY: "1000000",
    ...(external && { DATABASE_URL: external.url }),
  }
  let service: ServiceProcess = await startServiceProcess(dataDir, environment)
  opened.defer(() => service.stop())
  const { startMs } = service
  const account = new DemoAccount(service.url, {
    name: "Lena",
    email: EMAIL,
    password: "correct horse battery",
    historyFrom: new Date(),
  })
  await account.signIn()
  const connectedAt = performance.now()
  await account.connect()
  while (!(await account.read()).connections.every(({ history }) => history.complete)) await wait(LOOK_AGAIN_MS)
  const historyMs = performance.now() - connectedAt
  const key = await account.apiKey()
  const database = external ? { connectionString: external.url } : await embeddedPostgres(dataDir)
  const running = opened.move()
  return {
    get url() {
      return service.url
    },
    get port() {
      return service.port
    },
    key,
    cookie: account.cookie,
    database,
    startMs,
    historyMs,
    simulatorUrl: simulator.url,
    async restart() {
      await service.stop()
      service = await startServiceProcess(dataDir, environment)
      return service.startMs
    },
    close: () => running.disposeAsync(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function makeDirectory(opened: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "restwell-bench-"))
  opened.defer(() => rm(directory, { recursive: true }))
  // For root: PostgreSQL's own user walks through it.
  await chmod(directory, 0o755)
  return directory
}
