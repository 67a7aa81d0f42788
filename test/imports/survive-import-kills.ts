import { createWriteStream } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { runImports } from "@restwell/core"
import { serviceEnvironment, spawnCommand } from "@restwell/testing/service"
import { storedRows, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { importArchive, readImport } from "./import-archive.ts"

/**
 * Kills an import with -9 a number of milliseconds after the file has arrived, for each of these times, and lets another process go on. Expects
 * the records, samples and report of an import that nobody disturbs.
 */
export async function surviveImportKills(
  world: World,
  { bytes, fileName }: { readonly bytes: Buffer; readonly fileName: string },
  momentsMs: readonly number[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "restwell-import-"))
  const environment = serviceEnvironment(world.store, world.simulator)
  const undisturbed = await world.addUser()
  const { status, report } = await importArchive(world, undisturbed, { bytes, fileName })
  const expected = { status, report, ...(await storedOf(world, undisturbed)) }
  expect(status).toBe("done")
  try {
    await writeFile(join(folder, fileName), bytes)
    for (const [index, momentMs] of momentsMs.entries()) {
      const id = `killed-${fileName}-${index}`
      const email = `${id}@example.com`
      const userId = await world.addUser({ id, email })
      const child = spawnCommand(["import", join(folder, fileName), "--account", email], environment)
      child.stderr?.pipe(createWriteStream(join(folder, `${id}.log`)))
      await untilReceived(world, userId)
      await wait(momentMs)
      child.kill("SIGKILL")
      await expect.poll(() => runAgain(world, userId), { timeout: 60_000, interval: 100 }).toBe("done")
      const { rows } = await world.store.pool.query("select id from restwell.import where user_id = $1", [userId])
      expect(rows).toHaveLength(1)
      const found = await readImport(world, userId, rows[0].id)
      expect({ status: found.status, report: found.report, ...(await storedOf(world, userId)) }, id).toEqual(expected)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function storedOf(world: World, userId: string) {
  const { rows: samples } = await world.store.pool.query(
    `select provider, type, day::text, record_id, device, method, count, md5(samples) as samples from restwell.series
     where user_id = $1 order by 1, 2, 3, 4, 5, 6`,
    [userId],
  )
  return { records: await storedRows(world, userId), samples }
}

/** What another process does, without the 15 seconds after which the silence of a dead process counts. */
async function runAgain({ store, context }: World, userId: string): Promise<string> {
  await store.pool.query("update restwell.job set alive_at = now() - interval '1 minute' where user_id = $1", [userId])
  await runImports(context, { signal: new AbortController().signal })
  const { rows } = await store.pool.query("select status from restwell.import where user_id = $1", [userId])
  return rows[0].status
}

async function untilReceived({ store }: World, userId: string): Promise<void> {
  for (;;) {
    const { rows } = await store.pool.query(
      "select from restwell.import where user_id = $1 and status <> 'receiving'",
      [userId],
    )
    if (rows.length > 0) return
    await wait(5)
  }
}
