import { serviceEnvironment } from "@restwell/testing/service"
import { expect } from "vitest"
import { RefusedStarts } from "../whole/refused-start.ts"
import { liveWholeLife } from "./pooled-life.ts"
import { startPooledServices } from "./pooled-services.ts"
import { testWithEngines } from "./test-with-engines.ts"

const MONTHLY_LIMIT = 100

testWithEngines("two processes behind PgBouncer in transaction mode serve a person's whole life", async (engines) => {
  await using services = await startPooledServices(engines, MONTHLY_LIMIT)
  await liveWholeLife({ ...services, monthlyLimit: MONTHLY_LIMIT })

  const starts = await RefusedStarts.make()
  const environment = { ...serviceEnvironment(services.pgbouncer, services.whoop), DATABASE_POOLER: "none" }
  expect(await starts.try({ environment }), "a start that must not use a pooler").toBe(
    "restwell: DATABASE_URL leads to a pooler in transaction mode, and DATABASE_POOLER is none: set DATABASE_POOLER=transaction, or leave it out\n",
  )
})
