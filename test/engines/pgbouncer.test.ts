import { findPooler } from "@restwell/server/pools"
import { type Engines, startPgBouncer } from "@restwell/testing/engines"
import { serviceEnvironment } from "@restwell/testing/service"
import { expect } from "vitest"
import { RefusedStarts } from "../whole/refused-start.ts"
import { liveWholeLife } from "./pooled-life.ts"
import { type PooledServices, startPooledServices } from "./pooled-services.ts"
import { testWithEngines } from "./test-with-engines.ts"

const MONTHLY_LIMIT = 100

/** What an operator's tools say about the way to the database. */
async function expectPoolersFound(engines: Engines, { server, pgbouncer }: PooledServices): Promise<void> {
  const settings = { pool_mode: "session" }
  const session = await startPgBouncer(engines, { serverPort: server.port, settings })
  try {
    const found = [server, session, pgbouncer].map(({ url }) => findPooler({ connectionString: url }))
    expect(await Promise.all(found)).toEqual(["none", "session", "transaction"])
  } finally {
    await session.remove()
  }
}

testWithEngines("two processes behind PgBouncer in transaction mode serve a person's whole life", async (engines) => {
  await using services = await startPooledServices(engines, MONTHLY_LIMIT)
  await expectPoolersFound(engines, services)
  await liveWholeLife({ ...services, monthlyLimit: MONTHLY_LIMIT })

  const starts = await RefusedStarts.make()
  const environment = { ...serviceEnvironment(services.pgbouncer, services.whoop), DATABASE_POOLER: "none" }
  expect(await starts.try({ environment }), "a start that must not use a pooler").toBe(
    "restwell: DATABASE_URL leads to a pooler in transaction mode, and DATABASE_POOLER is none: set DATABASE_POOLER=transaction, or leave it out\n",
  )
})
