/**
 * Imports of large archives into the service as it runs for people, over HTTP: seconds, rows, memory, the same file again, and the time
 * of another person's reads meanwhile.
 */
import { openAsBlob } from "node:fs"
import { writeFile } from "node:fs/promises"
import { Agent } from "node:http"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type Import, ImportStartedResponseSchema, ImportsResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { median, timeRead } from "../growth/read-medians.ts"
import { memoryOf } from "../measuring/process-memory.ts"
import { openTable } from "../measuring/table.ts"
import type { BenchService } from "../targets/bench-service.ts"
import type { BigArchive } from "./big-archives.ts"

const MB = 1_000_000
/** Few enough to leave the machine to the import. */
const READ_EVERY_MS = 50
const REST_MS = 15_000
const LOOK_EVERY_MS = 200

interface Measured {
  readonly seconds: number
  /** Highest memory of the service above that before the upload, MB. */
  readonly aboveIdle: number
  /** Median of another person's reads meanwhile, milliseconds. */
  readonly readMs: number
  readonly report: NonNullable<Import["report"]>
}

/** Prints a table of one kind of archive: the first import, the same file again, and the parsers alone. */
export async function measureLarge(service: BenchService, folder: string, archive: BigArchive): Promise<void> {
  const { fileName, bytes, unpacked, barePass } = archive
  const file = join(folder, fileName)
  await writeFile(file, bytes)
  const row = openTable(
    `${fileName}: ${(bytes.length / MB).toFixed(0)} MB, unpacked ${(unpacked / MB).toFixed(0)} MB`,
    ["what", "s", "rows", "rows/s", "MB above idle", "stored", "unchanged", "reads p50 ms", "times"],
  )
  await using reads = readsOf(service)
  await wait(REST_MS)
  const restMs = reads.median()
  row(["at rest", "", "", "", "", "", "", restMs.toFixed(2), "1.00"])
  const bareStart = performance.now()
  const bareRows = await barePass()
  const bareSeconds = (performance.now() - bareStart) / 1_000
  const member = new Member(service)
  await member.signUp()
  for (const name of ["import", "the same file again"]) {
    const { seconds, aboveIdle, readMs, report } = await importOnce(service, { member, file, reads })
    const { stored, unchanged, ignored, by_type } = report
    row([
      `${name}, ${(bareSeconds / seconds).toFixed(2)} of the parsers' rate`,
      seconds.toFixed(1),
      Object.values(by_type).reduce((sum, count) => sum + count, 0),
      (bareRows / seconds).toFixed(0),
      aboveIdle.toFixed(0),
      stored,
      unchanged,
      readMs.toFixed(2),
      (readMs / restMs).toFixed(2),
    ])
    if (ignored.length > 0) process.stdout.write(`ignored: ${JSON.stringify(ignored.slice(0, 5))}\n`)
  }
  row(["parsers alone", bareSeconds.toFixed(1), bareRows, (bareRows / bareSeconds).toFixed(0), "", "", "", "", ""])
}

interface Reads extends AsyncDisposable {
  /** Of the reads since the last call. */
  median(): number
}

/** Reads seven nights of a person, some times a second. */
function readsOf({ url, key }: BenchService): Reads {
  const agent = new Agent({ keepAlive: true })
  const ending = new AbortController()
  let timesMs: number[] = []
  const reading = (async () => {
    while (!ending.signal.aborted) {
      timesMs.push(await timeRead(agent, `${url}/api/v1/health?type=sleep&days=7`, key))
      await wait(READ_EVERY_MS)
    }
  })()
  return {
    median() {
      const middle = median(timesMs) ?? Number.NaN
      timesMs = []
      return middle
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await reading
      agent.destroy()
    },
  }
}

interface Importing {
  readonly member: Member
  readonly file: string
  readonly reads: Reads
}

async function importOnce(service: BenchService, { member, file, reads }: Importing): Promise<Measured> {
  const pid = service.pid()
  // The peak counts from now on.
  await writeFile(`/proc/${pid}/clear_refs`, "5")
  const idle = (await memoryOf(pid, "VmRSS")) ?? Number.NaN
  reads.median()
  const form = new FormData()
  form.set("file", await openAsBlob(file), "archive.zip")
  const uploaded = await fetch(`${service.url}/api/imports`, {
    method: "POST",
    headers: { cookie: member.cookie },
    body: form,
  })
  const { id } = ImportStartedResponseSchema.parse(await uploaded.json())
  const began = performance.now()
  for (;;) {
    await wait(LOOK_EVERY_MS)
    const listed = await fetch(`${service.url}/api/imports`, { headers: { cookie: member.cookie } })
    const { imports } = ImportsResponseSchema.parse(await listed.json())
    const found = imports.find((each) => each.id === id)
    if (found?.status === "failed") throw new Error(`the import failed: ${found.error}`)
    if (!found?.report) continue
    const seconds = (performance.now() - began) / 1_000
    return {
      seconds,
      aboveIdle: ((await memoryOf(pid, "VmHWM")) ?? Number.NaN) - idle,
      readMs: reads.median(),
      report: found.report,
    }
  }
}
