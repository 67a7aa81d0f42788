import { execFile } from "node:child_process"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { officeWorker } from "@restwell/simulator"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { startTestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { expect } from "vitest"
import { z } from "zod"
import { newToken, push } from "../../pushes/pusher.ts"

export const REPOSITORY = join(import.meta.dirname, "..", "..", "..")
export const METRICS_TOKEN = "a token of at least thirty-two characters"
/** Before the media type of each answer, which the strict curl prints. */
export const CONTENT_TYPE = "the media type is "
/** Runs `curl` as it is written, but fails where the service refuses. A line after each answer has its media type. */
const STRICT_CURL = `curl() {
  command curl --silent --show-error --fail-with-body --write-out '\\n${CONTENT_TYPE}%{content_type}\\n' "$@"
}
`
/** In the zone of the person, whose recovery of the day is there by then. Before waking, `days=1` has no record. */
const AFTERNOON = new Date("2026-11-20T15:00:00Z")
const RecordsSchema = z.object({ records: z.array(z.record(z.string(), z.unknown())).min(1) })

/** A service that the snippets of the manual talk to. A person wears a band and a ring there. */
export interface RunningService {
  readonly url: string
  readonly key: string
  /** Puts the service's address and the person's key where a text has those of an example. */
  fill(text: string): string
  /** Runs a program or script and returns what it printed. @throws with what it printed if it fails */
  run(program: string, argumentsOf: readonly string[]): Promise<string>
  runShell(script: string): Promise<string>
  /** Reads an address with headers as a program of others would. Returns the records, of which there is at least one. */
  readRecords(address: string, headers: Readonly<Record<string, string>>): Promise<z.infer<typeof RecordsSchema>>
  /** A request to the account's API with the person's session. */
  send(method: string, path: string, body: object): Promise<Response>
  /** Sends a body as a program on a phone would. Returns the answer. */
  push(path: string, body: string): Promise<Response>
  close(): Promise<void>
}

export async function startRunningService(): Promise<RunningService> {
  const service = await startTestService({
    days: 100,
    vendor: "oura",
    now: AFTERNOON,
    environment: { ...UNLIMITED_QUOTA, METRICS_TOKEN },
  })
  const person = service.simulator.people.add({ email: "lena@vendor.example", traits: officeWorker })
  const { member, key } = await Member.connected(service, person)
  await member.connect(person, "oura")
  await member.untilHistoryIsComplete()
  const { token } = await newToken(member)
  const folder = await makeFolder("snippets")
  const { url } = service
  const run: RunningService["run"] = async (program, argumentsOf) => {
    const { PATH = "" } = process.env
    const env = { PATH, HOME: folder, KEY: key, RESTWELL_API_KEY: key }
    return (await promisify(execFile)(program, argumentsOf, { cwd: folder, env, timeout: 30_000 })).stdout
  }
  return {
    url,
    key,
    fill: (text) =>
      text
        .replaceAll(/http:\/\/localhost:3000|https:\/\/(?:your-)?restwell\.example/g, url)
        .replaceAll("rw_...", key)
        .replaceAll("rwi_...", token),
    run,
    runShell: (script) => run("bash", ["-ec", STRICT_CURL + script]),
    async readRecords(address, headers) {
      const response = await fetch(address, { headers })
      expect(response.headers.get("content-type"), address).toMatch(/^application\/json(?:;|$)/)
      return RecordsSchema.parse(await response.json())
    },
    send: (method, path, body) => member.send(method, path, body),
    push: (path, body) => push(service, body, { token, path }),
    async close() {
      await rm(folder, { recursive: true, force: true })
      await service.close()
    },
  }
}
