// Folders that the owner may not choose for backups on the page Service.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join, relative } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let owner: Member
let directory: string
beforeAll(async () => {
  directory = await makeFolder("folders")
  service = await startTestService({ days: 2 })
  owner = new Member(service, {}, "owner@example.com")
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await rm(directory, { recursive: true })
})

const choose = (folder: string) =>
  owner.send("PUT", "/api/service/backup", { folder, keep: 1, every_hours: 1, has_secret: true })

test("a database's own folder is refused with the reason, and nothing is made in it", async () => {
  const cluster = join(directory, "cluster")
  await mkdir(cluster)
  await writeFile(join(cluster, "PG_VERSION"), "18\n")
  for (const folder of [cluster, join(cluster, "backups")]) {
    const answer = await choose(folder)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: "invalid_request",
        message: `the folder ${folder} cannot be used: it is in the data folder of a PostgreSQL (${cluster}), where no other program may write: choose another folder`,
        field: "folder",
      },
    ])
  }
  expect(await readdir(cluster)).toEqual(["PG_VERSION"])
})

test("a ~ is the home of the user who runs Restwell, and that of another user is refused in words", async () => {
  const meant = join(directory, "mine")
  const answer = await choose(`~/${relative(homedir(), meant)}`)
  expect([answer.status, (await answer.json()).folder]).toEqual([200, meant])
  const refused = await choose("~ada/backups")
  expect([refused.status, (await refused.json()).message]).toEqual([
    400,
    "the folder must be a path: only ~/ at its beginning names a home, that of the user who starts Restwell",
  ])
})
