/** The simulator's controls over HTTP, for tests and tools in another process. */
import type { FastifyInstance } from "fastify"
import { type FaultJson, parseFault, presentFault } from "../http/faults.ts"
import { CONTROL_PREFIX } from "../http/server.ts"
import type { NewPerson, Person } from "../world/people.ts"
import type { Controls, RecordEdits } from "./controls.ts"
import type { WebhookManners } from "./webhooks.ts"

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
