import { expect, test } from "vitest"
import { readVendorSettings } from "./vendor-settings.ts"

test("credentials of apps are one line, because they are sent in forms, headers and addresses", () => {
  const notPlain = "must be one line of plain characters: copy it again from the page of your app"
  const { wrong } = readVendorSettings({ OURA_CLIENT_ID: "id\nother", OURA_CLIENT_SECRET: "a\r\nb" })
  expect(wrong).toEqual([`OURA_CLIENT_ID ${notPlain}, not "id\\nother"`, `OURA_CLIENT_SECRET ${notPlain}`])
  expect(readVendorSettings({ OURA_CLIENT_ID: "an id", OURA_CLIENT_SECRET: "a~!secret" }).wrong).toEqual([])
})
