// What every vendor's adapter promises, against its simulator over HTTP: the whole way, and every way it can go wrong.
import type { FaultKind, RunningVendor } from "@restwell/simulator"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  AccessTokenRejected,
  AuthorizationRevoked,
  ContractViolation,
  type NormalizedRecord,
  type OauthAdapter,
  type OauthAdapterOptions,
  type Page,
  type PageRequest,
  pageThrough,
  RECORD_KINDS,
  type RecordKind,
  RequestRefused,
  type TokenSet,
  VendorUnavailable,
} from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"

export const CONTRACT_NOW = new Date("2026-11-19T12:00:00Z")
export const CONTRACT_DAYS = 60
const PERSON = "lena@example.com"

/** Short for a hanging vendor, and long enough that a request arrives on a busy machine. */
const TIMEOUT_MS = 400

/** How one vendor is tested. */
export interface VendorUnderTest<Vendor extends RunningVendor<unknown, object>> {
  readonly name: string
  /** Starts the simulator at {@link CONTRACT_NOW} with {@link CONTRACT_DAYS} of history, without limits, approving by itself. */
  start(): Promise<Vendor>
  createAdapter(options: OauthAdapterOptions): OauthAdapter
  /** Returns the ids of all records of a kind, in any order, from the simulator's own records. */
  idsOf(vendor: Vendor, kind: RecordKind): readonly string[]
  /** An id of the vendor's form that no record has. */
  unknownId(kind: RecordKind): string
  /** Beginning of the paths of tokens. */
  readonly tokenPath: string
  readonly accessTokenSeconds: number
  /** A refresh gives another access token, and the refresh token stays. @default it gives a new pair and ends the old one */
  readonly keepsRefreshToken?: true
  /** Headers of a 429 that says how many seconds to wait. */
  limitHeaders(seconds: number): Readonly<Record<string, string>>
  /** A page without records that names a next page. */
  readonly endlessPage: string
  /** The name of the list in a page. */
  readonly listName: string
}

/** A connected person, with fresh tokens for each test. */
interface Subject<Vendor> {
  simulator(): Vendor
  accessToken(): string
  refreshToken(): string
  adapterFor(options?: Partial<OauthAdapterOptions>): ReturnType<typeof adapterUnderTest>
  /** Returns all records of a kind, and expects none to be rejected or refused. */
  readAll(kind: RecordKind, bounds?: Omit<PageRequest, "kind">): Promise<NormalizedRecord[]>
  /** Reads one page of sleeps, with little patience. */
  read(): Promise<Page>
}

/** Declares the tests of the contract. */
export function describeVendorContract<Vendor extends RunningVendor<unknown, object>>(
  under: VendorUnderTest<Vendor>,
): void {
  describe(`the contract of ${under.name}`, () => {
    const subject = createSubject(under)
    describe.each(RECORD_KINDS)("%s", (kind) => testRecords(under, subject, kind))
    testGrants(subject)
    describe("tokens", () => testTokens(under, subject))
    describe("faults", () => {
      testRepeats(subject)
      testErrors(under, subject)
    })
  })
}

function createSubject<Vendor extends RunningVendor<unknown, object>>(under: VendorUnderTest<Vendor>): Subject<Vendor> {
  let simulator: Vendor
  let tokens: TokenSet
  const adapterFor = (options: Partial<OauthAdapterOptions> = {}) =>
    adapterUnderTest(simulator.url, { ...simulatorCredentials(simulator), ...options }, under.createAdapter)
  beforeAll(async () => {
    simulator = await under.start()
  })
  afterAll(() => simulator.close())
  beforeEach(async () => {
    tokens = await connect(adapterFor().adapter, PERSON)
    simulator.requestLog.clear()
  })
  afterEach(() => simulator.faults.clear())
  return {
    simulator: () => simulator,
    accessToken: () => tokens.accessToken,
    refreshToken: () => tokens.refreshToken ?? "",
    adapterFor,
    async readAll(kind, bounds = {}) {
      const { adapter } = adapterFor()
      const fetchPage = (request: PageRequest) => adapter.fetchPage(tokens.accessToken, request)
      const pages = await Array.fromAsync(pageThrough(fetchPage, { kind, ...bounds }))
      expect(pages.flatMap(({ rejected }) => rejected)).toEqual([])
      expect(pages.flatMap(({ failed = [] }) => failed)).toEqual([])
      return pages.flatMap(({ records }) => records)
    },
    read: () => adapterFor({ timeoutMs: TIMEOUT_MS }).adapter.fetchPage(tokens.accessToken, { kind: "sleep" }),
  }
}

const startOf = (record: NormalizedRecord) => (record.kind === "recovery" ? record.createdMs : record.startMs)

type AnyVendor = RunningVendor<unknown, object>

