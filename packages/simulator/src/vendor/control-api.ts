/** The simulator's controls over HTTP, for tests and tools in another process. */
import type { FastifyInstance } from "fastify"
import { type FaultJson, type Faults, parseFault, presentFault } from "../http/faults.ts"
import type { RequestLog } from "../http/request-log.ts"
import { CONTROL_PREFIX } from "../http/server.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { Collection } from "../world/collection.ts"
import type { NewPerson, People, Person, PersonReference } from "../world/people.ts"
import type { Grants } from "./grants.ts"
import type { VendorEvent, WebhookManners, Webhooks } from "./webhooks.ts"

/** A vendor's records. */
interface RecordControl {
  /** Returns all records of a person that are visible now. */
  read(person: string): object
  /** Edits by kind of record, for example `sleeps`. */
  readonly edits: Readonly<Record<string, RecordEdits<object>>>
}

/** Adds every control. Invalid requests get 400 with a reason; unknown persons, kinds and records get 404. */
export function addControlRoutes(app: FastifyInstance, controls: Controls, records: RecordControl): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, _request, reply) => {
        if (error instanceof RangeError) return reply.code(statusOf(error)).send({ error: error.message })
        if (error instanceof SyntaxError || error instanceof TypeError)
          return reply.code(400).send({ error: error.message })
        throw error
      })
      addPeopleRoutes(scope, controls)
      addRecordRoutes(scope, records)
      addClockRoutes(scope, controls)
      addFaultRoutes(scope, controls)
      addLogRoutes(scope, controls)
      addTokenRoutes(scope, controls)
      addWebhookRoutes(scope, controls)
    },
    { prefix: CONTROL_PREFIX },
  )
}

function statusOf(error: RangeError): number {
  return error.message.startsWith("no such") ? 404 : 400
}

/** A handler that replies without a body. */
const noContent =
  <Request>(run: (request: Request) => void) =>
  async (request: Request, reply: { code(status: number): { send(): unknown } }) => {
    run(request)
    return reply.code(204).send()
  }

function present({ userId, email, firstName, lastName, traits }: Person) {
  return { user_id: userId, email, first_name: firstName, last_name: lastName, home_zone: traits.homeZone }
}

function addPeopleRoutes(app: FastifyInstance, { people }: Controls): void {
  app.get("/people", async () => people.list().map(present))
  app.post<{ Body: NewPerson | { count: number } }>("/people", async (request, reply) => {
    const { body } = request
    const added = "count" in body ? people.addMany(body.count) : [people.add(body)]
    return reply.code(201).send(added.map(present))
  })
}

function addRecordRoutes(app: FastifyInstance, { read, edits }: RecordControl): void {
  const path = "/people/:person/records"
  const editsOf = (kind: string): RecordEdits<object> => {
    const found = Object.entries(edits).find(([name]) => name === kind)?.[1]
    if (!found) throw new RangeError(`no such kind of record: ${kind}`)
    return found
  }
  app.get<{ Params: { person: string } }>(path, async ({ params }) => read(params.person))
  app.post<{ Params: { person: string; kind: string }; Body: Record<string, unknown> }>(
    `${path}/:kind`,
    noContent(({ params, body }) => editsOf(params.kind).put(params.person, body)),
  )
  app.patch<{ Params: { person: string; kind: string; id: string }; Body: Record<string, unknown> }>(
    `${path}/:kind/:id`,
    noContent(({ params, body }) => editsOf(params.kind).patch(params.person, params.id, body)),
  )
  app.delete<{ Params: { person: string; kind: string; id: string } }>(
    `${path}/:kind/:id`,
    noContent(({ params }) => editsOf(params.kind).delete(params.person, params.id)),
  )
}

function addClockRoutes(app: FastifyInstance, { clock, webhooks }: Controls): void {
  app.get("/clock", async () => ({ now: clock.now().toISOString() }))
  app.post<{ Body: { set: string } | { advanceMs: number } }>("/clock", async ({ body }) => {
    if ("set" in body) clock.set(new Date(body.set))
    else clock.advance(body.advanceMs)
    await webhooks.flush()
    return { now: clock.now().toISOString() }
  })
}

function addFaultRoutes(app: FastifyInstance, { faults }: Controls): void {
  app.get("/faults", async () => faults.list().map(({ fault, timesLeft }) => ({ ...presentFault(fault), timesLeft })))
  app.post<{ Body: FaultJson }>("/faults", async ({ body }, reply) => {
    const fault = parseFault(body)
    faults.add(fault)
    return reply.code(201).send(presentFault(fault))
  })
  app.delete(
    "/faults",
    noContent(() => faults.clear()),
  )
}

function addLogRoutes(app: FastifyInstance, { requestLog }: Controls): void {
  app.get("/requests", async () => ({ counters: requestLog.counters(), requests: requestLog.entries }))
  app.delete(
    "/requests",
    noContent(() => requestLog.clear()),
  )
}

