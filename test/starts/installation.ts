import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { makeFolder } from "@restwell/testing/database"
import { OPEN_SIGN_UP, spawnCommand } from "@restwell/testing/service"
import { z } from "zod"
import { tryRequest } from "../crash/try-request.ts"
import { countHalfMade, type Phase, phaseOf } from "./phase-of.ts"
import { processesIn } from "./processes-in.ts"

const PASSWORD = "correct horse battery staple"
const LAST_LINES = 15
const KeySchema = z.object({ api_key: z.string() })
const RunningSchema = z.object({ msg: z.literal("Restwell is running"), listening: z.url() })

/** A start of the service, from its first moment on. */
export interface Start {
  readonly child: ChildProcess
  /** Resolves with the address once it listens. Never, if it ends before. */
  readonly listens: Promise<string>
  readonly ended: Promise<number | NodeJS.Signals>
  readonly phase: () => Promise<Phase>
  readonly lastLines: () => string
}

/** A DATA_DIR that services are started on again and again, and what they acknowledged. */
export class Installation {
  readonly dataDir: string
  #cookie = ""
  /** Undefined after a request for a new key was lost: it may have replaced the old one or not. */
  #key: string | undefined

  private constructor(dataDir: string) {
    this.dataDir = dataDir
  }

  static async make(): Promise<Installation> {
    return new Installation(await makeFolder("starts"))
  }

  /** True until initdb has finished once. */
  get isFresh(): boolean {
    return !existsSync(join(this.dataDir, "postgres", "cluster"))
  }

  /** Starts the service in a process group of its own, as a terminal does. */
  async start(): Promise<Start> {
    const halfMade = await countHalfMade(this.dataDir)
    const environment = { DATA_DIR: this.dataDir, PORT: "0", ...OPEN_SIGN_UP }
    const child = spawnCommand(["start"], environment, { detached: true })
    const { promise: listens, resolve } = Promise.withResolvers<string>()
    const lines: string[] = []
    let isListening = false
    for (const output of [child.stdout, child.stderr])
      if (output)
        createInterface(output).on("line", (line) => {
          lines.push(line)
          if (!line.includes("Restwell is running")) return
          isListening = true
          resolve(`http://localhost:${new URL(RunningSchema.parse(JSON.parse(line)).listening).port}`)
        })
    return {
      child,
      listens,
      ended: once(child, "close").then(([code, signal]) => code ?? signal),
      phase: async () => (isListening ? "listening" : await phaseOf(this.dataDir, halfMade)),
      lastLines: () => lines.slice(-LAST_LINES).join("\n"),
    }
  }

  /** Expects what was acknowledged, and adds to it. The service may be interrupted at any moment. Returns what is lost. */
  async use(url: string): Promise<string[]> {
    if (this.#cookie === "") return await this.#signUp(url)
    const headers = { cookie: this.#cookie }
    const lost = [
      ...(await expectStatus("the account", 200, `${url}/api/account`, { headers })),
      ...(this.#key === undefined
        ? []
        : // There is no connection to read from.
          await expectStatus("the key", 404, `${url}/api/v1/health`, {
            headers: { authorization: `Bearer ${this.#key}` },
          })),
    ]
    const made = await tryRequest(`${url}/api/account/api-key`, { method: "POST", headers })
    if (made.kind === "lost") this.#key = undefined
    if (made.kind === "answered" && made.status === 201) this.#key = KeySchema.parse(JSON.parse(made.body)).api_key
    return lost
  }

  async #signUp(url: string): Promise<string[]> {
    const body = JSON.stringify({ name: "Ada", email: `${crypto.randomUUID()}@example.com`, password: PASSWORD })
    const headers = { "content-type": "application/json" }
    const answer = await tryRequest(`${url}/api/auth/sign-up/email`, { method: "POST", headers, body })
    if (answer.kind !== "answered" || answer.status >= 500) return []
    this.#cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    return answer.status === 200 ? [] : [`sign-up was answered ${answer.status}: ${answer.body}`]
  }

  /** How long it takes until nothing of earlier starts runs, in milliseconds. Infinity after `longestMs`. */
  async untilGone(longestMs: number): Promise<number> {
    const startedAt = performance.now()
    for (let left = await processesIn(this.dataDir); left.length > 0; ) {
      if (performance.now() - startedAt > longestMs) return Number.POSITIVE_INFINITY
      await wait(LOOK_AGAIN_MS)
      const running = await processesIn(this.dataDir)
      left = left.filter((pid) => running.includes(pid))
    }
    return performance.now() - startedAt
  }

  remove(): Promise<void> {
    return rm(this.dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

const LOOK_AGAIN_MS = 20

/** Nothing, or what came instead. A lost response proves nothing: the service was interrupted. */
async function expectStatus(what: string, status: number, url: string, init: RequestInit): Promise<string[]> {
  const answer = await tryRequest(url, init)
  if (answer.kind !== "answered" || answer.status === status || answer.status >= 500) return []
  return [`${what} was answered ${answer.status}: ${answer.body}`]
}