function testRecords<Vendor extends AnyVendor>(
  under: VendorUnderTest<Vendor>,
  subject: Subject<Vendor>,
  kind: RecordKind,
) {
  test("pages to the end: exactly the vendor's records, newest first", async () => {
    const ids = under.idsOf(subject.simulator(), kind)
    expect(ids.length).toBeGreaterThan(25)
    const records = await subject.readAll(kind)
    expect(records.map(({ providerId }) => providerId).toSorted()).toEqual(ids.toSorted())
    const starts = records.map(startOf)
    expect(starts).toEqual(starts.toSorted((one, other) => other - one))
  })

  test("reads the same records in several windows as in one", async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    const whole = await subject.readAll(kind, { from: at(1), to: at(15) })
    const parts = await Promise.all([1, 5, 9].map((day) => subject.readAll(kind, { from: at(day), to: at(day + 6) })))
    const found = new Map(parts.flat().map((record) => [record.providerId, record]))
    for (const record of whole) expect(found.get(record.providerId)).toEqual(record)
    expect(whole.length).toBeGreaterThan(5)
  })

  test("reads the same records whatever the size of a page", async () => {
    const bounds = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-11-15T00:00:00Z") }
    expect(await subject.readAll(kind, { ...bounds, limit: 3 })).toEqual(await subject.readAll(kind, bounds))
  })

  test("fetches each record by its id, the same as in the list", async () => {
    const listed = await subject.readAll(kind, { from: new Date("2026-11-08T00:00:00Z") })
    expect(listed.length).toBeGreaterThan(2)
    for (const record of listed) {
      const input = { kind, providerId: record.providerId }
      const page = await subject.adapterFor().adapter.fetchRecord(subject.accessToken(), input)
      expect(page).toEqual({ records: [record], rejected: [] })
    }
  })

  test("finds nothing under an id the vendor does not have", async () => {
    const input = { kind, providerId: under.unknownId(kind) }
    expect(await subject.adapterFor().adapter.fetchRecord(subject.accessToken(), input)).toEqual({
      records: [],
      rejected: [],
    })
  })
}

function testGrants(subject: Subject<AnyVendor>): void {
  test("is granted every scope it asks for", async () => {
    const { adapter } = subject.adapterFor()
    const requested = [...adapter.scopes, ...(adapter.optionalScopes ?? [])]
    // RFC 6749, 5.1: an answer that names none means those that were requested.
    const { scopes = requested } = await connect(adapter, PERSON)
    expect(scopes.toSorted()).toEqual(requested.toSorted())
  })

  test("has ids of its own provider only", async () => {
    const { adapter } = subject.adapterFor()
    const profile = await adapter.fetchProfile(subject.accessToken())
    expect(profile.data.id.startsWith(`${adapter.provider}-`)).toBe(true)
  })
}

function testTokens(
  under: Pick<VendorUnderTest<never>, "tokenPath" | "accessTokenSeconds" | "keepsRefreshToken">,
  subject: Subject<AnyVendor>,
) {
  if (under.keepsRefreshToken) testLastingRefreshToken(under, subject)
  else testRotation(under, subject)

  test("a code works once", async () => {
    const { adapter } = subject.adapterFor()
    const input = { code: "sim-code-never-issued", redirectUri: "https://rest.example/callback" }
    await expect(adapter.exchangeCode(input)).rejects.toBeInstanceOf(AuthorizationRevoked)
  })

  test("wrong client credentials are the operator's to mend, not the person's", async () => {
    const { adapter } = subject.adapterFor({ clientSecret: "mistyped" })
    await expect(adapter.refreshTokens(subject.refreshToken())).rejects.toBeInstanceOf(RequestRefused)
  })

  test("revoking ends the grant, and may be repeated", async () => {
    const { adapter } = subject.adapterFor()
    await adapter.revokeAccess(subject.accessToken())
    await adapter.revokeAccess(subject.accessToken())
    await expect(adapter.fetchProfile(subject.accessToken())).rejects.toBeInstanceOf(AccessTokenRejected)
    await expect(adapter.refreshTokens(subject.refreshToken())).rejects.toBeInstanceOf(AuthorizationRevoked)
  })

  test.each<FaultKind>(["status", "html", "hang", "reset_connection", "drop_reply_after_effect", "truncated_json"])(
    "a refresh struck by %s is made once and never taken for a revoked grant",
    async (kind) => {
      subject.simulator().faults.add({ kind, match: { path: under.tokenPath } })
      const { adapter } = subject.adapterFor({ timeoutMs: TIMEOUT_MS })
      await expect(adapter.refreshTokens(subject.refreshToken())).rejects.toBeInstanceOf(VendorUnavailable)
      expect(subject.simulator().requestLog.counters().refreshes).toBe(1)
    },
  )
}

function testLastingRefreshToken(
  under: Pick<VendorUnderTest<never>, "accessTokenSeconds">,
  subject: Subject<AnyVendor>,
) {
  test("refreshes give access tokens that work, and keep the refresh token", async () => {
    const { adapter } = subject.adapterFor()
    for (let count = 0; count < 2; count += 1) {
      const next = await adapter.refreshTokens(subject.refreshToken())
      expect(next).toMatchObject({ expiresInSeconds: under.accessTokenSeconds })
      expect(next.refreshToken).toBeUndefined()
      await expect(adapter.fetchProfile(next.accessToken)).resolves.toBeDefined()
    }
  })
}

