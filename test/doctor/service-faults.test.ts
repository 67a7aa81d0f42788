import { chmod, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startBroker } from "@restwell/testing/mqtt-broker"
import { vendorEnvironment } from "@restwell/testing/service"
import { startWithingsBeside } from "@restwell/testing/vendor"
import { expect, onTestFinished, test, vi } from "vitest"
import { query } from "../whole/query.ts"
import { change, examine, expectFault, faultsOf, folder, proxy, service, sql, useInstallation } from "./installation.ts"

useInstallation()

test("a proxy that does not say who the visitor is", async () => {
  proxy.forwardedFor = "leave"
  await expectFault(
    /^proxy: TRUST_PROXY=127.0.0.1 is set, and requests .* come without a proxy's X-Forwarded-For: let the proxy/,
  )
})

test("a proxy that the service does not know", async () => {
  const replica = await service.startReplica("api", { BASE_URL: proxy.url, TRUST_PROXY: "10.9.9.9" })
  onTestFinished(() => replica.close())
  proxy.target = replica.url
  const settings = { PORT: new URL(replica.url).port }
  await expectFault(/^proxy: requests come from the proxy .*127.0.0.1, which TRUST_PROXY=10.9.9.9 does not name: set/, {
    ...settings,
    TRUST_PROXY: "10.9.9.9",
  })
  await expectFault(/^proxy: a proxy .* is in front of the service, and TRUST_PROXY is not set/, {
    ...settings,
    TRUST_PROXY: "",
  })
})

test("a number of proxies that is too large", async () => {
  const replica = await service.startReplica("api", { BASE_URL: proxy.url, TRUST_PROXY: "2" })
  onTestFinished(() => replica.close())
  proxy.target = replica.url
  await expectFault(/^proxy: TRUST_PROXY=2 believes addresses that visitors claim/, {
    PORT: new URL(replica.url).port,
    TRUST_PROXY: "2",
  })
})

test("a service that runs with other settings", async () => {
  const replica = await service.startReplica("api", { BASE_URL: "http://other.test", TRUST_PROXY: "127.0.0.1" })
  onTestFinished(() => replica.close())
  proxy.target = replica.url
  await expectFault(/^service: the running service has BASE_URL=http:\/\/other.test/, {
    PORT: new URL(replica.url).port,
  })
})

test("a proxy that keeps webhooks out", async () => {
  proxy.blocked = /^\/api\/webhooks/
  const faults = faultsOf(await examine())
  expect(faults).toEqual([
    expect.stringMatching(/^webhooks: webhooks do not reach the service: POST .*\/whoop got 403: let the proxy/),
    expect.stringMatching(/^webhooks: webhooks do not reach the service: POST .*\/oura got 403: let the proxy/),
  ])
})

test("a vendor that sends no webhooks is no fault, and its data are polled", async () => {
  const withings = await startWithingsBeside(service.simulator)
  onTestFinished(() => withings.close())
  const results = await examine(vendorEnvironment(withings, "withings"))
  expect(faultsOf(results)).toEqual([])
  expect(JSON.stringify(results)).toContain("Withings sends no webhooks here, so data is polled")
})

test("a schema of a newer version, and of an older one", async () => {
  await sql("insert into restwell.kysely_migration (name, timestamp) values ('0099-later', now()::text)")
  try {
    await expectFault(/^schema: the database is of a newer Restwell \(0099-later\): use that version/)
  } finally {
    await sql("delete from restwell.kysely_migration where name = '0099-later'")
  }
  const [last] = await query<{ name: string; timestamp: string }>(
    service.store.url,
    "delete from restwell.kysely_migration where name = (select max(name) from restwell.kysely_migration) returning *",
  )
  try {
    await expectFault(/^schema: the database is of an older Restwell \(.* is missing\): make a backup and start/)
  } finally {
    await query(service.store.url, "insert into restwell.kysely_migration values ($1, $2)", [
      last?.name,
      last?.timestamp,
    ])
  }
})

test("tables that another build made", async () => {
  await change("alter table restwell.record add column mood text", "alter table restwell.record drop column mood")
  await expectFault(/^schema: the tables of the database are not those of this Restwell: another build made them/)
})

test("connections that wait until the person reconnects, fail, or whose tokens no secret opens", async () => {
  await change(
    "update restwell.connection set status = 'reauthorization_required', status_reason = 'the vendor ended it'",
    "update restwell.connection set status = 'ok', status_reason = null",
  )
  await expectFault(/^connections: 1 connection of oura ended \(the vendor ended it\): let these people connect again/)
  await sql("update restwell.connection set status = 'failing', status_reason = null")
  await expectFault(/^connections: 1 connection of oura cannot be synced: find the cause/)
  await sql("update restwell.connection set status = 'ok'")
  const [grant] = await query<{ key_id: string }>(service.store.url, "select key_id from restwell.vendor_grant")
  await change(
    "update restwell.vendor_grant set key_id = 'lost'",
    `update restwell.vendor_grant set key_id = '${grant?.key_id}'`,
  )
  await expectFault(/^stored secrets: 1 of \d stored secrets were encrypted with an unknown secret: add that secret/)
})

