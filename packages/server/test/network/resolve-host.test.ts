// Names that strangers and people name are looked up without holding a thread that others need.
import { createSocket } from "node:dgram"
import { lookup } from "node:dns/promises"
import { expect, test } from "vitest"
import { lookupInDns, lookupInSystem, resolveHost } from "../../src/network/resolve-host.ts"

const HEADER_BYTES = 12
const TYPE_AAAA = 28
/** A pointer to the question's name, type, class IN, an hour, and the length of the address. RFC 1035 4.1.3 */
const recordOf = (type: number, address: readonly number[]): Buffer =>
  Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0x0e, 0x10, 0, address.length, ...address])

/** What a name server answers to a question. Nothing where it is undefined. */
type Answer = (type: number) => readonly number[] | "unknown" | undefined

async function startNameServer(answer: Answer) {
  const socket = createSocket("udp4")
  let questions = 0
  socket.on("message", (message, { port, address }) => {
    questions += 1
    const end = message.indexOf(0, HEADER_BYTES) + 5
    const type = message.readUInt16BE(end - 4)
    const found = answer(type)
    if (found === undefined) return
    const isUnknown = found === "unknown"
    const head = Buffer.alloc(HEADER_BYTES)
    head.writeUInt16BE(message.readUInt16BE(0), 0)
    head.writeUInt16BE(isUnknown ? 0x81_83 : 0x81_80, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(isUnknown ? 0 : 1, 6)
    const records = isUnknown ? [] : [recordOf(type, found)]
    socket.send(Buffer.concat([head, message.subarray(HEADER_BYTES, end), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  return {
    lookup: lookupInDns([`127.0.0.1:${socket.address().port}`]),
    questions: () => questions,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

test("a name has its addresses of both families", async () => {
  const v6 = [0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88]
  await using server = await startNameServer((type) => (type === TYPE_AAAA ? v6 : [8, 8, 8, 8]))
  expect(await resolveHost("dns.example", server.lookup)).toEqual([
    { address: "8.8.8.8", family: 4 },
    { address: "2001:4860:4860::8888", family: 6 },
  ])
})

test("a name that has one family alone, or none, is no error", async () => {
  await using server = await startNameServer((type) => (type === TYPE_AAAA ? "unknown" : [8, 8, 4, 4]))
  expect(await resolveHost("dns.example", server.lookup)).toEqual([{ address: "8.8.4.4", family: 4 }])
  await using empty = await startNameServer(() => "unknown")
  expect(await resolveHost("nobody.example", empty.lookup)).toEqual([])
})

test("names whose servers never answer hold up no other lookup, and end", async () => {
  await using silent = await startNameServer(() => undefined)
  let ended = 0
  const slow = Array.from({ length: 50 }, async (_, number) => {
    const addresses = await resolveHost(`${number}.slow.example`, silent.lookup)
    ended += 1
    return addresses
  })
  await expect.poll(silent.questions).toBeGreaterThanOrEqual(100)
  expect(await lookup("localhost", { all: true })).not.toEqual([])
  expect(ended).toBe(0)
  expect(new Set((await Promise.all(slow)).flat())).toEqual(new Set())
})

test("the system's resolver has one name at a time, and equal ones share a lookup", async () => {
  const one = lookupInSystem("localhost")
  expect(lookupInSystem("localhost")).toBe(one)
  expect(await one).toContainEqual({ address: "127.0.0.1", family: 4 })
  await expect(lookupInSystem("unknown.invalid")).rejects.toThrow("ENOTFOUND")
  expect(await lookupInSystem("localhost")).not.toEqual([])
})
