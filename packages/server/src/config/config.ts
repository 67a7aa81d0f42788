import { resolve } from "node:path"
import type { BackupSchedule } from "@restwell/core"
import type { z } from "zod"
import { ConfigError } from "./config-errors.ts"
import { type Environment, EnvironmentSchema, missing, samePorts, type Variables, wrongValues } from "./environment.ts"
import { misspelled } from "./misspelled.ts"
import { readVendorSettings, VENDOR_SETTINGS, type VendorConfig } from "./vendor-settings.ts"

/** What a process does: answers requests (api), runs jobs (worker), or both. */
export const ROLES = ["all", "api", "worker"] as const
export type Role = (typeof ROLES)[number]

/** The operator's settings. docs/settings.md has the tables. */
export type Config = Readonly<ReturnType<typeof configOf>>

/** The operator's own app at an OpenID provider. */
export interface IdentityProviderConfig {
  readonly provider: "google" | "apple"
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
}

/** The mail server that takes our emails, and their sender. */
export interface MailConfig {
  /** smtp:// or smtps://, with user and password if the server needs them. */
  readonly smtpUrl: string
  readonly from: { readonly name: string; readonly address: string }
}

/** The settings from the environment. An empty variable counts as left out. @throws {ConfigError} with every mistake at once */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>, role: Role = "all"): Config {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) if (value) given[name] = value
  const parsed = EnvironmentSchema.safeParse(given)
  const vendors = readVendorSettings(given)
  const slips = misspelled(given, [...Object.keys(EnvironmentSchema.shape), ...VENDOR_SETTINGS])
  const isMeant = (mistake: string) => slips.some(({ meant }) => mistake.startsWith(`${meant} is required`))
  const mistakes = [
    ...wrongValues(parsed.error, given),
    ...vendors.wrong,
    // A setting that is missing because its name is misspelled is one mistake.
    ...[...missing(given), ...vendors.missing].filter((mistake) => !isMeant(mistake)),
    ...samePorts(given),
    ...slips.map(({ name, meant }) => `${name} is not a setting, did you mean ${meant}`),
  ]
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  return configOf(parsed.data, role, vendors.vendors, given)
}

function configOf(environment: Environment, role: Role, vendors: ReadonlyMap<string, VendorConfig>, given: Variables) {
  const givenOf = (names: readonly string[]): Variables =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
  return {
    role,
    host: environment.HOST,
    /** 0: any free port. */
    port: environment.PORT,
    /** How people reach it; without a slash at the end. Undefined: localhost with the port that is found free. */
    baseUrl: environment.BASE_URL ?? (environment.PORT === 0 ? undefined : `http://localhost:${environment.PORT}`),
    /** Whether BASE_URL is set. */
    isAddressSet: environment.BASE_URL !== undefined,
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: environment.DATABASE_URL,
    /** Whether a pooler in transaction mode is in front of the database of `databaseUrl`. */
    databasePooler: environment.DATABASE_POOLER,
    dataDir: environment.DATA_DIR,
    /** The folder with a folder of archives for each person. Undefined: none is watched. */
    importDir: environment.IMPORT_DIR,
    /** Largest archive that is taken. */
    importMaxBytes: environment.IMPORT_MAX_MB * 1_048_576,
    /** Most bytes of the archives of one person together. */
    importPersonBytes: environment.IMPORT_PERSON_MB * 1_048_576,
    /** Most memory for cached responses. */
    answerCacheBytes: environment.ANSWER_CACHE_MB * 1_048_576,
    /** Undefined: the first start makes it in `dataDir`. */
    secret: environment.RESTWELL_SECRET,
    /** Earlier secrets, which only decrypt. `dataDir` may hold more. */
    formerSecrets: environment.RESTWELL_FORMER_SECRETS,
    plans: { free: environment.FREE_MONTHLY_REQUESTS, pro: environment.PRO_MONTHLY_REQUESTS },
    logLevel: environment.LOG_LEVEL,
    /** Whether a terminal gets JSON lines as well. */
    logFormat: environment.LOG_FORMAT,
    ...operationOf(environment),
    /** Whether two accounts may be connected to one member of a vendor. */
    sharedVendorAccounts: environment.SHARED_VENDOR_ACCOUNTS,
    /** Life of an assistant's access token. */
    accessTokenSeconds: environment.ACCESS_TOKEN_SECONDS,
    /** Whether the connector accepts assistants that mix the two protocol versions of MCP, which the specification refuses. */
    takesMixedVersions: environment.CONNECTOR_MIXED_ERA === "on",
    /** Who may set a visitor's address by X-Forwarded-For: nobody, everybody, this many proxies in a row, or those at these addresses. */
    trustProxy: environment.TRUST_PROXY,
    /** Most open connections of people and programs. */
    maxConnections: environment.MAX_CONNECTIONS,
    /** The port that serves metrics alone, of this machine only without a token. Undefined: the service's own port does, with a token. */
    metricsPort: environment.METRICS_PORT,
    /** Who sends it reads the metrics. */
    metricsToken: environment.METRICS_TOKEN,
    /** Settings of `OPERATION_SETTINGS` in the environment, which take precedence over those of the page Service. */
    operationEnvironment: givenOf(OPERATION_SETTINGS),
    /** Vendors' settings in the environment, which take precedence over those of the page Service. */
    vendorEnvironment: givenOf(VENDOR_SETTINGS),
    /** Configured vendors by name. */
    vendors,
    /** Configured OpenID providers. */
    identityProviders: identityProvidersOf(environment),
  }
}

