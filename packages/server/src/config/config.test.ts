import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { loadConfig } from "./config.ts"
import { ConfigError } from "./config-errors.ts"

const SECRET = "s3cret-of-more-than-thirty-two-characters"

function mistakes(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

/** They need no app, so they are always there. */
const INTERVALS = ["intervals", { baseUrl: "https://intervals.icu", callsPerMinute: 160, callsPerDay: 5_000 }] as const
const ULTRAHUMAN = [
  "ultrahuman",
  { baseUrl: "https://partner.ultrahuman.com", callsPerMinute: 60, callsPerDay: 5_000 },
] as const
const NOTHING_SET = {
  vendorEnvironment: {},
  operationEnvironment: {},
  privateHosts: [],
  identityProviders: [],
  vendors: new Map<string, unknown>([INTERVALS, ULTRAHUMAN]),
}
test("an empty environment is a valid configuration", () => {
  expect(loadConfig({ PATH: "/bin", PORT: "", BASE_URL: undefined })).toEqual({
    role: "all",
    host: "127.0.0.1",
    port: 3000,
    baseUrl: "http://localhost:3000",
    isAddressSet: false,
    databaseUrl: undefined,
    databasePooler: "auto",
    dataDir: "./data",
    importMaxBytes: 4_294_967_296,
    importPersonBytes: 8_589_934_592,
    answerCacheBytes: 64 * 1_048_576,
    secret: undefined,
    formerSecrets: [],
    plans: { free: 1000, pro: 50_000 },
    logLevel: "info",
    ...NOTHING_SET,
    signUp: "closed",
    ...{ logFormat: "auto", accessTokenSeconds: 3_600, takesMixedVersions: true, trustProxy: false },
    sharedVendorAccounts: "refuse",
    maxConnections: 10_000,
    metricsPort: undefined,
    metricsToken: undefined,
  })
})

const AT_HOME = {
  MQTT_URL: "mqtt://restwell:p@192.168.1.20",
  HOME_ASSISTANT_URL: "http://192.168.1.20:8123/",
  HOME_ASSISTANT_TOKEN: "a-long-lived-token",
  ALLOWED_PRIVATE_HOSTS: "Hook.local:8080, 192.168.1.20",
}

test("reads every setting", () => {
  const config = loadConfig(
    {
      PORT: "8080",
      HOST: "::",
      BASE_URL: "https://Rest.example.com:443/",
      DATABASE_URL: "postgres://restwell:p@db:5432/restwell",
      DATA_DIR: "/data",
      ANSWER_CACHE_MB: "3",
      RESTWELL_SECRET: SECRET,
      RESTWELL_FORMER_SECRETS: `${"f".repeat(32)},${"g".repeat(32)}  ${"h".repeat(40)},`,
      WHOOP_CLIENT_ID: "id",
      WHOOP_CLIENT_SECRET: "secret",
      WHOOP_BASE_URL: "http://127.0.0.1:4000",
      GOOGLE_CLIENT_ID: "google-id",
      GOOGLE_CLIENT_SECRET: "google-secret",
      APPLE_CLIENT_ID: "apple-id",
      APPLE_CLIENT_SECRET: "apple-secret",
      APPLE_ISSUER: "http://127.0.0.1:5000",
      WHOOP_CALLS_PER_MINUTE: "10",
      WHOOP_CALLS_PER_DAY: "20",
      FREE_MONTHLY_REQUESTS: "0",
      PRO_MONTHLY_REQUESTS: "7",
      LOG_LEVEL: "debug",
      SIGN_UP: "open",
      ...AT_HOME,
      LOG_FORMAT: "json",
      CONNECTOR_MIXED_ERA: "off",
      TRUST_PROXY: "10.0.0.0/8, ::1,loopback",
      SHARED_VENDOR_ACCOUNTS: "allow",
      MAX_CONNECTIONS: "500",
      METRICS_PORT: "9464",
      METRICS_TOKEN: "t".repeat(32),
    },
    "worker",
  )
  expect(config).toEqual({
    role: "worker",
    host: "::",
    port: 8080,
    baseUrl: "https://rest.example.com",
    isAddressSet: true,
    vendorEnvironment: expect.objectContaining({ WHOOP_CLIENT_ID: "id" }),
    operationEnvironment: { SIGN_UP: "open", ...AT_HOME },
    mqttUrl: "mqtt://restwell:p@192.168.1.20",
    homeAssistant: { url: "http://192.168.1.20:8123", token: "a-long-lived-token" },
    privateHosts: ["hook.local:8080", "192.168.1.20"],
    databaseUrl: "postgres://restwell:p@db:5432/restwell",
    databasePooler: "auto",
    dataDir: "/data",
    importMaxBytes: 4_294_967_296,
    importPersonBytes: 8_589_934_592,
    answerCacheBytes: 3 * 1_048_576,
    secret: SECRET,
    formerSecrets: ["f".repeat(32), "g".repeat(32), "h".repeat(40)],
    plans: { free: 0, pro: 7 },
    logLevel: "debug",
    signUp: "open",
    ...{ logFormat: "json", accessTokenSeconds: 3_600, takesMixedVersions: false },
    trustProxy: "10.0.0.0/8, ::1,loopback",
    sharedVendorAccounts: "allow",
    maxConnections: 500,
    metricsPort: 9464,
    metricsToken: "t".repeat(32),
    identityProviders: [
      {
        provider: "google",
        clientId: "google-id",
        clientSecret: "google-secret",
        issuer: "https://accounts.google.com",
      },
      { provider: "apple", clientId: "apple-id", clientSecret: "apple-secret", issuer: "http://127.0.0.1:5000" },
    ],
    vendors: new Map<string, unknown>([
      [
        "whoop",
        {
          app: { clientId: "id", clientSecret: "secret" },
          baseUrl: "http://127.0.0.1:4000",
          callsPerMinute: 10,
          callsPerDay: 20,
        },
      ],
      INTERVALS,
      ULTRAHUMAN,
    ]),
  })
})

test("every vendor has settings of its own, and Oura's say which portal the app belongs to", () => {
  const app = { OURA_CLIENT_ID: "id", OURA_CLIENT_SECRET: "secret" }
  const { vendors } = loadConfig({ ...app, OURA_PORTAL: "legacy" })
  expect(vendors).toEqual(
    new Map<string, unknown>([
      [
        "oura",
        {
          app: { clientId: "id", clientSecret: "secret", portal: "legacy" },
          baseUrl: "https://api.ouraring.com",
          callsPerMinute: 1000,
          callsPerDay: 1_440_000,
        },
      ],
      INTERVALS,
      ULTRAHUMAN,
    ]),
  )
  expect(loadConfig({ INTERVALS_BASE_URL: "http://127.0.0.1:4000" }).vendors.get("intervals")?.baseUrl).toBe(
    "http://127.0.0.1:4000",
  )
  expect(mistakes({ INTERVALS_CLIENT_ID: "id" })).toEqual([
    expect.stringMatching(/^INTERVALS_CLIENT_ID is not a setting/),
  ])
  expect(loadConfig(app).vendors.get("oura")?.app?.portal).toBe("current")
  expect(mistakes({ OURA_CLIENT_ID: "id" })).toEqual([
    "OURA_CLIENT_SECRET is required with OURA_CLIENT_ID, both are on your app's page at developer.ouraring.com/applications",
  ])
  expect(mistakes({ WHOOP_PORTAL: "legacy" })).toEqual([expect.stringMatching(/^WHOOP_PORTAL is not a setting/)])
})

test("former secrets with commas or spaces in them are given as a JSON array", () => {
  const former = ["a passphrase, with commas and spaces", "another one that is just as long as it"]
  expect(loadConfig({ RESTWELL_FORMER_SECRETS: JSON.stringify(former) }).formerSecrets).toEqual(former)
})

test("the base URL follows the port when it is not set", () => {
  expect(loadConfig({ PORT: "8080" }).baseUrl).toBe("http://localhost:8080")
  expect(loadConfig({ PORT: "0" }).baseUrl).toBeUndefined()
  expect(loadConfig({ PORT: "0", BASE_URL: "https://rest.example" }).baseUrl).toBe("https://rest.example")
})

test("lists all mistakes at once, each with the given value, the valid values and an example", () => {
  const all = mistakes({
    PORT: "80a",
    BASE_URL: "https://example.com/restwell",
    LOG_LEVEL: "loud",
    WHOOP_CLIENT_ID: "id",
    DATABASE_URL: "mysql://db",
    FREE_MONTHLY: "5",
  })
  expect(all).toEqual([
    'PORT must be a whole number from 0 to 65535, like 3000, not "80a"',
    'BASE_URL must be an http or https address without a path, like https://restwell.example.com, not "https://example.com/restwell"',
    "DATABASE_URL must be like postgres://user:password@host:5432/database",
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
    "RESTWELL_SECRET is required with DATABASE_URL, make one with: openssl rand -base64 32",
    "WHOOP_CLIENT_SECRET is required with WHOOP_CLIENT_ID, both are on your app's page at developer-dashboard.whoop.com",
    "FREE_MONTHLY is not a setting, did you mean FREE_MONTHLY_REQUESTS",
  ])
  expect(new ConfigError(all).message).toMatch(/^the settings have 7 mistakes:\n- PORT must/)
})

test.each([
  ["PORT", ["65536", "-1", "3000.5", "1e3", " 3000"]],
  ["HOST", ["http://0.0.0.0", "localhost:3000", "a b", "-"]],
  ["BASE_URL", ["restwell.example.com", "ftp://a.example", "https://a.example/?x", "https://a.example/#x", "https://"]],
  ["DATABASE_URL", ["localhost", "postgres:", "http://db"]],
  ["RESTWELL_SECRET", ["x".repeat(31)]],
  [
    "RESTWELL_FORMER_SECRETS",
    ["x".repeat(31), `${"x".repeat(32)},short`, `${"x".repeat(16)} ${"x".repeat(16)}`, '["short"]'],
  ],
  ["WHOOP_BASE_URL", ["https://user:pass@api.example", "whoop"]],
  ["WHOOP_CALLS_PER_MINUTE", ["0", "none"]],
  ["OURA_BASE_URL", ["api.ouraring.com", "https://api.ouraring.com/v2"]],
  ["OURA_PORTAL", ["new", "Legacy"]],
  ["FREE_MONTHLY_REQUESTS", ["-5", "1000000000"]],
  ["LOG_FORMAT", ["text", "JSON"]],
  ["LOG_LEVEL", ["INFO", "verbose"]],
  ["SIGN_UP", ["yes", "Open"]],
  ["DATA_DIR", ["~ada/data", "~~"]],
  ["BACKUP_DIR", ["~ada", "~backups/x"]],
  ["ANSWER_CACHE_MB", ["-1", "many", "1.5"]],
  [
    "TRUST_PROXY",
    ["yes", "10.0.0.0/33", "10.0.0.0/8/8", "proxy.example", "::1/129", ",", "0", "33", "-1", "1.5", "1,2"],
  ],
  ["MAX_CONNECTIONS", ["0", "9", "1000001", "many"]],
  ["METRICS_PORT", ["0", "65536", "x", "3000"]],
  ["METRICS_TOKEN", ["x".repeat(31), "ü".repeat(32), `${"x".repeat(32)}\n`]],
])("%s refuses invalid values", (name, values) => {
  for (const value of values)
    expect(mistakes({ RESTWELL_SECRET: SECRET, [name]: value }), value).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be `)),
    ])
})

test.each(["true", "false", "1", "32", "loopback", "127.0.0.1", "fc00::/7", "10.0.0.0/8,192.168.1.1"])(
  "TRUST_PROXY takes %s",
  (value) => {
    expect(mistakes({ TRUST_PROXY: value })).toEqual([])
  },
)

test("a % in the user or the password of a broker is written as %25", () => {
  for (const url of ["mqtt://me:50%off@192.168.1.20", "mqtt://50%off:p@192.168.1.20", "mqtts://me:%ff@mqtt.example"])
    expect(mistakes({ MQTT_URL: url })).toEqual(["MQTT_URL must have a % of the user or the password written as %25"])
  expect(mistakes({ MQTT_URL: "mqtt://50%25:50%25off@192.168.1.20" })).toEqual([])
})

test("a ~ at the beginning of a folder is the home of the user who starts Restwell", () => {
  const foldersOf = (path: string) => {
    const { dataDir, backup } = loadConfig({ DATA_DIR: path, BACKUP_DIR: path })
    return [resolve(dataDir), backup?.directory]
  }
  for (const [path, meant] of [
    ["~", homedir()],
    ["~/", homedir()],
    ["~/a/~b", join(homedir(), "a/~b")],
    ["/a/~/b", "/a/~/b"],
    ["./~a", resolve("~a")],
    ["a~", resolve("a~")],
  ] as const)
    expect(foldersOf(path).map((folder) => folder?.replace(/\/$/, ""))).toEqual([meant, meant])
})

test("either half of a vendor's credentials without the other is a mistake", () => {
  expect(mistakes({ GOOGLE_CLIENT_ID: "x" })).toEqual([expect.stringMatching(/^GOOGLE_CLIENT_SECRET is required/)])
  expect(mistakes({ APPLE_CLIENT_SECRET: "x" })).toEqual([expect.stringMatching(/^APPLE_CLIENT_ID is required/)])
  expect(mistakes({ WHOOP_CLIENT_SECRET: "x" })).toEqual([expect.stringMatching(/^WHOOP_CLIENT_ID is required/)])
  expect(mistakes({ WHOOP_CLIENT_ID: "x", WHOOP_CLIENT_SECRET: "" })).toEqual([
    expect.stringMatching(/^WHOOP_CLIENT_SECRET is required/),
  ])
})

test("no message contains a secret", () => {
  const secret = "hunter2"
  const text = mistakes({
    RESTWELL_SECRET: secret,
    RESTWELL_FORMER_SECRETS: secret,
    DATABASE_URL: `mysql://restwell:${secret}@db/restwell`,
    WHOOP_BASE_URL: `https://id:${secret}@api.example`,
    WHOOP_SECRET: secret,
  }).join("\n")
  expect(text.split("\n")).toHaveLength(5)
  expect(text).not.toContain(secret)
})

test("does everything without a role", () => {
  expect(loadConfig({}).role).toBe("all")
})