function addTokenRoutes(app: FastifyInstance, { tokens }: Controls): void {
  app.get("/tokens", async () => tokens.counts())
  app.post<{ Params: { person: string } }>(
    "/people/:person/tokens/revoke",
    noContent(({ params }) => tokens.revokeAll(params.person)),
  )
  app.post<{ Params: { person: string } }>(
    "/people/:person/tokens/expire",
    noContent(({ params }) => tokens.expireAccess(params.person)),
  )
}

function addWebhookRoutes(app: FastifyInstance, { webhooks }: Controls): void {
  const present = () => ({ urls: webhooks.urls, ...webhooks.manners, deliveries: webhooks.deliveries })
  app.get("/webhooks", async () => present())
  app.put<{ Body: Partial<WebhookManners> & { urls?: string[] } }>(
    "/webhooks",
    async ({ body: { urls, ...manners } }) => {
      if (urls) webhooks.urls = [...urls]
      Object.assign(webhooks.manners, manners)
      return present()
    },
  )
  app.post("/webhooks/flush", async () => {
    await webhooks.flush()
    return present()
  })
}

// Changes of records that the model did not generate: by members, by the vendor's support, by tests.

/** Control over issued tokens. */
interface TokenControl {
  /** Ends every grant of a person, as if they had disconnected the app at the vendor. */
  revokeAll(person: PersonReference): void
  /** Makes the access tokens of a person expire now. Their refresh tokens stay valid. */
  expireAccess(person: PersonReference): void
  /** Whether a refresh token is valid: issued, not used yet, and its grant not ended. */
  isRefreshable(refreshToken: string): boolean
  counts(): { codes: number; accessTokens: number; refreshTokens: number }
}

/** The controls that are the same for every vendor. */
export interface Controls {
  readonly clock: SimulatedClock
  readonly people: People
  readonly faults: Faults
  readonly tokens: TokenControl
  readonly webhooks: Webhooks
  readonly requestLog: RequestLog
}

export function createTokenControl(people: People, grants: Grants): TokenControl {
  return {
    revokeAll: (person) => grants.revoke(people.get(person).userId),
    expireAccess: (person) => grants.expireAccess(people.get(person).userId),
    isRefreshable: (refreshToken) => grants.isRefreshable(refreshToken),
    counts: () => grants.counts(),
  }
}

/** Edits of one kind of record. Each takes effect at the clock's time and sends the vendor's webhooks. */
export interface RecordEdits<T> {
  /** Adds a record or replaces the one with its id, exactly as given. */
  put(person: PersonReference, record: T): void
  /** Merges properties into a record and marks it as updated now. */
  patch(person: PersonReference, id: string | number, patch: object): void
  delete(person: PersonReference, id: string | number): void
}

/** The records of a person that the edits of one kind work on. */
export interface EditedRecords<T extends object> {
  readonly collection: Collection<T>
  keyOf(record: T): string
  /** Properties that mark a record as updated. */
  stamp(atMs: number): object
  /**
   * Applies the edit's consequences to other records and returns the events to announce.
   * Called before a deletion and after any other edit.
   */
  follow(key: string, verb: "updated" | "deleted", atMs: number): VendorEvent[]
}

/** Returns the edits of one kind. */
export function createRecordEdits<T extends object>(
  webhooks: Webhooks,
  recordsOf: (person: PersonReference) => EditedRecords<T>,
): RecordEdits<T> {
  const open = (person: PersonReference) => {
    // Announce everything up to this moment first, or the edit would be announced again with the next clock move.
    const atMs = webhooks.catchUp()
    return { atMs, ...recordsOf(person) }
  }
  const existingKey = (collection: Collection<T>, id: string | number, atMs: number) => {
    const key = String(id)
    if (!collection.at(key, atMs)) throw new RangeError(`no such record: ${key}`)
    return key
  }
  return {
    put(person, record) {
      const { atMs, collection, keyOf, follow } = open(person)
      const key = keyOf(record)
      collection.edit(key, { kind: "put", body: structuredClone(record), atMs })
      webhooks.send(follow(key, "updated", atMs))
    },
    patch(person, id, patch) {
      const { atMs, collection, stamp, follow } = open(person)
      const key = existingKey(collection, id, atMs)
      collection.edit(key, { kind: "patch", patch: { ...stamp(atMs), ...structuredClone(patch) }, atMs })
      webhooks.send(follow(key, "updated", atMs))
    },
    delete(person, id) {
      const { atMs, collection, follow } = open(person)
      const key = existingKey(collection, id, atMs)
      const events = follow(key, "deleted", atMs)
      collection.edit(key, { kind: "delete", atMs })
      webhooks.send(events)
    },
  }
}

/**
 * Returns how edits of each kind are made at a vendor that announces none of them.
 * @param recordsOf a person's records of all kinds
 */
export const createUnannouncedEdits =
  <Records>(webhooks: Webhooks, recordsOf: (person: PersonReference) => Records) =>
  <T extends object>(
    collectionOf: (records: Records) => Collection<T>,
    keyOf: (record: T) => string,
    /** What the vendor writes into a record that is changed. */
    stamp: (atMs: number) => object = () => ({}),
  ): RecordEdits<T> =>
    createRecordEdits<T>(webhooks, (person) => ({
      collection: collectionOf(recordsOf(person)),
      keyOf,
      stamp,
      follow: () => [],
    }))
