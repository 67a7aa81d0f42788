import { expect, it } from "vitest"
import { createTaggedResponses } from "./create-client.ts"

const response = (text: string) => ({ etag: `"${text}"`, text })

it("drops the least recently used response", () => {
  const cache = createTaggedResponses(2)
  cache.set("/a", response("a"))
  cache.set("/b", response("b"))
  cache.get("/a")
  cache.set("/c", response("c"))
  expect([cache.get("/a"), cache.get("/b"), cache.get("/c")]).toEqual([response("a"), undefined, response("c")])
})

it("replaces the response of a URL without dropping another one", () => {
  const cache = createTaggedResponses(2)
  cache.set("/a", response("old"))
  cache.set("/b", response("b"))
  cache.set("/a", response("new"))
  expect([cache.get("/a"), cache.get("/b")]).toEqual([response("new"), response("b")])
})

it("stores nothing with a capacity of 0", () => {
  const cache = createTaggedResponses(0)
  cache.set("/a", response("a"))
  expect(cache.get("/a")).toBeUndefined()
})
