import { expect, test } from "vitest"
import { reachOf } from "./addresses.ts"

test.each([
  ["this_computer", ["localhost", "app.localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]", "::ffff:127.0.0.1"]],
  ["home", ["restwell", "nas.local", "box.lan", "192.168.1.20", "10.0.0.5", "100.64.0.1", "[fd00::1]", "0.0.0.0"]],
  ["internet", ["restwell.example.com", "localhost.example.com", "9.9.9.9", "[2620:fe::fe]", ""]],
] as const)("%s", (reach, hosts) => {
  expect(hosts.map((host) => [host, reachOf(host)])).toEqual(hosts.map((host) => [host, reach]))
})
