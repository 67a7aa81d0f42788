import { expect, test } from "vitest"
import { ContractViolation } from "./contract/errors.ts"
import type { Page, PageRequest } from "./contract/records.ts"
import { pageThrough } from "./health-provider.ts"

const page = (nextCursor?: string): Page => ({ records: [], rejected: [], ...(nextCursor ? { nextCursor } : {}) })

async function read(next: (request: PageRequest) => Page) {
  const requests: PageRequest[] = []
  const fetchPage = async (request: PageRequest) => {
    requests.push(request)
    return next(request)
  }
  const pages = await Array.fromAsync(pageThrough(fetchPage, { kind: "sleep", limit: 5 })).catch(
    (error: unknown) => error,
  )
  return { requests, pages }
}

test("requests the next page with the same bounds until there is none", async () => {
  const { requests, pages } = await read(({ cursor }) => page(cursor === "b" ? undefined : cursor ? "b" : "a"))
  expect(pages).toHaveLength(3)
  expect(requests).toEqual([
    { kind: "sleep", limit: 5 },
    { kind: "sleep", limit: 5, cursor: "a" },
    { kind: "sleep", limit: 5, cursor: "b" },
  ])
})

test("stops when a cursor comes back", async () => {
  const { requests, pages } = await read(({ cursor }) => page(cursor === "a" ? "b" : "a"))
  expect(pages).toBeInstanceOf(ContractViolation)
  expect(requests).toHaveLength(3)
})

test("stops when the pages never end", async () => {
  let number = 0
  const { requests, pages } = await read(() => page(`${++number}`))
  expect(pages).toBeInstanceOf(ContractViolation)
  expect(requests).toHaveLength(4000)
})
