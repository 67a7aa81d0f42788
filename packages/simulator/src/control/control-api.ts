/** The simulator's controls over HTTP, for tests and tools that live in another process. */
import type { FastifyInstance } from "fastify"
import type { Fault } from "../faults/faults.ts"
import { CONTROL_PREFIX } from "../http/server.ts"
import type { NewPerson, Person } from "../people/people.ts"
import type { WebhookManners } from "../webhooks/webhooks.ts"
import type { WireCycle, WireRecovery, WireSleep, WireWorkout } from "../whoop/records/wire.ts"
import type { Controls } from "./controls.ts"
import { faultFrom, type WrittenFault, writeFault } from "./fault-json.ts"
import { type ClockMove, moveClock } from "./move-clock.ts"

/** Adds every control. A request that makes no sense gets 400 with a reason; a stranger or a missing record, 404. */
export function addControlRoutes(app: FastifyInstance, controls: Controls): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, _request, reply) => {
        if (error instanceof RangeError) return reply.code(statusOf(error)).send({ error: error.message })
        if (error instanceof SyntaxError || error instanceof TypeError)
          return reply.code(400).send({ error: error.message })
        throw error
      })
      addPeopleRoutes(scope, controls)
      addEditRoutes(scope, controls)
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

function present({ userId, email, firstName, lastName, traits }: Person) {
  return { user_id: userId, email, first_name: firstName, last_name: lastName, home_zone: traits.homeZone }
}

function addPeopleRoutes(app: FastifyInstance, { people, records }: Controls): void {
  app.get("/people", async () => people.list().map(present))
  app.post<{ Body: NewPerson | { count: number } }>("/people", async (request, reply) => {
    const { body } = request
    const added = "count" in body ? people.addMany(body.count) : [people.add(body)]
    return reply.code(201).send(added.map(present))
  })
  app.get<{ Params: { person: string } }>("/people/:person/records", async ({ params }) => records(params.person))
}

function addEditRoutes(app: FastifyInstance, { edit }: Controls): void {
  interface Target {
    Params: { person: string; kind: string; id: string }
  }
  const kinds = { cycles: edit.cycle, sleeps: edit.sleep, recoveries: edit.recovery, workouts: edit.workout }
  const kindOf = (name: string) => {
    const found = Object.entries(kinds).find(([kind]) => kind === name)?.[1]
    if (!found) throw new RangeError(`no such kind of record: ${name}`)
    return found
  }
  const path = "/people/:person/records"
  app.post<{ Params: { person: string }; Body: WireCycle }>(`${path}/cycles`, async ({ params, body }, reply) => {
    edit.cycle.put(params.person, body)
    return reply.code(204).send()
  })
  app.post<{ Params: { person: string }; Body: WireSleep }>(`${path}/sleeps`, async ({ params, body }, reply) => {
    edit.sleep.put(params.person, body)
    return reply.code(204).send()
  })
  app.post<{ Params: { person: string }; Body: WireRecovery }>(
    `${path}/recoveries`,
    async ({ params, body }, reply) => {
      edit.recovery.put(params.person, body)
      return reply.code(204).send()
    },
  )
  app.post<{ Params: { person: string }; Body: WireWorkout }>(`${path}/workouts`, async ({ params, body }, reply) => {
    edit.workout.put(params.person, body)
    return reply.code(204).send()
  })
  app.patch<{ Params: Target["Params"]; Body: Record<string, unknown> }>(
    `${path}/:kind/:id`,
    async ({ params, body }, reply) => {
      kindOf(params.kind).patch(params.person, params.id, body)
      return reply.code(204).send()
    },
  )
  app.delete<Target>(`${path}/:kind/:id`, async ({ params }, reply) => {
    kindOf(params.kind).delete(params.person, params.id)
    return reply.code(204).send()
  })
}

function addClockRoutes(app: FastifyInstance, { clock, webhooks }: Controls): void {
  app.get("/clock", async () => ({ now: clock.now().toISOString() }))
  app.post<{ Body: ClockMove }>("/clock", async ({ body }) => {
    moveClock(clock, body)
    await webhooks.flush()
    return { now: clock.now().toISOString() }
  })
}

function addFaultRoutes(app: FastifyInstance, { faults }: Controls): void {
  app.get("/faults", async () => faults.list().map(({ fault, timesLeft }) => ({ ...writeFault(fault), timesLeft })))
  app.post<{ Body: WrittenFault }>("/faults", async ({ body }, reply) => {
    const fault: Fault = faultFrom(body)
    faults.add(fault)
    return reply.code(201).send(writeFault(fault))
  })
  app.delete("/faults", async (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
}

function addLogRoutes(app: FastifyInstance, { requestLog }: Controls): void {
  app.get("/requests", async () => ({ counters: requestLog.counters(), requests: requestLog.entries }))
  app.delete("/requests", async (_request, reply) => {
    requestLog.clear()
    return reply.code(204).send()
  })
}

function addTokenRoutes(app: FastifyInstance, { tokens }: Controls): void {
  app.get("/tokens", async () => tokens.counts())
  app.post<{ Params: { person: string } }>("/people/:person/tokens/revoke", async ({ params }, reply) => {
    tokens.revokeAll(params.person)
    return reply.code(204).send()
  })
  app.post<{ Params: { person: string } }>("/people/:person/tokens/expire", async ({ params }, reply) => {
    tokens.expireAccess(params.person)
    return reply.code(204).send()
  })
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
