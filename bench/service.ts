import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@restwell/simulator"
import { loadConfig } from "../packages/server/src/config/config.ts"
import { DemoAccount } from "../packages/server/src/demo/demo-account.ts"
import { freePort } from "../packages/server/src/demo/free-port.ts"
import { createLogger } from "../packages/server/src/log.ts"
import { startService } from "../packages/server/src/service.ts"

export interface BenchService {
  readonly url: string
  readonly key: string
  /** The session of the person at the dashboard. */
  readonly cookie: string
  close(): Promise<void>
}

/** The service as it runs for people: embedded PostgreSQL that syncs every commit to disk, and a person with a year of data. */
export async function openBenchService({ days }: { days?: number } = {}): Promise<BenchService> {
  const dataDir = await mkdtemp(join(tmpdir(), "restwell-bench-"))
  // For root: PostgreSQL's own user walks through it.
  await chmod(dataDir, 0o755)
  const simulator = await startSimulator({ autoApprove: true, rateLimits: "off", ...(days !== undefined && { days }) })
  const config = loadConfig({
    PORT: String(await freePort(0)),
    DATA_DIR: dataDir,
    FREE_MONTHLY_REQUESTS: "100000000",
    LOG_LEVEL: "warn",
    WHOOP_CLIENT_ID: "simulator-client",
    WHOOP_CLIENT_SECRET: "simulator-secret",
    WHOOP_BASE_URL: simulator.url,
    WHOOP_CALLS_PER_MINUTE: "1000000",
    WHOOP_CALLS_PER_DAY: "1000000",
  })
  const service = await startService({
    config,
    secrets: () => ["a secret of at least thirty-two characters"],
    clock: { now: () => new Date() },
    logger: createLogger(config.logLevel),
    onFatal: (error) => {
      throw error
    },
  })
  const account = new DemoAccount(config.baseUrl, {
    name: "Lena",
    email: "lena@example.com",
    password: "correct horse battery",
    historyFrom: new Date(),
  })
  await account.signIn()
  await account.connect()
  const key = await account.apiKey()
  while (!(await account.read()).connections.every(({ history }) => history.complete)) await account.firstRecords(key)
  return {
    url: config.baseUrl,
    key,
    cookie: account.cookie,
    async close() {
      await service.close()
      await simulator.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