test("jobs that nobody does", async () => {
  await change(
    "update restwell.connection set next_sync_at = now() - interval '1 hour'",
    "update restwell.connection set next_sync_at = now() + interval '1 hour'",
  )
  await expectFault(/^work: 1 syncs have waited for up to (?:59|60) minutes: no worker takes them: start/)
})

test("an app that is gone while people are connected", async () => {
  await expectFault(/^vendor: people are connected to Oura, and its app is not set up: set OURA_CLIENT_ID/, {
    OURA_CLIENT_ID: "",
    OURA_CLIENT_SECRET: "",
    OURA_BASE_URL: "",
  })
})

test("a backup that failed, one that is too old, and one whose file is gone", async () => {
  await mkdir(join(folder, "backups"), { recursive: true, mode: 0o700 })
  const scheduled = { BACKUP_DIR: join(folder, "backups") }
  const insert = (values: string) =>
    sql(
      `insert into restwell.backup (origin, file, host, has_secret, status, started_at, ended_at, error) values ${values}`,
    )
  onTestFinished(async () => void (await sql("delete from restwell.backup")))
  await expectFault(/^backup: no backup was made yet/, scheduled)
  await insert("('schedule', '/b/one', 'elsewhere', true, 'done', now() - interval '5 days', now(), null)")
  await expectFault(/^backup: the last backup is 1\d\d hours old, and one is due every 24: start/, scheduled)
  await insert(
    "('schedule', '/b/two', 'elsewhere', true, 'failed', now(), now(), 'the disk of BACKUP_DIR is full: free some space')",
  )
  await expectFault(/^backup: the last backup failed: the disk of BACKUP_DIR is full/, scheduled)
})

test("an embedded database without its secret, or of another major version", async () => {
  const dataDir = join(folder, "embedded")
  await mkdir(join(dataDir, "postgres", "cluster"), { recursive: true })
  await writeFile(join(dataDir, "postgres", "cluster", "PG_VERSION"), "17\n")
  const embedded = {
    DATABASE_URL: "",
    RESTWELL_SECRET: "",
    DATA_DIR: dataDir,
    PORT: "0",
    BASE_URL: "",
    TRUST_PROXY: "",
  }
  const faults = faultsOf(await examine(embedded))
  expect(faults).toEqual([
    expect.stringMatching(/^secret: .*secret is missing, but there is a database.*: restore the file/),
    expect.stringMatching(
      /^database: the database in .* was made by PostgreSQL 17, and this Restwell has PostgreSQL 18: start/,
    ),
  ])
  await writeFile(join(dataDir, "secret"), `${"k".repeat(40)}\n`, { mode: 0o600 })
  await expectFault(/^database: the database in .* was made by PostgreSQL 17/, embedded)
  await chmod(join(dataDir, "secret"), 0o644)
  expect(faultsOf(await examine(embedded))[0]).toMatch(/^secret: other users of this machine can read .*: chmod 600/)
  await rm(join(dataDir, "postgres"), { recursive: true })
  await chmod(join(dataDir, "secret"), 0o600)
  await expectFault(/^data folder: .* has a secret but no database: set DATA_DIR or DATABASE_URL/, embedded)
})

test("webhooks that do not come", async () => {
  await change(
    "update restwell.connection set connected_at = now() - interval '8 days', last_event_at = null",
    "update restwell.connection set connected_at = now()",
  )
  await expectFault(/^webhooks: no webhook of Oura has ever come: restart the service, which subscribes again/)
  await sql("update restwell.connection set last_event_at = now() - interval '9 days'")
  await expectFault(/^webhooks: the last webhook of Oura came [89] days ago: restart the service/)
})

test("a broker that is away, until it answers", async () => {
  const broker = await startBroker()
  onTestFinished(() => broker.close())
  await broker.kill()
  const settings = { MQTT_URL: broker.url }
  const worker = await service.startReplica("worker", { BASE_URL: proxy.url, ...settings })
  onTestFinished(() => worker.close())
  const isKnown = async () => faultsOf(await examine(settings)).length > 0
  await vi.waitUntil(isKnown, { timeout: 30_000, interval: 200 })
  await expectFault(
    /^Home Assistant: the broker cannot be reached: nothing answers on this port, since .* UTC: correct it on the page Service or in MQTT_URL, or start the broker/,
    settings,
  )
  await broker.start()
  await vi.waitUntil(async () => faultsOf(await examine(settings)).length === 0, { timeout: 30_000, interval: 200 })
  expect(JSON.stringify(await examine(settings))).toContain("0 people are published")
  // Without a broker nobody can be published, and that is no fault.
  expect(JSON.stringify(await examine())).toContain("no broker is set, so nothing is published to Home Assistant")
})
