// A remedy is what the error itself has, never a part of a log.
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ServiceResponseSchema } from "@restwell/client"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { runCommand, startTestService } from "@restwell/testing/service"
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { examine, faultsOf, useInstallation } from "./installation.ts"

useInstallation()

const FaultSchema = z.object({ check: z.string(), message: z.string(), remedy: z.string() })

test("what PostgreSQL says when it does not start is in the fault, and not in the remedy", async () => {
  const folder = await makeFolder("doctor-broken")
  const environment = { DATA_DIR: folder, PORT: "0" }
  const config = join(folder, "postgres", "cluster")
  await mkdir(config, { recursive: true, mode: 0o700 })
  await writeFile(join(config, "PG_VERSION"), "18\n")
  const { output } = await runCommand(["doctor", "--json"], environment)
  const { checks } = z.object({ checks: z.array(z.looseObject({ check: z.string() })) }).parse(JSON.parse(output))
  const fault = FaultSchema.parse(checks.find(({ check }) => check === "database"))
  expect(fault.message).toMatch(/PostgreSQL did not start in .*postgresql\.conf/)
  expect(fault.remedy).toBe("correct what PostgreSQL names, or restore a backup into an empty DATA_DIR")
})

test.each([
  [0o777, "change"],
  [0o755, "read"],
] as const)(
  "a BACKUP_DIR with the mode %o is named at the start, by the doctor and to the owner",
  async (mode, others) => {
    const directory = await makeFolder("open-backups")
    await chmod(directory, mode)
    const backups = await startTestService({ days: 3, environment: { BACKUP_DIR: directory } })
    onTestFinished(() => backups.close())
    const warning = `other users of this machine can ${others} the files of BACKUP_DIR`
    await expect.poll(() => backups.log.filter((line) => line.includes(warning)).length).toBe(1)
    const owner = new Member(backups)
    await owner.setUp()
    const last = async () =>
      ServiceResponseSchema.parse(await (await owner.send("GET", "/api/service")).json()).backup.last?.others_can
    await expect.poll(last, { timeout: 30_000 }).toBe(others)
    expect(faultsOf(await examine({ BACKUP_DIR: directory }))).toContain(
      `backup: ${warning} (${directory}): chmod 700 '${directory}'`,
    )
    await chmod(directory, 0o700)
    expect(await last()).toBe(null)
  },
)
