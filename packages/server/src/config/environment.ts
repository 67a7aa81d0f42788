/** The environment variables beside those of vendors: bounds, defaults, and the messages for invalid values. */
import { isIP } from "node:net"
import { AppCredentialSchema } from "@restwell/client"
import { SECRET_LENGTH } from "@restwell/core"
import { z } from "zod"
import { readPrivateHost } from "../network/private-hosts.ts"
import { folder } from "./folder.ts"

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const

const MAKE_SECRET = "make one with: openssl rand -base64 32"

const anyWholeNumber = (min: number, max: number, example: number) => {
  const error = `must be a whole number from ${min} to ${max}, like ${example}`
  return z
    .string()
    .regex(/^\d{1,9}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
}

export const wholeNumber = (min: number, max: number, standard: number) =>
  anyWholeNumber(min, max, standard).default(standard)

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

/** Scheme, host and port, without a slash at the end or a default port. */
export const origin = z
  .string()
  .refine(isOrigin, {
    error: "must be an http or https address without a path, like https://restwell.example.com",
    abort: true,
  })
  .transform((text) => new URL(text).origin)

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` })

/** Former secrets, separated by commas or white space. A JSON array, if a secret contains these. */
const secrets = z
  .string()
  .transform(listOf)
  .refine((list) => list.every((secret) => secret.length >= SECRET_LENGTH), {
    error: `must be secrets of at least ${SECRET_LENGTH} characters each, separated by commas`,
  })

function listOf(text: string): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text))
  } catch {
    return text.split(/[\s,]+/).filter((secret) => secret !== "")
  }
}

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(text)

/** Hosts of the home network, separated by commas or white space. */
export const privateHosts = z.string().transform((text, context) => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "")
  const hosts = entries.map(readPrivateHost).filter((host) => host !== undefined)
  if (hosts.length < entries.length)
    context.addIssue(
      "must be hosts or addresses separated by commas, each with a port or not, like homeassistant.local:8123,192.168.1.20",
    )
  return [...new Set(hosts)]
})

const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)

/** Ranges that Fastify knows by name. @see https://fastify.dev/docs/latest/Reference/Server/#trustproxy */
const RANGES = ["loopback", "linklocal", "uniquelocal"]

const isRange = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/")
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (rest.length > 0 || longest < 0) return RANGES.includes(text)
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

/** A number of proxies in a row. More than a few are a mistake. */
const HOPS = /^(?:[1-9]|[12]\d|3[0-2])$/

const isTrust = (text: string): boolean =>
  text === "true" || text === "false" || HOPS.test(text) || text.split(",").every((part) => isRange(part.trim()))

/** True trusts everybody, false nobody, a number that many proxies in a row, text the proxies at these addresses. */
const trust = z
  .string()
  .refine(isTrust, {
    error:
      "must be true, false, a number of proxies from 1 to 32, or their addresses separated by commas, like 10.0.0.0/8,127.0.0.1",
    abort: true,
  })
  .transform((text) => (HOPS.test(text) ? Number(text) : text === "true" || text === "false" ? text === "true" : text))

const isSmtpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ""
}

const isMqttUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^mqtts?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    /^\/?$/.test(url.pathname) &&
    url.search === ""
  )
}

/** A user or a password of an address is percent-encoded. RFC 3986 2.1, 3.2.1 */
function hasReadableUser(text: string): boolean {
  const { username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

const SENDER_ERROR = "must be an address, like restwell@example.com or Restwell <restwell@example.com>"

/** An address, with a name before it or not. */
const sender = z
  .string()
  .regex(/^(?:[^<>\p{C}]+<[^<>\s]+>|[^<>\s]+)$/u, { error: SENDER_ERROR, abort: true })
  .transform((text) => {
    const [, name = "Restwell", address = text] = /^\s*([^<]*?)\s*<(.+)>$/.exec(text) ?? []
    return { name: name.replace(/^"(.*)"$/, "$1") || "Restwell", address }
  })
  .refine(({ address }) => z.email().safeParse(address).success, { error: SENDER_ERROR })

export const EnvironmentSchema = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: z
    .string()
    .refine(isHost, { error: "must be an IP address or host name to listen on, like 0.0.0.0" })
    .default("127.0.0.1"),
  BASE_URL: origin.optional(),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, { error: "must be like postgres://user:password@host:5432/database" })
    .optional(),
  DATABASE_POOLER: oneOf(["auto", "transaction", "none"]).default("auto"),
  DATA_DIR: folder.default("./data"),
  BACKUP_DIR: folder.optional(),
  BACKUP_KEEP: wholeNumber(1, 10_000, 7),
  BACKUP_EVERY_HOURS: wholeNumber(1, 8_760, 24),
  BACKUP_WITH_SECRET: oneOf(["yes", "no"]).default("yes"),
  IMPORT_DIR: folder.optional(),
  IMPORT_MAX_MB: wholeNumber(1, 65_536, 4096),
  IMPORT_PERSON_MB: wholeNumber(1, 1_048_576, 8192),
  ANSWER_CACHE_MB: wholeNumber(0, 65_536, 64),
  RESTWELL_SECRET: z
    .string()
    .min(SECRET_LENGTH, { error: `must be at least ${SECRET_LENGTH} characters, ${MAKE_SECRET}` })
    .optional(),
  RESTWELL_FORMER_SECRETS: secrets.default([]),
  GOOGLE_CLIENT_ID: AppCredentialSchema.optional(),
  GOOGLE_CLIENT_SECRET: AppCredentialSchema.optional(),
  GOOGLE_ISSUER: origin.default("https://accounts.google.com"),
  APPLE_CLIENT_ID: AppCredentialSchema.optional(),
  APPLE_CLIENT_SECRET: AppCredentialSchema.optional(),
  APPLE_ISSUER: origin.default("https://appleid.apple.com"),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, { error: "must be like smtps://user:password@mail.example.com or smtp://mail.example.com:587" })
    .optional(),
  MAIL_FROM: sender.optional(),
  ALLOWED_PRIVATE_HOSTS: privateHosts.default([]),
  MQTT_URL: z
    .string()
    .refine(isMqttUrl, {
      error: "must be like mqtt://user:password@192.168.1.20 or mqtts://mqtt.example.com:8883",
      abort: true,
    })
    .refine(hasReadableUser, { error: "must have a % of the user or the password written as %25" })
    .optional(),
  HOME_ASSISTANT_URL: origin.optional(),
  HOME_ASSISTANT_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: "must be a long-lived access token, as Home Assistant shows it" })
    .optional(),
  FREE_MONTHLY_REQUESTS: wholeNumber(0, 999_999_999, 1000),
  PRO_MONTHLY_REQUESTS: wholeNumber(0, 999_999_999, 50_000),
  LOG_LEVEL: oneOf(LOG_LEVELS).default("info"),
  LOG_FORMAT: oneOf(["auto", "json"]).default("auto"),
  SIGN_UP: oneOf(["open", "closed"]).default("closed"),
  SHARED_VENDOR_ACCOUNTS: oneOf(["refuse", "allow"]).default("refuse"),
  ACCESS_TOKEN_SECONDS: wholeNumber(60, 86_400, 3_600),
  CONNECTOR_MIXED_ERA: oneOf(["on", "off"]).default("on"),
  TRUST_PROXY: trust.default(false),
  MAX_CONNECTIONS: wholeNumber(10, 1_000_000, 10_000),
  METRICS_PORT: anyWholeNumber(1, 65_535, 9464).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, { error: "must be plain characters, as a header takes them" })
    .min(SECRET_LENGTH, { error: `must be at least ${SECRET_LENGTH} characters, ${MAKE_SECRET}` })
    .optional(),
})

export type Environment = z.infer<typeof EnvironmentSchema>

/** Variables that are set. An empty one counts as unset. */
export type Variables = Readonly<Record<string, string>>

/** A line for each invalid value. @param prefix of the names that the error has */
export function wrongValues(error: z.ZodError | undefined, given: Variables, prefix = ""): string[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const name = prefix + path.join(".")
    const value = given[name] ?? ""
    return `${name} ${message}${mayHoldSecret(name, value) ? "" : `, not ${JSON.stringify(value)}`}`
  })
}

const mayHoldSecret = (name: string, value: string): boolean =>
  /SECRET|TOKEN|DATABASE|SMTP|MQTT/.test(name) || value.includes("@")

/** A line if two listeners would share a port. */
export const samePorts = ({ PORT = "3000", METRICS_PORT }: Variables): string[] =>
  METRICS_PORT === undefined || Number(METRICS_PORT) !== Number(PORT)
    ? []
    : [`METRICS_PORT must be another port than PORT, which is ${PORT}`]

/** A line for each variable that is missing beside another one. */
export const missing = (given: Variables): string[] => [
  ...needs(given, "RESTWELL_SECRET", "DATABASE_URL", `, ${MAKE_SECRET}`),
  ...needs(given, "MAIL_FROM", "SMTP_URL", ", the address that emails come from"),
  ...needs(given, "SMTP_URL", "MAIL_FROM", ", the mail server that sends them"),
  ...needs(given, "HOME_ASSISTANT_TOKEN", "HOME_ASSISTANT_URL", ", a long-lived access token of an administrator"),
  ...needs(given, "HOME_ASSISTANT_URL", "HOME_ASSISTANT_TOKEN", ", where Home Assistant is"),
  ...["GOOGLE", "APPLE"].flatMap((provider) => [
    ...needs(given, `${provider}_CLIENT_SECRET`, `${provider}_CLIENT_ID`),
    ...needs(given, `${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`),
  ]),
]

/** A line if a variable is missing beside another one. */
export const needs = (given: Variables, name: string, other: string, hint = ""): string[] =>
  other in given && !(name in given) ? [`${name} is required with ${other}${hint}`] : []
