import { rm } from "node:fs/promises"
import { join } from "node:path"
import { openPool } from "@restwell/core"
import { makeFolder } from "@restwell/testing/database"
import { startCluster, startPgBouncer } from "@restwell/testing/engines"
import { Member } from "@restwell/testing/member"
import { runCommand, serviceEnvironment, startServiceProcess } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { expect } from "vitest"
import { storedRows } from "../backup/stored-state.ts"
import { testWithEngines } from "./test-with-engines.ts"

testWithEngines(
  "a backup and a restore through PgBouncer in transaction mode bring back every row",
  async (engines) => {
    await using started = new AsyncDisposableStack()
    const server = await startCluster(engines, { fsync: "off" })
    started.defer(() => server.remove())
    const pgbouncer = await startPgBouncer(engines, { serverPort: server.port })
    started.defer(() => pgbouncer.remove())
    const whoop = await startVendor({ days: 30 })
    started.defer(() => whoop.close())
    const folder = await makeFolder("pooled-restore")
    started.defer(() => rm(folder, { recursive: true }))
    const pool = openPool({ connectionString: server.url, max: 2 }, () => {})
    started.defer(() => pool.end())
    const environment = serviceEnvironment(pgbouncer, whoop)
    const run = async (...commandLine: string[]) => {
      const { code, output } = await runCommand(commandLine, environment)
      return [code, output] as const
    }

    const service = await startServiceProcess({ environment })
    started.defer(async () => void (await service.stop()))
    const { member } = await Member.connected(service, whoop.people.add({ email: "ada@vendor.example" }))
    const file = join(folder, "all.backup")
    expect(await run("backup", file)).toEqual([0, expect.stringContaining("1 person")])
    expect(await run("restore", file, "--replace")).toEqual([
      1,
      expect.stringContaining("Restwell runs on this database"),
    ])
    await service.stop()
    const quiet = join(folder, "quiet.backup")
    await run("backup", quiet)
    const stored = await storedRows(pool)

    await pool.query("delete from restwell.record")
    expect(await run("restore", quiet)).toEqual([1, expect.stringContaining("accounts already")])
    expect(await run("restore", quiet, "--replace")).toEqual([0, expect.stringContaining("restored: 1 person")])
    expect(await storedRows(pool)).toEqual(stored)

    const again = await startServiceProcess({ environment, port: service.port })
    started.defer(async () => void (await again.stop()))
    expect((await member.send("GET", "/api/account")).status).toBe(200)
  },
)
