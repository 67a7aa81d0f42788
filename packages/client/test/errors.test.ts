/** The error that a user of the client catches, for every kind of failure. */
import { inspect } from "node:util"
import { quotaHeaders, RESET, SLEEP } from "@restwell/testing/answers"
import { expect, it } from "vitest"
import {
  createClient,
  ForbiddenError,
  HealthApiError,
  InternalError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "../src/index.ts"
import { type Reply, startServer } from "./local-server.ts"

const API_KEY = "rw_0123456789abcdefghijklmnopqrstuv012345"

/** Returns the error that sleep() throws for this reply. */
async function errorOf(reply: Reply, options: { timeoutMs?: number } = {}): Promise<unknown> {
  await using server = await startServer(reply)
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY, retries: 0, ...options })
  return await client.sleep().then(
    () => undefined,
    (error: unknown) => error,
  )
}

const html = { "content-type": "text/html" }
const rateLimited = { error: "rate_limited", message: "monthly request limit exceeded", limit: 1000, reset: RESET }

it.each([
  {
    status: 400,
    body: { error: "invalid_request", message: "days must be a whole number from 1 to 90", field: "days" },
    type: InvalidRequestError,
    fields: { code: "invalid_request", status: 400, field: "days" },
  },
  {
    status: 401,
    body: { error: "unauthorized", message: "invalid or missing API key" },
    type: UnauthorizedError,
    fields: { code: "unauthorized", status: 401 },
  },
  {
    status: 403,
    body: { error: "forbidden", message: "this key does not open recovery", scope: "recovery" },
    type: ForbiddenError,
    fields: { code: "forbidden", status: 403, scope: "recovery", fromDate: null },
  },
  {
    status: 403,
    body: { error: "forbidden", message: "this key opens the last 7 dates", from_date: "2026-11-14" },
    type: ForbiddenError,
    fields: { code: "forbidden", status: 403, scope: null, fromDate: "2026-11-14" },
  },
  {
    status: 404,
    body: { error: "not_found", message: "no health provider connected" },
    type: NotFoundError,
    fields: { code: "not_found", status: 404 },
  },
  {
    status: 429,
    headers: { "retry-after": "864000" },
    body: rateLimited,
    type: RateLimitedError,
    fields: { code: "rate_limited", status: 429, limit: 1000, reset: new Date(RESET), retryAfterSeconds: 864_000 },
  },
  {
    status: 500,
    body: { error: "internal_error", message: "something went wrong", request_id: "req-7" },
    type: InternalError,
    fields: { code: "internal_error", status: 500, requestId: "req-7" },
  },
  {
    status: 503,
    headers: { "retry-after": "5" },
    body: { error: "unavailable", message: "starting" },
    type: ServiceUnavailableError,
    fields: { code: "unavailable", status: 503, retryAfterSeconds: 5 },
  },
])("throws the class of a $status with its code and fields", async ({ status, headers, body, type, fields }) => {
  const error = await errorOf({ status, headers: { ...quotaHeaders(0), ...headers }, body })
  expect(error).toBeInstanceOf(HealthApiError)
  expect(error).toBeInstanceOf(type)
  expect(error).toMatchObject({ ...fields, name: type.name, message: body.message })
})

it.each([429, 502, 503, 504])("throws a ServiceUnavailableError for a %i from a proxy", async (status) => {
  const error = await errorOf({ status, headers: html, body: "<html>busy</html>" })
  expect(error).toBeInstanceOf(ServiceUnavailableError)
  expect(error).toMatchObject({ status, retryAfterSeconds: null, cause: expect.any(UnexpectedResponseError) })
})

it.each([
  ["a page instead of JSON", { status: 200, headers: html, body: "<html>hello</html>" }, 200, ""],
  ["half a body", { status: 200, body: '{"records":[' }, 200, ""],
  ["a field of the wrong type", { status: 200, body: { ...SLEEP, count: "1" } }, 200, "count"],
  [
    "a missing field deep inside",
    { status: 200, body: { ...SLEEP, records: [{ ...SLEEP.records[0], end: undefined }] } },
    200,
    "records.0.end",
  ],
  ["a body that is an array", { status: 200, body: [] }, 200, ""],
  ["a 304 without a cached response", { status: 304 }, 304, ""],
  [
    "a 404 for an unknown path",
    { status: 404, body: { error: "route_not_found", message: "no such path" } },
    404,
    "error",
  ],
  ["a 401 from another server", { status: 401, headers: html, body: "who are you" }, 401, ""],
  ["a 400 without its field", { status: 400, body: { error: "invalid_request", message: "no" } }, 400, "field"],
  [
    "a status the API does not use",
    { status: 418, body: { error: "teapot", message: "short and stout" } },
    418,
    "error",
  ],
])("throws an UnexpectedResponseError with the path of the difference for %s", async (_, reply, status, path) => {
  const error = await errorOf(reply)
  expect(error).toBeInstanceOf(UnexpectedResponseError)
  expect(error).toMatchObject({ code: "unexpected_response", status, path })
})

it("repeats the message of an unknown error", async () => {
  const error = await errorOf({ status: 404, body: { error: "route_not_found", message: "no such path" } })
  expect(error).toMatchObject({ message: "the service responded with 404 route_not_found: no such path" })
})

it("throws a NetworkError with its cause when the server is down", async () => {
  const server = await startServer({ status: 200 })
  await server[Symbol.asyncDispose]()
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY, retries: 0 })
  const error = await client.sleep().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).not.toBeInstanceOf(TimeoutError)
  expect(error).toMatchObject({ code: "network_error", status: null, cause: { cause: { code: "ECONNREFUSED" } } })
})

it("throws a NetworkError when the connection breaks in the middle of a body", async () => {
  const error = await errorOf((_, response) => {
    response.writeHead(200, { "content-length": "1000" })
    response.write("{", () => response.destroy())
  })
  expect(error).toBeInstanceOf(NetworkError)
})

it.each([
  ["headers", () => undefined],
  ["the rest of the body", (_: unknown, response: { write(text: string): unknown }) => response.write("{")],
] satisfies [string, Reply][])("throws a TimeoutError when %s is missing after timeoutMs", async (_, reply) => {
  const error = await errorOf(reply, { timeoutMs: 50 })
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ code: "timeout", status: null, name: "TimeoutError" })
})

it.each([
  ["an error message", { status: 401, body: { error: "unauthorized", message: `no such key: ${API_KEY}` } }],
  ["a field", { status: 400, body: { error: "invalid_request", message: "no", field: API_KEY } }],
  ["a body that is not JSON", { status: 200, body: `bad ${API_KEY}` }],
  ["an unknown error", { status: 418, body: { error: API_KEY, message: API_KEY } }],
])("removes the key from the error when the server echoes it in %s", async (_, reply) => {
  const error = await errorOf(reply)
  expect(error).toMatchObject({ status: reply.status })
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(API_KEY.slice(3))
})
