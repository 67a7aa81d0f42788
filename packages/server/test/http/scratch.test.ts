import { connect } from "node:net"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { test } from "vitest"
import { Member } from "../../../../test/support/member.ts"
import { startTestService } from "../../../../test/support/service.ts"

test("probe", async () => {
  const service = await startTestService({ days: 20 })
  const { member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" }))
  const raw = (text: string, ms = 2500): Promise<string> =>
    new Promise((resolve) => {
      const { port } = new URL(service.url)
      const socket = connect(Number(port), "127.0.0.1")
      let answer = ""
      socket.setTimeout(ms, () => { resolve(`${answer}<TIMEOUT>`); socket.destroy() })
      socket.on("data", (d) => { answer += d })
      socket.on("close", () => resolve(answer)).on("error", (e) => resolve(`${answer}<${e.message}>`))
      socket.write(text)
    })
  const short = (s: string) => { const [h = "", b = ""] = s.split("\r\n\r\n"); return `${h.split("\r\n").filter((l) => /^HTTP|content-type|allow|cache|x-request|retry|connection|x-content/i.test(l)).join(" | ")}  ## ${b.slice(0, 160)}` }
  const say = async (name: string, text: string) => console.log(name, "=>", short(await raw(text)))
  const H = "/api/v1/health"
  await say("no host", `GET ${H} HTTP/1.1\r\n\r\n`)
  await say("two hosts", `GET ${H} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`)
  await say("http/1.0", `GET /healthz HTTP/1.0\r\n\r\n`)
  await say("absolute", `GET http://evil.example/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await say("options *", `OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await say("connect", `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`)
  await say("trace", `TRACE ${H} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  for (const m of ["PROPFIND", "QUERY", "PURGE", "M-SEARCH", "FOO"]) await say(m, `${m} ${H} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await say("propfind body", `PROPFIND ${H} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\nabc`)
  await say("post json bad to health", `POST ${H} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\nabc`)
  await say("post xml to health", `POST ${H} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\nabc`)
  await say("post xml to health w/ key", `POST ${H} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\nabc`)
  await say("get with body", `GET ${H} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\nabc`)
  await say("expect foo", `GET ${H} HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n`)
  await say("upgrade h2c", `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`)
  await say("h2 preface", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`)
  await say("tls hello", `\x16\x03\x01\x02\x00\x01`)
  await say("20k url", `GET ${H}?${"x".repeat(20000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await say("9k url", `GET ${H}?${"x".repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await say("te+cl", `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
  await say("413", `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n${"x".repeat(1000)}`)
  await say("413 chunked", `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${"10000\r\n" + "x".repeat(0x10000) + "\r\n"}10\r\n${"x".repeat(16)}\r\n`)
  const long = "w".repeat(80)
  const show = async (m: string, p: string, h: Record<string, string> = {}, body?: string) => {
    const r = await fetch(service.url + p, { method: m, redirect: "manual", headers: h, ...(body !== undefined && { body }) })
    console.log(m, p.slice(0, 60), JSON.stringify(h).slice(0, 60), "=>", r.status, r.headers.get("content-type"), r.headers.get("allow"), (await r.text()).slice(0, 200))
    return r
  }
  await show("GET", `/api/connections/${long}/authorize`, { cookie: member.cookie })
  await show("GET", `/api/connections/${encodeURIComponent("wh\u0000oop")}/authorize`, { cookie: member.cookie })
  await show("GET", `/api/connections/a%2Fb/authorize`, { cookie: member.cookie })
  await show("PUT", `/api/account`, {})
  await show("OPTIONS", `/api/account`, { "access-control-request-method": "GET", origin: "https://x.example" })
  await show("POST", `/healthz`, {})
  await show("POST", `/openapi.json`, {})
  await show("GET", `${H}?api_key=${key}`)
  await show("GET", `${H}?apikey=${key}&days=7`, { authorization: `Bearer ${key}` })
  await show("POST", "/api/auth/sign-in/email", { "content-type": "text/plain" }, "x")
  await show("POST", "/api/auth/sign-in/email", { "content-type": "application/x-www-form-urlencoded" }, "a=b")
  await show("POST", "/api/auth/sign-in/email", { "content-type": "application/json" }, "{")
  await show("POST", "/api/auth/sign-in/email", { "content-type": "application/json" }, "")
  await show("POST", "/api/auth/sign-in/email", { "content-type": "application/json" }, '{"__proto__": {"x":1}}')
  await show("POST", "/api/auth/sign-in/email", {})
  await show("POST", "/api/auth/sign-up/email/", {})
  await show("GET", "/api/auth/get-session", {})
  await show("GET", "/api/auth/ok", {})
  await show("DELETE", "/api/account", { cookie: member.cookie, "content-type": "text/plain" }, "x")
  await show("DELETE", "/api/account", { cookie: member.cookie, "content-type": "application/json" }, '"x"')
  await show("DELETE", "/api/account", { cookie: member.cookie, "content-type": "application/json" }, '{"password":""}')
  await show("DELETE", "/api/connections/whoop?data=delete&data=keep", { cookie: member.cookie, origin: "https://e.example" })
  for (const p of ["/api/account/export", "/api/account", "/docs", "/openapi.json", "/", "/healthz", "/metrics"]) await show("HEAD", p, { cookie: member.cookie })
  await show("POST", "/api/account/api-key", { cookie: member.cookie, "content-type": "application/x-www-form-urlencoded" }, "a=b")
  const rid = await fetch(`${service.url}/healthz`, { headers: { "x-request-id": "my-id-1" } })
  console.log("rid", rid.headers.get("x-request-id"))
  const d = await fetch(`${service.url}/docs`); console.log(Object.fromEntries(d.headers))
  const g = await fetch(`${service.url}${H}`, { headers: { authorization: `Bearer ${key}` } }); console.log(Object.fromEntries(g.headers))
  await fetch(`${service.url}/api/auth/sign-in/email`, { method: "POST", headers: { "content-type": "application/json", "x-forwarded-for": "6.6.6.6" }, body: JSON.stringify({ email: member.email, password: member.password }) })
  console.log((await service.store.pool.query('select "ipAddress", "userAgent", length(token) from restwell.session')).rows)
  // time
  const time = async (email: string) => {
    const t = performance.now()
    await (await fetch(`${service.url}/api/auth/sign-in/email`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email, password: "wrong password" }) })).text()
    return performance.now() - t
  }
  const known: number[] = []; const unknown: number[] = []
  for (let i = 0; i < 9; i += 1) { known.push(await time(member.email)); unknown.push(await time(`n${i}@x.example`)) }
  const med = (a: number[]) => a.sort((x, y) => x - y)[4]
  console.log("known", med(known), "unknown", med(unknown))
  const loop = monitorEventLoopDelay({ resolution: 5 }); loop.enable()
  const t0 = performance.now()
  await Promise.all(Array.from({ length: 24 }, (_, i) => time(`m${i}@x.example`)))
  loop.disable()
  console.log("24 sign-ins", performance.now() - t0, "loop max ms", loop.max / 1e6, "p99", loop.percentile(99) / 1e6)
  await service.close()
  console.log(service.log.filter((l) => /password|Bearer|cookie|token/i.test(l)).slice(0, 5))
  console.log(service.log.slice(-3))
})
