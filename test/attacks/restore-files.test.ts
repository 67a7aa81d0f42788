import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createTokenCipher, writeBackup, writeWholeFile } from "@restwell/core"
import type { ArchiveFile } from "@restwell/core/backup-archive"
import { FILES } from "@restwell/core/backup-content"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { runCommand, startServiceProcess } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { attackRestore, backupOf, filesOf, withJson } from "./restore-files.ts"

const SECRET = "the secret of the place of the backup, 32"

let world: World
let target: TestDatabase
let folder: string
let path: string
let files: ArchiveFile[]
beforeAll(async () => {
  world = await createWorld({ days: 5 })
  target = await createTestDatabase()
  folder = await makeFolder("hostile-restore")
  path = join(folder, "good.backup")
  await world.connect(await world.addUser(), world.simulator.people.add({ email: "ada@example.com" }))
  const { keyId, bytes } = createTokenCipher([SECRET]).seal(`{"kty":"RSA","d":"made up"}`, "signing-key/oauth")
  await world.store.pool.query(
    "insert into restwell.signing_key (id, key_id, sealed, created_at) values ('oauth', $1, $2, now())",
    [keyId, bytes],
  )
  await writeWholeFile(path, (write) =>
    writeBackup(world.store.pool, { write, secrets: [SECRET], hasSecret: true, program: "0.1.0", now: new Date() }),
  )
  files = await filesOf(path)
})
afterAll(async () => {
  await target.drop()
  await world.close()
  await rm(folder, { recursive: true })
})

test("a hostile backup is refused in one sentence, and nothing is changed", async () => {
  const refused = await attackRestore({
    path,
    hostile: join(folder, "hostile.backup"),
    pool: target.pool,
    files: 30,
    seed: 1,
  })
  expect(refused).toBeGreaterThan(12)
}, 120_000)

const MADE_UP: readonly [string, () => ArchiveFile[], RegExp][] = [
  [
    "with a secret of one character",
    () => withJson(files, FILES.secrets, () => ["x"]),
    /it has a secret that is not a line of at least 32 characters, .*\. Nothing was changed\n$/,
  ],
  [
    "with a secret that does not decrypt what it has",
    () => withJson(files, FILES.secrets, () => ["another secret, which encrypted nothing"]),
    /the secret of the backup does not decrypt its signing key, .*\. Nothing was changed\n$/,
  ],
  [
    "with rows that are none",
    () => files.map((file) => (file.name.endsWith(".copy") ? { ...file, content: Buffer.from("x\n") } : file)),
    /PostgreSQL refuses what it has \(error \w{5}\)\. Use another copy\. Nothing was changed\n$/,
  ],
]

test.each(MADE_UP)(
  "a backup %s is refused, and the place starts afterwards",
  async (_which, madeUp, message) => {
    const file = join(folder, `${randomUUID()}.backup`)
    await writeFile(file, await backupOf(madeUp()))
    const environment = { DATA_DIR: join(folder, randomUUID()) }
    const refused = await runCommand(["restore", file], environment)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(message)])
    expect(await (await startServiceProcess({ environment })).stop()).toBe(0)
  },
  120_000,
)

test("a place with data of its own keeps them, and starts afterwards", async () => {
  const file = join(folder, `${randomUUID()}.backup`)
  await writeFile(file, await backupOf(withJson(files, FILES.secrets, () => ["x"])))
  const environment = { DATA_DIR: join(folder, randomUUID()) }
  expect(await (await startServiceProcess({ environment })).stop()).toBe(0)
  const refused = await runCommand(["restore", file, "--replace"], environment)
  expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/Nothing was changed\n$/)])
  expect(await (await startServiceProcess({ environment })).stop()).toBe(0)
}, 120_000)

test("every refusal says that nothing was changed", async () => {
  const environment = { DATA_DIR: join(folder, randomUUID()) }
  const service = await startServiceProcess({ environment })
  const refused = await runCommand(["restore", path], environment)
  expect(refused.errors).toMatch(/already running on this DATA_DIR .*\. Nothing was changed\n$/)
  await service.stop()
  const nowhere = await runCommand(["restore", path], {
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    RESTWELL_SECRET: SECRET,
  })
  expect(nowhere.errors).toMatch(/nothing listens there: .*\. Nothing was changed\n$/)
})
