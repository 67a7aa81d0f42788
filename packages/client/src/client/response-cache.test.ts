import { expect, it } from "vitest"
import { createAnswerCache } from "./response-cache.ts"

const answer = (text: string) => ({ etag: `"${text}"`, text })

it("lets the answer go that was unused for longest", () => {
  const cache = createAnswerCache(2)
  cache.set("/a", answer("a"))
  cache.set("/b", answer("b"))
  cache.get("/a")
  cache.set("/c", answer("c"))
  expect([cache.get("/a"), cache.get("/b"), cache.get("/c")]).toEqual([answer("a"), undefined, answer("c")])
})

it("replaces an answer without taking a second place", () => {
  const cache = createAnswerCache(2)
  cache.set("/a", answer("old"))
  cache.set("/b", answer("b"))
  cache.set("/a", answer("new"))
  expect([cache.get("/a"), cache.get("/b")]).toEqual([answer("new"), answer("b")])
})

it("keeps nothing when it may keep nothing", () => {
  const cache = createAnswerCache(0)
  cache.set("/a", answer("a"))
  expect(cache.get("/a")).toBeUndefined()
})