/** The folder of the embedded PostgreSQL. Undefined for a database elsewhere. */
export const embeddedDir = ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string | undefined =>
  databaseUrl === undefined ? dataDir : undefined

/** The settings of the page Service that the environment may make instead. */
const OperationSchema = EnvironmentSchema.pick({
  SIGN_UP: true,
  SMTP_URL: true,
  MAIL_FROM: true,
  MQTT_URL: true,
  HOME_ASSISTANT_URL: true,
  HOME_ASSISTANT_TOKEN: true,
  BACKUP_DIR: true,
  BACKUP_KEEP: true,
  BACKUP_EVERY_HOURS: true,
  BACKUP_WITH_SECRET: true,
  ALLOWED_PRIVATE_HOSTS: true,
})
type OperationEnvironment = z.infer<typeof OperationSchema>
export type OperationSetting = keyof OperationEnvironment
export const OPERATION_SETTINGS: readonly OperationSetting[] = OperationSchema.keyof().options
export type OperationSettings = Readonly<ReturnType<typeof operationOf>>

const operationOf = (environment: OperationEnvironment) => ({
  /** Whether people can sign up without an invitation. */
  signUp: environment.SIGN_UP,
  /** Undefined: no emails. */
  mail:
    environment.SMTP_URL === undefined || environment.MAIL_FROM === undefined
      ? undefined
      : { smtpUrl: environment.SMTP_URL, from: environment.MAIL_FROM },
  /** The MQTT broker of Home Assistant: mqtt:// or mqtts://, with user and password if it needs them. Undefined: nothing is published. */
  mqttUrl: environment.MQTT_URL,
  /** Home Assistant itself, for the history. Undefined: no history is sent. */
  homeAssistant:
    environment.HOME_ASSISTANT_URL === undefined || environment.HOME_ASSISTANT_TOKEN === undefined
      ? undefined
      : { url: environment.HOME_ASSISTANT_URL, token: environment.HOME_ASSISTANT_TOKEN },
  /** Scheduled backups. Undefined without a folder for them. */
  backup: backupOf(environment),
  /** Hosts whose private addresses people's messages may be sent to, each with a port or not. */
  privateHosts: environment.ALLOWED_PRIVATE_HOSTS,
})

/** The settings by their variables, or the first mistake in them. */
export function readOperationSettings(
  given: Variables,
): OperationSettings | { readonly wrong: OperationSetting; readonly message: string } {
  const parsed = OperationSchema.safeParse(given)
  if (parsed.success) return operationOf(parsed.data)
  const [issue] = parsed.error.issues
  const wrong = OperationSchema.keyof().parse(issue?.path[0])
  return { wrong, message: issue?.message ?? "is not valid" }
}

const backupOf = (environment: OperationEnvironment): BackupSchedule | undefined =>
  environment.BACKUP_DIR === undefined
    ? undefined
    : {
        directory: resolve(environment.BACKUP_DIR),
        keep: environment.BACKUP_KEEP,
        everyHours: environment.BACKUP_EVERY_HOURS,
        hasSecret: environment.BACKUP_WITH_SECRET === "yes",
      }

const identityProvidersOf = (environment: Environment): IdentityProviderConfig[] =>
  (["google", "apple"] as const).flatMap((provider) => {
    const prefix = provider === "google" ? "GOOGLE" : "APPLE"
    const clientId = environment[`${prefix}_CLIENT_ID` as const]
    const clientSecret = environment[`${prefix}_CLIENT_SECRET` as const]
    if (clientId === undefined || clientSecret === undefined) return []
    return [{ provider, issuer: environment[`${prefix}_ISSUER` as const], clientId, clientSecret }]
  })
