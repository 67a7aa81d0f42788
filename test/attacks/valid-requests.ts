import { ALL_SCOPES, pkce, REDIRECT_URI } from "@restwell/testing/assistant"
import type { AttackedRoute } from "./service-routes.ts"

export type Credential = "none" | "key" | "session" | "token" | "phone"

/** What a valid request to a route has, so that a hostile value in one field passes the checks of the others. */
export interface Sample {
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The variable part of the path. */
  readonly segment?: string
  readonly credential?: Credential
}

/** Replaced by the sender: what exists only once the service runs. */
export const PLACEHOLDERS = {
  authorizationId: "AUTHORIZATION-ID",
  clientId: "CLIENT-ID",
  resource: "RESOURCE",
  formToken: "FORM-TOKEN",
  refreshToken: "REFRESH-TOKEN",
} as const

const { authorizationId, clientId, resource, formToken, refreshToken } = PLACEHOLDERS

const credential = (response: object) => ({
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  authenticatorAttachment: "platform",
  clientExtensionResults: {},
  response: { clientDataJSON: "e30", ...response },
})

const own: Sample = { credential: "session" }
const vendor: Sample = { segment: "whoop", credential: "session" }
const consent: Sample = { segment: authorizationId, credential: "session" }
const health = {
  type: "sleep",
  days: "7",
  start_date: "2026-11-01",
  end_date: "2026-11-10",
  fields: "date,asleep_hours",
  format: "csv",
}
const dates = { days: "30", start_date: "2026-11-01", end_date: "2026-11-10", source: "whoop" }
const samples = { type: "heart_rate", resolution: "1h", start: "2026-11-01T00:00:00Z", end: "2026-11-02T00:00:00Z" }
const trend = { metric: "hrv", by: "week", points: "true", top: "3", ...dates }
const comparison = { metric: "hrv", with_start_date: "2026-10-01", with_end_date: "2026-10-10", ...dates }
const relation = { outcome: "hrv", factor: "strain", lag: "1", ...dates }
const authorization = {
  client_id: clientId,
  redirect_uri: REDIRECT_URI,
  response_type: "code",
  code_challenge: pkce().challenge,
  code_challenge_method: "S256",
  scope: ALL_SCOPES,
  state: "a state",
  nonce: "a nonce",
  prompt: "login",
  max_age: "60",
  login_hint: "ada@example.com",
  id_token_hint: "e30.e30.e30",
  ui_locales: "de",
  acr_values: "x",
  claims: "{}",
  request: "e30.e30.e30",
  request_uri: "https://assistant.example/request",
  response_mode: "query",
  resource,
}
const tokenRequest = {
  grant_type: "refresh_token",
  refresh_token: refreshToken,
  client_id: clientId,
  code: "x",
  code_verifier: pkce().verifier,
  redirect_uri: REDIRECT_URI,
  scope: ALL_SCOPES,
  resource,
}
const registration = {
  client_name: "An assistant",
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  scope: ALL_SCOPES,
  client_uri: "https://assistant.example",
  logo_uri: "https://assistant.example/logo.png",
  contacts: ["ada@example.com"],
  software_id: "x",
  jwks: { keys: [] },
  default_max_age: 60,
}
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_sleep", arguments: { days: 7, start_date: "2026-11-01", end_date: "2026-11-10" } },
}
const event = { user_id: 10_001, id: "550e8400-e29b-41d4-a716-446655440000", type: "sleep.updated", trace_id: "x" }
const identityCallback = { segment: "google", query: { state: "x", code: "x", error: "x", iss: "x" } }
const signUp = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" }

