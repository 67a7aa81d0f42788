import type { CheckResult } from "@restwell/server/doctor"
import { startCluster, startPgBouncer } from "@restwell/testing/engines"
import { runCommand, serviceEnvironment } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { expect } from "vitest"
import { testWithEngines } from "./test-with-engines.ts"

testWithEngines(
  "restwell doctor accepts PgBouncer in transaction mode, and names a forbidden pooler and a standby in one line",
  async (engines) => {
    await using started = new AsyncDisposableStack()
    const primary = await startCluster(engines, { fsync: "off" })
    started.defer(() => primary.remove())
    const pgbouncer = await startPgBouncer(engines, { serverPort: primary.port })
    started.defer(() => pgbouncer.remove())
    const whoop = await startVendor()
    started.defer(() => whoop.close())
    const examine = async (database: { readonly url: string }, more: Readonly<Record<string, string>> = {}) => {
      const environment = { ...serviceEnvironment(database, whoop), PORT: "0", ...more }
      const { code, output } = await runCommand(["doctor", "--json"], environment)
      const checks: CheckResult[] = JSON.parse(output).checks
      const found = checks.find(({ check }) => check === "database")
      return { code, found, faults: checks.filter(({ status }) => status === "failed").length }
    }

    expect(await examine(pgbouncer)).toEqual({
      code: 0,
      faults: 0,
      found: expect.objectContaining({
        message: expect.stringMatching(/answers, PostgreSQL 15.*, through a pooler$/),
      }),
    })
    expect(await examine(pgbouncer, { DATABASE_POOLER: "none" })).toEqual({
      code: 1,
      faults: 1,
      found: expect.objectContaining({
        message: "DATABASE_URL leads to a pooler in transaction mode, and DATABASE_POOLER is none",
        remedy: "set DATABASE_POOLER=transaction, or leave it out",
      }),
    })
    const standby = await primary.addSynchronousStandby()
    started.defer(() => standby.remove())
    expect(await examine(standby)).toEqual({
      code: 1,
      faults: 1,
      found: expect.objectContaining({
        message: "the database of DATABASE_URL takes no changes: it is a standby or set to read-only",
        remedy: "set DATABASE_URL to the primary",
      }),
    })
  },
)
