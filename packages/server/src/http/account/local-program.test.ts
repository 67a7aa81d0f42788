import { expect, test } from "vitest"
import { localProgram } from "./account.ts"

test.each(["http://localhost:3000", "http://127.0.0.1:8080"])(
  "%s shows the absolute command of this installation",
  (url) => {
    expect(localProgram(url)).toEqual({
      command: process.execPath,
      args: [expect.stringMatching(/^\/.+\/packages\/server\/bin\/restwell\.js$/), "mcp"],
    })
  },
)

test.each(["https://restwell.example", "https://localhost.example", "http://192.168.1.20:3000"])(
  "%s shows no path of its machine",
  (url) => {
    expect(localProgram(url)).toBeNull()
  },
)
