import { loadConfig } from "@restwell/server/config"
import { readMetrics, startTestService } from "@restwell/testing/service"
import { expect, test } from "vitest"
import { z } from "zod"
import { DeploymentSchema, readDocuments, yamlFiles } from "./documents.ts"

const LONGEST_DRAIN_SECONDS = 30
/** The keys that CloudNativePG writes into its secret. @see https://cloudnative-pg.io/documentation/current/applications/ */
const CNPG_URI = "postgresql://restwell:p4ss@restwell-postgres-rw.restwell:5432/restwell"

const KindSchema = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }).optional() })
const KustomizationSchema = z.object({
  resources: z.array(z.string()),
  configMapGenerator: z.tuple([z.object({ name: z.string(), literals: z.array(z.string()) })]),
})
const SecretSchema = z.object({
  metadata: z.object({ name: z.string() }),
  stringData: z.record(z.string(), z.string()),
})

const IngressSchema = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()) }),
})

const kustomization = KustomizationSchema.parse((await readDocuments("kubernetes/kustomization.yaml"))[0])
const secret = SecretSchema.parse((await readDocuments("kubernetes/secret.example.yaml"))[0])
const deployment = async (role: string) => DeploymentSchema.parse((await readDocuments(`kubernetes/${role}.yaml`))[0])

test("every file is valid YAML, and all but the secret are applied", async () => {
  const files = await yamlFiles()
  for (const file of files) expect((await readDocuments(file)).length, file).toBeGreaterThan(0)
  const applied = files.filter((file) => file.startsWith("kubernetes/")).map((file) => file.slice("kubernetes/".length))
  expect(new Set([...kustomization.resources, "kustomization.yaml", "secret.example.yaml"])).toEqual(new Set(applied))
})

test.each(["api", "worker"] as const)("the service accepts every setting and the command of %s", async (role) => {
  const [container] = (await deployment(role)).spec.template.spec.containers
  const settings: Record<string, string> = {}
  for (const literal of kustomization.configMapGenerator[0].literals) {
    const [name = "", ...value] = literal.split("=")
    settings[name] = value.join("=")
  }
  for (const name of Object.keys(secret.stringData))
    settings[name] = `a-value-of-more-than-thirty-two-characters-${name}`
  for (const { name, valueFrom } of container.env) {
    expect(valueFrom.secretKeyRef).toEqual({ name: "restwell-postgres-app", key: "uri" })
    settings[name] = CNPG_URI
  }
  expect(container.args).toEqual(["start", "--role", role])
  const config = loadConfig(settings, role)
  expect(config.databaseUrl).toBe(CNPG_URI)
  expect(config.port).toBe(container.ports[0].containerPort)
})

test.each(["api", "worker"] as const)("%s answers its probes", async (role) => {
  const { template } = (await deployment(role)).spec
  const [container] = template.spec.containers
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
  for (const { httpGet } of probes) expect(httpGet.port).toBe(container.ports[0].name)
  const service = await startTestService({ role })
  for (const { httpGet } of probes) expect((await fetch(service.url + httpGet.path)).status).toBe(200)
  expect(template.metadata.annotations["prometheus.io/path"]).toBe("/metrics")
  expect(await readMetrics(service)).toContain("process_cpu_seconds_total")
  await service.close()
})

test.each(["api", "worker"] as const)("an update of %s stops no pod before a new one is ready", async (role) => {
  const { spec } = await deployment(role)
  expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(LONGEST_DRAIN_SECONDS)
  expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels)
})

test("every name that a manifest refers to exists", async () => {
  const kinds = (await Promise.all(kustomization.resources.map((file) => readDocuments(`kubernetes/${file}`)))).flat()
  const named = kinds
    .map((document) => KindSchema.parse(document))
    .map(({ kind, metadata }) => `${kind}/${metadata?.name}`)
  expect(named.toSorted()).toEqual([
    "Cluster/restwell-postgres",
    "Deployment/restwell-api",
    "Deployment/restwell-worker",
    "HorizontalPodAutoscaler/restwell-api",
    "Ingress/restwell",
    "Namespace/restwell",
    "PodDisruptionBudget/restwell-api",
    "Service/restwell-api",
    "Service/restwell-nobody",
  ])
})

/** By default ingress-nginx refuses more than 1 MB. @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#custom-max-body-size */
test("the ingress lets the largest archive through, while it arrives", async () => {
  const { annotations } = IngressSchema.parse((await readDocuments("kubernetes/ingress.yaml"))[0]).metadata
  const largest = Number.parseInt(annotations["nginx.ingress.kubernetes.io/proxy-body-size"] ?? "", 10) * 1_048_576
  expect(largest).toBeGreaterThan(loadConfig({}).importMaxBytes)
  expect(annotations["nginx.ingress.kubernetes.io/proxy-request-buffering"]).toBe("off")
})
