import { expect, test } from "vitest"
import { loadConfig } from "./config.ts"
import { ConfigError } from "./config-errors.ts"

function mistakes(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

test.each([
  ["WHOOP_CLIENTID", "WHOOP_CLIENT_ID"],
  ["WHOOP_SECRET", "WHOOP_CLIENT_SECRET"],
  ["OURA_SECRET", "OURA_CLIENT_SECRET"],
  ["OURA_PORTALS", "OURA_PORTAL"],
  ["RESTWELL_SECERT", "RESTWELL_SECRET"],
  ["RESTWELL_FORMER_SECRET", "RESTWELL_FORMER_SECRETS"],
  ["RESTWELL_PORT", "PORT"],
  ["PRO_MONTHLY_REQUEST", "PRO_MONTHLY_REQUESTS"],
  ["RESTWELL_BASE_URL", "BASE_URL"],
  ["RESTWELL_DATA_DIR", "DATA_DIR"],
  ["SIGNUP", "SIGN_UP"],
  ["sign_up", "SIGN_UP"],
  ["TRUSTPROXY", "TRUST_PROXY"],
  ["TRUST_PROXYS", "TRUST_PROXY"],
  ["BASEURL", "BASE_URL"],
  ["Base_Url", "BASE_URL"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["LOG_LEVL", "LOG_LEVEL"],
  ["DATADIR", "DATA_DIR"],
  ["DATABASEURL", "DATABASE_URL"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["ANSWER_CACHE", "ANSWER_CACHE_MB"],
  ["ANSWER_CASHE_MB", "ANSWER_CACHE_MB"],
  ["CONNECTOR_MIXEDERA", "CONNECTOR_MIXED_ERA"],
  ["GOOGLE_CLIENTID", "GOOGLE_CLIENT_ID"],
  ["APPLE_CLIENT_SECERT", "APPLE_CLIENT_SECRET"],
])("%s gets the hint %s", (given, meant) => {
  expect(mistakes({ [given]: "1" })).toEqual([`${given} is not a setting, did you mean ${meant}`])
})

/** Of shells, desktops, CI, Docker, Kubernetes, npm, databases and clouds. */
const OF_OTHERS =
  `HOSTNAME HOSTTYPE HOST_IP HOSTS PORTAL PORTS PORT_HTTP LOGNAME LOGS LOG LOG_DIR LOG_FILE LOGLEVEL_ROOT USER HOME PATH PWD OLDPWD
  SHELL TERM LANG LC_ALL DISPLAY SHLVL TMPDIR XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS SSH_CONNECTION SUDO_USER INVOCATION_ID JOURNAL_STREAM
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy ALL_PROXY CI CI_COMMIT_SHA GITHUB_TOKEN GITHUB_BASE_REF RUNNER_OS NODE_ENV NODE_OPTIONS
  NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE npm_config_loglevel npm_config_cache npm_config_user_agent npm_package_name npm_lifecycle_event INIT_CWD
  npm_config_registry npm_config_base_url DOCKER_HOST KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR DATABASE_SERVICE_HOST
  RESTWELL_SERVICE_HOST RESTWELL_SERVICE_PORT RESTWELL_SERVICE_PORT_HTTP RESTWELL_PORT_3000_TCP RESTWELL_PORT_3000_TCP_ADDR RESTWELL_DB_SERVICE_HOST
  POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_URL PGHOST PGPORT PGUSER PGDATABASE PGDATA DATABASE DATABASE_NAME DATABASE_HOST DB_URL
  MYSQL_DATABASE REDIS_URL BASE BASE_PATH BASE_DIR BASE_IMAGE URL API_URL PUBLIC_URL DATA DATA_PATH WORK_DIR APP_DIR SIGN SIGNING_KEY SINGUP_X
  GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GOOGLE_API_KEY APPLE_ID APPLE_TEAM_ID AWS_REGION TRUST_STORE PROXY RUST_LOG ISSUER RESTWELL_TEST_DATABASE_URL`.split(
    /\s+/,
  )

test.each(OF_OTHERS)("ignores %s, a variable of another program", (name) => {
  expect(mistakes({ [name]: "x" })).toEqual([])
})

test("ignores the address that Kubernetes gives of a service that is called restwell", () => {
  expect(mistakes({ RESTWELL_PORT: "tcp://10.96.0.7:3000" })).toEqual([])
})
