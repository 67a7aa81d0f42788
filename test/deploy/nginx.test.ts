import { readFile } from "node:fs/promises"
import { findNginx, testConfiguration } from "@restwell/testing/nginx"
import { expect, test } from "vitest"
import { DEPLOY } from "./documents.ts"

const text = (await readFile(`${DEPLOY}nginx.conf`, "utf8")).replaceAll(/^\s*#.*$/gm, "")
const program = await findNginx()

/** The content of a block. */
function block(name: string): string {
  const from = text.indexOf(`${name} {`)
  if (from < 0) expect.fail(`there is no ${name}`)
  let depth = 0
  for (let at = text.indexOf("{", from); at < text.length; at += 1) {
    depth += { "{": 1, "}": -1 }[text[at] ?? ""] ?? 0
    if (depth === 0) return text.slice(from, at)
  }
  return expect.fail(`${name} is not closed`)
}

test.each([
  "proxy_http_version 1.1;",
  'proxy_set_header Connection "";',
  "proxy_set_header Host $http_host;",
  "proxy_set_header X-Forwarded-For $remote_addr;",
  "proxy_set_header X-Forwarded-Proto $scheme;",
  "proxy_set_header X-Request-Id $id_of_request;",
  "proxy_set_header X-Turn-Away 502;",
])("every request is passed on with %s", (directive) => {
  expect(text.split(directive)).toHaveLength(2)
  // A block with its own directive of this kind would inherit none of the server's.
  for (const name of ["location /", "location /api/mcp/oauth", "location @not_answered"])
    expect(block(name)).not.toContain("proxy_set_header")
})

test("connections to the replicas stay open, but for less time than the replicas keep them", () => {
  const upstream = block("upstream restwell")
  expect(upstream).toMatch(/keepalive 64;/)
  expect(Number(/keepalive_timeout (\d+)s;/.exec(upstream)?.[1])).toBeLessThan(75)
})

test("only requests that certainly had no effect are repeated", () => {
  expect(text.match(/proxy_next_upstream .*;/g)).toEqual(["proxy_next_upstream http_502 non_idempotent;"])
  expect(block("location @not_answered")).toMatch(/if \(\$upstream_bytes_sent != 0\) \{\s*return 502;/)
})

test("a read that waits a minute for its score, and a deletion of much, are not cut off", () => {
  for (const [, seconds] of text.matchAll(/proxy_read_timeout (\d+)s;/g)) expect(Number(seconds)).toBeGreaterThan(60)
  expect(text).toMatch(/^ {4}proxy_read_timeout /m)
})

test("event streams are passed on without buffering", () => {
  expect(block("location /api/mcp/oauth")).toContain("proxy_buffering off;")
})

test("/metrics is not public", () => {
  expect(block("location = /metrics")).toMatch(/return 404 '\{"error":"route_not_found"/)
})

test("a log line contains no query string, which may contain a code", () => {
  expect(text).not.toMatch(/\$(?:request|request_uri|args|query_string)\b/)
})

test.skipIf(program === undefined)(
  `nginx itself takes the configuration${program === undefined ? " (skipped: there is no nginx on the PATH, nor in NGINX)" : ""}`,
  async () => {
    expect(await testConfiguration(program ?? "")).toMatch(/syntax is ok[\s\S]*test is successful/)
  },
)
