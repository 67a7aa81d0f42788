import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"

const run = promisify(execFile)
const WORKFLOW = new URL("../../.github/workflows/release.yml", import.meta.url)
const WorkflowSchema = z.object({
  permissions: z.object({}).strict(),
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })) }),
  ),
})

const text = await readFile(WORKFLOW, "utf8")
const { jobs } = WorkflowSchema.parse(parse(text))
const steps = Object.values(jobs).flatMap((job) => job.steps)

test("the release pins every action by commit, with the version beside it", () => {
  const used = text.match(/uses: .*/g) ?? []
  expect(used).toHaveLength(steps.filter(({ uses }) => uses).length)
  for (const line of used) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test("the release's scripts are valid bash", async () => {
  for (const { run: script } of steps) if (script) await run("bash", ["-nc", script])
})
