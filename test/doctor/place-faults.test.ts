// Faults of what surrounds the service: certificates, proxies, disks, database servers and mail servers.
import { rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { NOT_DURABLE, startPostgres } from "@restwell/testing/database"
import { runCommand } from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { SMTPServer } from "smtp-server"
import { beforeAll, expect, onTestFinished, test } from "vitest"
import { query } from "../whole/query.ts"
import { mountSmallDisk, type SmallDisk } from "../whole/small-disk.ts"
import {
  type Authority,
  type CertificateWishes,
  makeAuthority,
  type ServerCertificate,
  selfSigned,
} from "./certificates.ts"
import {
  examine,
  expectFault,
  faultsOf,
  folder,
  healthy,
  listening,
  proxy,
  service,
  sql,
  useInstallation,
} from "./installation.ts"

useInstallation()

let authority: Authority
beforeAll(async () => {
  authority = await makeAuthority()
  setDefaultCACertificates([...getCACertificates("default"), authority.certificate])
})

/** The service at an https address of its proxy. */
async function servedOverTls(certificate: ServerCertificate) {
  const url = await proxy.serveTls(certificate)
  const replica = await service.startReplica("api", { BASE_URL: url, TRUST_PROXY: "127.0.0.1" })
  onTestFinished(() => replica.close())
  proxy.target = replica.url
  return { BASE_URL: url, PORT: new URL(replica.url).port }
}

test.each<[string, CertificateWishes, RegExp]>([
  ["has expired", { endsInDays: -1 }, /^public address: the certificate of \S+ has expired: renew it/],
  ["begins tomorrow", { beginsInDays: 1 }, /^public address: the certificate of \S+ is not valid yet: correct the/],
  ["is of another name", { ip: "127.0.0.2" }, /^public address: the certificate of \S+ is for another name: get a/],
])("a certificate that %s", async (_what, wishes, text) => {
  await expectFault(text, { BASE_URL: await proxy.serveTls(await authority.issue(wishes)) })
})

test("a good certificate", async () => {
  expect(faultsOf(await examine(await servedOverTls(await authority.issue())))).toEqual([])
})

test("a certificate of no known authority", async () => {
  const stranger = await makeAuthority()
  const unknown = "is of an authority that nobody knows: get one of a public authority$"
  for (const [certificate, text] of [
    [await selfSigned(), "is signed by itself: get one of a public authority, as Caddy does by itself$"],
    [await stranger.issue({ hasChain: true }), unknown],
    [await stranger.issue(), "comes without the certificates up to a known authority: let the proxy send the whole"],
  ] as const)
    await expectFault(new RegExp(`^public address: the certificate of \\S+ ${text}`), {
      BASE_URL: await proxy.serveTls(certificate),
    })
})

test("an https address whose port speaks http", async () => {
  const url = proxy.url.replace("http:", "https:")
  await expectFault(/^public address: https:\S+ does not speak TLS: let the proxy serve https/, { BASE_URL: url })
})

test("a proxy that drops keys, and one that asks for a password itself", async () => {
  proxy.dropped = ["authorization"]
  await expectFault(/^public address: the proxy at \S+ does not pass the header Authorization on, .*: let it forward/)
  proxy.dropped = []
  proxy.blocked = /./
  await expectFault(/^public address: the proxy at \S+ refuses requests itself \(status 403\): let it forward every/)
})

test("an app at the vendor with another redirect URL", async () => {
  const whoop = await startVendor({ redirectUris: ["https://old.example/api/connections/whoop/callback"] })
  onTestFinished(() => whoop.close())
  await expectFault(
    `vendor: WHOOP does not know the redirect URL of this service: enter ${proxy.url}/api/connections/whoop/callback as a redirect URL on the app's page`,
    { WHOOP_BASE_URL: whoop.url },
  )
})

/** A disk of its own, or the reason why this system gives none. */
async function ownDisk(megabytes: number, skip: (why: string) => never): Promise<SmallDisk> {
  const disk = await mountSmallDisk(megabytes)
  if (typeof disk === "string") return skip(disk)
  onTestFinished(() => disk.remove())
  return disk
}

test("disks that are almost full, full, or read-only", async ({ skip }) => {
  const disk = await ownDisk(60, skip)
  const backups = { BACKUP_DIR: disk.directory }
  await expectFault(/^data folder: the disk of DATA_DIR \S+ has only \d\d MB left: free some space, or move/, {
    DATA_DIR: disk.directory,
  })
  await expectFault(/^backup: the disk of BACKUP_DIR \S+ has only \d\d MB left: free some space, or choose/, backups)
  await disk.fill()
  await expectFault(/^data folder: DATA_DIR cannot be used \S+: its disk is full: free some space/, {
    DATA_DIR: disk.directory,
  })
  await disk.free()
  await disk.makeReadOnly()
  await expectFault(/^backup: BACKUP_DIR cannot be written \(\S+ EROFS\): let the user who starts Restwell/, backups)
  await expectFault(/^data folder: DATA_DIR cannot be used \S+: it is on a read-only file system: mount it writable/, {
    DATA_DIR: disk.directory,
  })
})

test("a wrong password, user or name of the database", async () => {
  const server = await startPostgres({ settings: NOT_DURABLE, isOverTcp: true })
  onTestFinished(() => server.remove())
  await query(server.url, "create role someone login password 'right'")
  const hba = "local all all trust\nhost all someone 127.0.0.1/32 scram-sha-256\n"
  await writeFile(join(server.cluster.home.cluster, "pg_hba.conf"), hba)
  const [before] = await query<{ at: Date }>(server.url, "select pg_conf_load_time() as at, pg_reload_conf()")
  const isLoaded = "select pg_conf_load_time() > $1 as is from pg_sleep(0.05)"
  const local = new URL(server.url)
  local.searchParams.set("host", server.cluster.home.socketDirectory)
  while (!(await query<{ is: boolean }>(local.href, isLoaded, [before?.at]))[0]?.is);
  const at = (user: string, database = "postgres") => ({
    DATABASE_URL: `postgres://${user}@127.0.0.1:${server.connection.port}/${database}`,
  })
  await expectFault(
    /^database: cannot use the .* it refuses the password: correct the user or the password$/,
    at("someone:wrong"),
  )
  await expectFault(/^database: cannot use the .* it refuses the user: correct the user/, at("other:right"))
  await expectFault(/^database: cannot use the .* it has no database of that name/, at("someone:right", "none"))
})

/** A database of its own on the server of the tests. */
async function ownDatabase(options = ""): Promise<string> {
  const name = `doctor_${crypto.randomUUID().replaceAll("-", "")}`
  await sql(`create database ${name} ${options}`)
  onTestFinished(async () => void (await sql(`drop database ${name} with (force)`)))
  const url = new URL(service.store.url)
  url.pathname = `/${name}`
  return url.href
}

test("a server older than 15, one that is read-only, and a database of another encoding", async () => {
  const older = await ownDatabase()
  await query(
    older,
    `create function public.current_setting(text) returns text language sql as $$
     select case $1 when 'server_version_num' then '140011' when 'server_version' then '14.11' else pg_catalog.current_setting($1) end $$`,
  )
  const alone = { PORT: "0", BASE_URL: "", TRUST_PROXY: "" }
  await sql(`alter database ${new URL(older).pathname.slice(1)} set search_path = public, pg_catalog`)
  await expectFault(/^database: .* is PostgreSQL 14.11, and Restwell needs 15 or newer: upgrade the server, or set/, {
    DATABASE_URL: older,
    ...alone,
  })
  const latin = await ownDatabase("template template0 encoding 'LATIN1' locale 'C'")
  await expectFault(/^database: .* has the encoding LATIN1: make a database with the encoding UTF8/, {
    DATABASE_URL: latin,
    ...alone,
  })
  const name = new URL(service.store.url).pathname.slice(1)
  await sql(`alter database ${name} set default_transaction_read_only = on`)
  try {
    await expectFault(/^database: .* takes no changes: it is a standby or set to read-only: set DATABASE_URL to/)
  } finally {
    await sql(`begin read write; alter database ${name} reset default_transaction_read_only; commit`)
  }
})

test("a user of the database without connections or permissions", async () => {
  const role = `doctor_${crypto.randomUUID().replaceAll("-", "")}`
  await sql(`create role ${role} login connection limit 0`)
  onTestFinished(async () => void (await sql(`drop owned by ${role}; drop role ${role}`)))
  const url = new URL(service.store.url)
  url.username = role
  if (url.searchParams.has("user")) url.searchParams.set("user", role)
  await expectFault(/^database: the database takes no more connections: raise max_connections/, {
    DATABASE_URL: url.href,
  })
  await sql(`alter role ${role} connection limit -1; grant usage on schema restwell to ${role}`)
  await sql(`grant select on restwell.kysely_migration to ${role}`)
  await expectFault(/^schema: the user of DATABASE_URL may not use \d+ tables of the schema restwell: make that/, {
    DATABASE_URL: url.href,
  })
})

test("mail servers that refuse the password, have no name, or are no mail servers", async () => {
  const smtp = new SMTPServer({
    secure: false,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error("Invalid username or password")),
  })
  const port = await listening(smtp.server)
  const other = await listening(createServer((socket) => void socket.end("hello\r\n")))
  const at = (smtpUrl: string) => ({ SMTP_URL: smtpUrl, MAIL_FROM: "a@b.example" })
  await expectFault(
    /^email: the mail server \S+ refuses the user or the password: correct both in SMTP_URL$/,
    at(`smtp://ada:wrong@127.0.0.1:${port}`),
  )
  await expectFault(/^email: the mail server \S+ does not speak SMTP: correct/, at(`smtp://127.0.0.1:${other}`))
  await expectFault(/^email: the mail server \S+ has a name that is not known/, at("smtp://no-such-host.invalid:25"))
})