const pushedRow = {
  type: "heart_rate",
  start: "2026-11-01T06:00:00+01:00",
  value: 60,
  unit: "bpm",
  source: "Watch",
  id: "x",
}
const pushedNight = {
  sleepStart: "2026-11-01 23:00:00 +0100",
  sleepEnd: "2026-11-02 07:00:00 +0100",
  totalSleep: 7,
  core: 4,
  deep: 1,
  rem: 2,
  awake: 0.5,
  inBed: 7.6,
  source: "Watch",
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  "GET /api/v1/health": { query: health, credential: "key" },
  "GET /api/account/health": { query: health, ...own },
  "DELETE /api/account": { json: { password: "x" }, ...own },
  "DELETE /api/account/assistants/:id": { segment: "9b2d7b0c-0000-4000-8000-000000000000", ...own },
  "GET /api/account/keys": own,
  "POST /api/account/keys": {
    json: { name: "A key", types: ["sleep"], days: 30, expires_at: "2030-01-01" },
    ...own,
  },
  "GET /api/account/webhooks": own,
  "POST /api/account/webhooks": {
    json: { url: "https://example.com/hook", events: ["sleep.scored"], include_figures: true },
    ...own,
  },
  "DELETE /api/account/webhooks/:id": { segment: "9b2d7b0c-0000-4000-8000-000000000000", ...own },
  "POST /api/account/webhooks/:id/test": { segment: "9b2d7b0c-0000-4000-8000-000000000000", ...own },
  "POST /api/account/webhooks/:id/secret": { segment: "9b2d7b0c-0000-4000-8000-000000000000", ...own },
  "GET /api/account/webhooks/:id/deliveries": { segment: "9b2d7b0c-0000-4000-8000-000000000000", ...own },
  "POST /api/account/webhooks/:id/deliveries/:delivery/redeliver": {
    segment: "9b2d7b0c-0000-4000-8000-000000000000",
    ...own,
  },
  "DELETE /api/account/keys/:id": { segment: "9b2d7b0c-0000-4000-8000-000000000000", ...own },
  "GET /api/account/push-subscriptions": own,
  "POST /api/account/push-subscriptions": {
    json: {
      endpoint: "https://push.example/send/1",
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
    },
    ...own,
  },
  "DELETE /api/account/push-subscriptions/:id": { segment: "5d41402a-bc4b-2a76-b971-9d911017c592", ...own },
  "GET /api/account/access-log": { query: { before: "100" }, ...own },
  "GET /api/account/security-log": { query: { before: "100" }, ...own },
  "PUT /api/account/sources": {
    json: { order: { sleep: ["oura", "whoop"] }, choices: [{ type: "sleep", date: "2026-11-10", source: "whoop" }] },
    ...own,
  },
  "GET /api/account/trends": { query: { days: "30" }, ...own },
  "GET /api/v1/metrics": { query: { source: "whoop" }, credential: "key" },
  "GET /api/v1/trend": { query: trend, credential: "key" },
  "GET /api/v1/compare": { query: comparison, credential: "key" },
  "GET /api/v1/relate": { query: relation, credential: "key" },
  "GET /api/v1/series": { query: samples, credential: "key" },
  "GET /api/account/series": { query: samples, ...own },
  "GET /api/v1/sources": { credential: "key" },
  "GET /api/v1/journal": { query: dates, credential: "key" },
  "GET /api/v1/sports": { query: { days: "90", sport: "running" }, credential: "key" },
  "GET /api/v1/signs": { query: { days: "7" }, credential: "key" },
  "GET /api/account/sports": { query: { days: "90", sport: "running" }, ...own },
  "GET /api/v1/day": { query: { rows: "7" }, credential: "key" },
  "GET /api/account/day": { query: { rows: "7" }, ...own },
  "GET /api/account/signs": { query: { days: "7" }, ...own },
  "GET /api/account/metrics": { query: { source: "whoop" }, ...own },
  "GET /api/account/trend": { query: trend, ...own },
  "GET /api/account/compare": { query: comparison, ...own },
  "GET /api/account/relate": { query: relation, ...own },
  "GET /api/account/journal": { query: { days: "30" }, ...own },
  "GET /api/account/journal/factors": own,
  "GET /api/account/journal/:date": { segment: "2026-11-10", ...own },
  "PUT /api/account/journal/:date": {
    segment: "2026-11-10",
    json: {
      answers: [
        { factor: "alcohol", answer: true, value: 2 },
        { factor: "own:pizza night", title: "Pizza night", answer: false },
      ],
      note: "A late flight",
    },
    ...own,
  },
  "GET /api/account/notifications": own,
  "PUT /api/account/notifications": {
    json: {
      briefing: { enabled: true, earliest: "06:30", channels: ["email"] },
      rules: [
        { id: "low", kind: "limit", metric: "hrv", direction: "below", limit: 30, channels: ["ntfy"], enabled: true },
        { kind: "unusual", metric: "resting_heart_rate", mornings: 2, channels: ["push"], enabled: true },
        { kind: "missing", at: "11:00", channels: ["webhook"], enabled: false },
      ],
      quiet: { start: "22:00", end: "06:30" },
      ntfy: { url: "https://ntfy.example/topic", token: "tk_3f0c2b1a9d55" },
      home_assistant: false,
    },
    ...own,
  },
  "POST /api/account/notifications/preview": {
    json: { rule: { kind: "limit", metric: "hrv", direction: "below", limit: 30, channels: [], enabled: true } },
    ...own,
  },
  "GET /api/account/preferences": own,
  "PUT /api/account/preferences": {
    json: {
      units: "imperial",
      clock: "12h",
      first_weekday: "sunday",
      days_off: ["friday", "saturday"],
      time_zone: "America/New_York",
      trend_cards: ["hrv", "asleep"],
      hidden_cards: ["steps"],
      no_main_device: true,
      suggested: true,
    },
    ...own,
  },
  "GET /api/account/export": { query: { format: "csv", type: "sleep" }, ...own },
  "POST /api/ingest/records": {
    json: {
      records: [pushedRow, { ...pushedRow, type: "steps", end: "2026-11-01T06:10:00+01:00" }],
      series: [
        {
          type: "heart_rate",
          source: "Watch",
          start: "2026-11-01T06:00:00Z",
          offsets_seconds: [0, 5],
          values: [60, null],
        },
      ],
    },
    credential: "phone",
  },
  "POST /api/ingest/health-auto-export": {
    json: {
      data: {
        metrics: [
          { name: "sleep_analysis", units: "hr", data: [pushedNight] },
          {
            name: "heart_rate",
            units: "count/min",
            data: [{ Min: 50, Avg: 60, Max: 70, date: "2026-11-01 06:00:00 +0100" }],
          },
        ],
        workouts: [{ name: "Run", start: "2026-11-01 06:00:00 +0100", end: "2026-11-01 07:00:00 +0100" }],
      },
    },
    credential: "phone",
  },
  "POST /api/auth/sign-up/email": { json: signUp },
  "POST /api/auth/sign-in/email": { json: { email: "ada@example.com", password: "x" } },
  "POST /api/auth/change-password": {
    json: { currentPassword: "x", newPassword: "a new password", revokeOtherSessions: false },
    ...own,
  },
  "POST /api/auth/set-password": { json: { newPassword: "a new password" }, ...own },
  "POST /api/auth/sign-in/code": { json: { code: "123456" } },
  "POST /api/auth/two-factor": { json: { password: "x" }, ...own },
  "POST /api/auth/two-factor/confirm": { json: { code: "123456" }, ...own },
  "POST /api/auth/two-factor/turn-off": { json: { password: "x", code: "123456" }, ...own },
  "POST /api/auth/two-factor/recovery-codes": { json: { password: "x", code: "123456" }, ...own },
  "POST /api/auth/sign-in/passkey": {
    json: { response: credential({ authenticatorData: "AAAA", signature: "AAAA", userHandle: "AAAA" }) },
  },
  "POST /api/auth/passkeys/options": {
    json: { passkey: credential({ authenticatorData: "AAAA", signature: "AAAA", userHandle: "AAAA" }) },
    ...own,
  },
  "DELETE /api/auth/passkeys/:id": { json: { password: "not the password" }, ...own },
  "POST /api/auth/passkeys": {
    json: { name: "phone", response: credential({ attestationObject: "AAAA", transports: ["usb"] }) },
    ...own,
  },
  "GET /api/auth/sign-in/:provider": { segment: "google", query: { next: "/oauth/consent/x" } },
  "GET /api/auth/callback/:provider": identityCallback,
  "POST /api/auth/callback/:provider": { ...identityCallback, form: { ...identityCallback.query, user: "{}" } },
  "GET /api/connections/:provider/authorize": vendor,
  "GET /api/connections/:provider/callback": { ...vendor, query: { state: "x", code: "x", error: "x", scope: "x" } },
  "PUT /api/connections/:provider/credential": { segment: "intervals", json: { key: "2w0vk4rq1c8m6x9z3p5t7y" } },
  "DELETE /api/connections/:provider": { ...vendor, query: { data: "kept" } },
  "GET /api/webhooks/:provider": { segment: "oura", query: { verification_token: "x", challenge: "x" } },
  "POST /api/webhooks/:provider": { segment: "whoop", json: event },
  "POST /api/mcp/oauth": { json: call, credential: "token" },
  "POST /api/mcp/oauth/": { json: call, credential: "token" },
  "GET /oauth/authorize": { query: authorization },
  "GET /oauth/authorize/:id": consent,
  "POST /oauth/token": { form: tokenRequest },
  "POST /oauth/revoke": { form: { token: refreshToken, token_type_hint: "refresh_token", client_id: clientId } },
  "POST /oauth/register": { json: registration },
  "POST /oauth/consent/:id": {
    form: { token: formToken, decision: "allow", scope: "sleep:read", days: "7" },
    ...consent,
  },
  "POST /oauth/consent/:id/sign-out": { form: { token: formToken }, ...consent },
}

/** What a valid request to the route has. A route without a line here is one of the signed-in person, and takes nothing. */
export const sampleOf = ({ method, path }: Pick<AttackedRoute, "method" | "path">): Sample =>
  SAMPLES[`${method} ${path}`] ?? (path.includes(":provider") ? vendor : path.includes("/oauth/") ? consent : own)
