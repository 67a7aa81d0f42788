import { readFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { mostConnections } from "./pools.ts"

const ROOT = new URL("../../../../", import.meta.url)

/** The numbers of connections that a file names for a process. */
async function namedIn(path: string): Promise<number[]> {
  const text = (await readFile(new URL(path, ROOT), "utf8")).replaceAll(/\s+/g, " ")
  const named = [
    ...text.matchAll(/process(?:es)? opens up to (\d+)(?:, or (\d+))?/g),
    ...text.matchAll(/(\d+) for each process(?! that)/g),
  ]
  return named.flatMap(([, first, second]) => [first, second].filter((count) => count !== undefined).map(Number))
}

const [all, api, worker] = [mostConnections("all"), mostConnections("api"), mostConnections("worker")]

describe("the connections of a process", () => {
  test("are as many for replicas as for workers", () => {
    expect(api).toBe(worker)
  })

  test.each([
    ["docs/databases.md", [all, api, all, all]],
    ["docs/scaling.md", [all, api]],
    ["deploy/README.md", [api]],
    ["deploy/kubernetes/api.yaml", [api]],
    ["deploy/patroni/patroni.yml", [all]],
  ])("are those that %s names", async (path, counts) => {
    expect(await namedIn(path)).toEqual(counts)
  })
})
