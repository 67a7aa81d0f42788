import { glob, readFile } from "node:fs/promises"
import { parseAllDocuments } from "yaml"
import { z } from "zod"

export const DEPLOY = new URL("../../deploy/", import.meta.url).pathname

/** Parses every document of a YAML file. @throws with the parser's message if one is invalid */
export async function readDocuments(name: string): Promise<unknown[]> {
  const documents = parseAllDocuments(await readFile(DEPLOY + name, "utf8"), { merge: true })
  return [...documents].map((document) => {
    const [error] = [...document.errors, ...document.warnings]
    if (error) throw error
    return document.toJS()
  })
}

export const yamlFiles = (): Promise<string[]> => Array.fromAsync(glob("**/*.yaml", { cwd: DEPLOY }))

const ProbeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })

/** The parts of a Deployment that the tests check. */
export const DeploymentSchema = z.object({
  kind: z.literal("Deployment"),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.number() }) }),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()), annotations: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([
          z.object({
            args: z.array(z.string()),
            ports: z.tuple([z.object({ name: z.string(), containerPort: z.number() })]),
            env: z.array(
              z.object({
                name: z.string(),
                valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }),
              }),
            ),
            startupProbe: ProbeSchema,
            livenessProbe: ProbeSchema,
            readinessProbe: ProbeSchema,
            resources: z.object({
              requests: z.record(z.string(), z.string()),
              limits: z.record(z.string(), z.string()),
            }),
            securityContext: z.object({
              readOnlyRootFilesystem: z.literal(true),
              allowPrivilegeEscalation: z.literal(false),
            }),
          }),
        ]),
      }),
    }),
  }),
})

const ServiceSchema = z.object({
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.unknown()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  restart: z.literal("unless-stopped"),
  stop_grace_period: z.string().regex(/^\d+s$/),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
})

export const ComposeSchema = z.object({
  services: z.record(z.string(), ServiceSchema),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
})
