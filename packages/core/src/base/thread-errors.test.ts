import { expect, test } from "vitest"
import { databaseTrouble, LostConnection } from "../store/database-trouble.ts"
import { receiveError, sendError } from "./thread-errors.ts"

const POSTGRES_ERROR = Object.assign(new Error("terminating connection"), { code: "57P01", severity: "FATAL" })

test.each([
  ["PostgreSQL's own", POSTGRES_ERROR],
  ["a connection that was lost", new LostConnection(new Error("read ECONNRESET"))],
  ["pg's own", new Error("Connection terminated unexpectedly")],
])("an error of the database is one in another thread too: %s", (_what, error) => {
  expect(databaseTrouble(receiveError(structuredClone(sendError(error))))).toBe(databaseTrouble(error))
  expect(databaseTrouble(error)).toBeDefined()
})

test("another error stays another error", () => {
  expect(
    databaseTrouble(receiveError(structuredClone(sendError(new TypeError("x is not a function"))))),
  ).toBeUndefined()
})
