// Archives of Android phones are copied to a temporary folder. Where the root file system is read-only, it has to be writable still.
import { glob, readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { z } from "zod"
import { DEPLOY, readDocuments, yamlFiles } from "./documents.ts"

const ComposeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      read_only: z.boolean().default(false),
      tmpfs: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
    }),
  ),
})
const PodsSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        volumes: z
          .array(
            z.object({ name: z.string(), emptyDir: z.object({ sizeLimit: z.string().regex(/^\d+Gi$/) }).optional() }),
          )
          .default([]),
        containers: z.array(
          z.object({
            name: z.string(),
            securityContext: z.object({ readOnlyRootFilesystem: z.boolean().default(false) }),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
          }),
        ),
      }),
    }),
  }),
})

/** Whether each container with a read-only root has a writable /tmp. */
function rootsOf(document: unknown): (readonly [string, boolean])[] {
  const compose = ComposeSchema.safeParse(document).data
  if (compose)
    return Object.entries(compose.services).flatMap(([name, { read_only: isReadOnly, tmpfs, volumes }]) => {
      const isWritable = tmpfs.includes("/tmp:mode=1777") || volumes.some((mount) => mount.endsWith(":/tmp"))
      return isReadOnly ? [[name, isWritable] as const] : []
    })
  const { containers, volumes } = PodsSchema.safeParse(document).data?.spec.template.spec ?? {}
  return (containers ?? []).flatMap(({ name, securityContext, volumeMounts }) => {
    const mount = volumeMounts.find(({ mountPath }) => mountPath === "/tmp")
    const volume = volumes?.find((each) => each.name === mount?.name)
    return securityContext.readOnlyRootFilesystem ? [[name, volume?.emptyDir !== undefined] as const] : []
  })
}

test("every container whose root file system is read-only has a writable /tmp", async () => {
  const found: string[] = []
  for (const file of await yamlFiles())
    for (const [name, isWritable] of (await readDocuments(file)).flatMap(rootsOf)) {
      expect(isWritable, `${name} of ${file}`).toBe(true)
      found.push(name)
    }
  expect(found.toSorted()).toEqual(
    ["api", "api", "api1", "api2", "caddy", "nginx", "restwell", "worker", "worker", "worker1", "worker2"].toSorted(),
  )
})

test("so has every unit of systemd, and every command of the manual", async () => {
  for await (const unit of glob("**/*.service", { cwd: DEPLOY })) {
    const text = await readFile(DEPLOY + unit, "utf8")
    expect(text, unit).toMatch(/^ProtectSystem=strict$/m)
    expect(text, unit).toMatch(/^PrivateTmp=yes$/m)
  }
  const commands = (await readFile(`${DEPLOY}README.md`, "utf8")).match(/^.*docker run .*--read-only.*$/gm) ?? []
  expect(commands).toHaveLength(1)
  for (const command of commands) expect(command).toContain(" --tmpfs /tmp ")
})
