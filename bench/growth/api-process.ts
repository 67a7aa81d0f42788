import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import type { ConnectionConfig } from "../../packages/server/src/postgres/embedded-postgres.ts"

const PROGRAM = join(import.meta.dirname, "../../packages/server/bin/restwell.js")
const LONGEST_START_MS = 30_000
const LOOK_AGAIN_MS = 50

export interface ApiProcess {
  readonly url: string
  stop(): Promise<void>
}

/** The service in a process of its own, answering from this database. It works through no jobs: nobody's data change under it. */
export async function startApiProcess({ host, port, user, database }: ConnectionConfig): Promise<ApiProcess> {
  const listening = String(await freePort(0))
  const child = spawn(process.execPath, [PROGRAM, "start", "--role", "api"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PORT: listening,
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      RESTWELL_SECRET: "a secret of at least thirty-two characters",
      FREE_MONTHLY_REQUESTS: "100000000",
      LOG_LEVEL: "warn",
    },
  })
  const url = `http://127.0.0.1:${listening}`
  await isReady(url, child)
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return
      child.kill("SIGTERM")
      await once(child, "exit")
    },
  }
}

async function isReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await wait(LOOK_AGAIN_MS)
  }
  child.kill("SIGKILL")
  throw new Error("the service did not start")
}