// Linux takes this address for its own. It does not look like this machine's, so the password needs TLS.
test.runIf(process.platform === "linux")("a mail server without TLS, and one with a bad certificate", async () => {
  for (const [disabled, text] of [
    [["STARTTLS"], "does not encrypt the connection, .*: use its port with TLS: smtps"],
    [[], "has a certificate that is refused \\(self-signed certificate\\): use the name in its certificate"],
  ] as const) {
    const port = await listening(new SMTPServer({ ...(await selfSigned()), disabledCommands: [...disabled] }).server)
    const environment = { SMTP_URL: `smtp://ada:b@0.0.0.0:${port}`, MAIL_FROM: "a@b.example" }
    await expectFault(new RegExp(`^email: the mail server \\S+ ${text}`), environment)
  }
})

test("stored secrets of which some need another secret: one line, also once people were asked to connect again", async () => {
  const reason = "the stored tokens cannot be decrypted with this server's secret. Connect again"
  await sql("update restwell.vendor_grant set key_id = 'x' || key_id")
  await sql(
    `update restwell.connection set status = 'reauthorization_required', status_reason = '${reason.replace("'", "''")}'`,
  )
  await sql(
    "insert into restwell.service_setting (name, key_id, sealed, updated_at) values ('POLAR_CLIENT_SECRET', 'lost', 'x', now())",
  )
  const remedy = /add that secret to RESTWELL_FORMER_SECRETS, .* and restart the service, or let people connect again/
  try {
    await expectFault(new RegExp(`^stored secrets: 2 of \\d stored secrets were .*: ${remedy.source} and enter POLAR_`))
    // Without the app in the environment it is the same cause.
    await sql("update restwell.service_setting set name = 'OURA_CLIENT_SECRET'")
    await expectFault(/^stored secrets: 2 of .* and enter OURA_CLIENT_SECRET again on the page Service$/, {
      OURA_CLIENT_ID: "",
      OURA_CLIENT_SECRET: "",
      OURA_BASE_URL: "",
    })
    await sql("update restwell.vendor_grant set key_id = substr(key_id, 2)")
    await sql("delete from restwell.service_setting")
    await expectFault(
      /^connections: connections of oura wait for the secret, which is there again: restart the service/,
    )
  } finally {
    await sql("update restwell.connection set status = 'ok', status_reason = null")
  }
})

test("the command names a planted fault with exit code 1", async () => {
  const file = join(folder, "no-folder")
  await writeFile(file, "")
  onTestFinished(() => rm(file))
  const { code, output, errors } = await runCommand(["doctor"], { ...healthy, BACKUP_DIR: file })
  expect([code, errors]).toEqual([1, ""])
  expect(output.match(/^FAILED.*$/gm)).toEqual([
    expect.stringMatching(/^FAILED {3}backup {10}there is a file in place of BACKUP_DIR \(\S+\): move it away, or/),
  ])
  expect(output).toMatch(/\n1 fault\n$/)
})