function testRotation(under: Pick<VendorUnderTest<never>, "accessTokenSeconds">, subject: Subject<AnyVendor>) {
  test("a refresh gives a pair that works and ends the old one", async () => {
    const { adapter } = subject.adapterFor()
    const next = await adapter.refreshTokens(subject.refreshToken())
    await expect(adapter.fetchProfile(subject.accessToken())).rejects.toBeInstanceOf(AccessTokenRejected)
    await expect(adapter.fetchProfile(next.accessToken)).resolves.toBeDefined()
    await expect(adapter.refreshTokens(subject.refreshToken())).rejects.toBeInstanceOf(AuthorizationRevoked)
    const { accessTokenSeconds: expiresInSeconds } = under
    await expect(adapter.refreshTokens(next.refreshToken ?? "")).resolves.toMatchObject({ expiresInSeconds })
  })

  test("of two refreshes at once one wins, and the other says that the grant is gone", async () => {
    const { adapter } = subject.adapterFor()
    const [first, second] = await Promise.allSettled([
      adapter.refreshTokens(subject.refreshToken()),
      adapter.refreshTokens(subject.refreshToken()),
    ])
    const lost = [first, second].filter((outcome) => outcome.status === "rejected")
    expect(lost).toMatchObject([{ reason: { name: "AuthorizationRevoked" } }])
  })
}

/** Faults that may pass are tried again. */
function testRepeats(subject: Subject<AnyVendor>): void {
  // A repeat would hold the other collections of a connection as long again.
  test.each<FaultKind>(["hang", "latency"])(
    "%s beyond the time limit is an unavailable vendor after one try",
    async (kind) => {
      subject.simulator().faults.add({ kind, ms: 3 * TIMEOUT_MS })
      await expect(subject.read()).rejects.toBeInstanceOf(VendorUnavailable)
      expect(subject.simulator().requestLog.count()).toBe(1)
    },
  )

  test.each<FaultKind>([
    "status",
    "malformed_json",
    "truncated_json",
    "cut_body",
    "html",
    "reset_connection",
    "drop_reply_after_effect",
  ])("%s that lasts is an unavailable vendor after three tries", async (kind) => {
    subject.simulator().faults.add({ kind, ms: 3 * TIMEOUT_MS })
    await expect(subject.read()).rejects.toBeInstanceOf(VendorUnavailable)
    expect(subject.simulator().requestLog.count()).toBe(3)
  })

  test.each<FaultKind>(["status", "malformed_json", "truncated_json", "cut_body", "html", "reset_connection"])(
    "%s that passes is not noticed",
    async (kind) => {
      // Only the fault may take longer than this.
      const { adapter } = subject.adapterFor({ timeoutMs: 2 * TIMEOUT_MS })
      const expected = await adapter.fetchPage(subject.accessToken(), { kind: "sleep" })
      subject.simulator().faults.add({ kind, times: 2 })
      expect(await adapter.fetchPage(subject.accessToken(), { kind: "sleep" })).toEqual(expected)
    },
  )
}

/** Every other answer has its error. */
function testErrors(
  under: Pick<VendorUnderTest<never>, "limitHeaders" | "listName" | "endlessPage">,
  subject: Subject<AnyVendor>,
): void {
  test.each([
    [401, AccessTokenRejected],
    [400, RequestRefused],
    [404, RequestRefused],
    [502, VendorUnavailable],
  ])("status %i has its error", async (status, errorClass) => {
    subject.simulator().faults.add({ kind: "status", status })
    await expect(subject.read()).rejects.toBeInstanceOf(errorClass)
  })

  test("a used up limit says how long it lasts", async () => {
    subject.simulator().faults.add({ kind: "rate_limit", headers: under.limitHeaders(37) })
    expect(await rejection(subject.read())).toMatchObject({ name: "RateLimited", retryAfterSeconds: 37 })
    expect(subject.simulator().requestLog.count()).toBe(1)
  })

  test("a limit that ends in seconds is waited out", async () => {
    subject.simulator().faults.add({ kind: "rate_limit", headers: under.limitHeaders(3), times: 1 })
    const { adapter, pauses } = subject.adapterFor()
    await adapter.fetchPage(subject.accessToken(), { kind: "sleep" })
    expect(pauses).toEqual([3000])
  })

  test("a reply of another shape names the path", async () => {
    subject.simulator().faults.add({ kind: "transform", transform: () => ({ items: [] }) })
    expect(await rejection(subject.read())).toMatchObject({ name: "ContractViolation", path: under.listName })
  })

  test("pages that go in a circle end", async () => {
    subject.simulator().faults.add({ kind: "status", status: 200, body: under.endlessPage })
    await expect(subject.readAll("sleep")).rejects.toBeInstanceOf(ContractViolation)
  })
}
