import { expect, test } from "vitest"
import { type ProgressOptions, showProgress } from "./terminal.ts"

/** Runs work whose share grows by a hundredth each 100 ms. Returns what is written. */
function written(options: Partial<ProgressOptions> & { readonly isTTY: boolean; readonly steps?: number }): string[] {
  const texts: string[] = []
  let milliseconds = 0
  const output = { isTTY: options.isTTY, write: (text: string) => texts.push(text) }
  {
    using progress = showProgress({ label: "importing", now: () => milliseconds, output, ...options })
    for (let step = 0; step <= (options.steps ?? 100); step += 1) {
      progress.update(step / 100)
      milliseconds += 100
    }
  }
  return texts
}

test("a terminal shows a bar on one line, and the line is cleared at the end", () => {
  const texts = written({ isTTY: true })
  expect(texts.at(39)).toBe(`\r\u001b[Kimporting [${"=".repeat(15)}${" ".repeat(15)}] 50 %`)
  expect(texts.at(-1)).toBe("\r\u001b[K")
  expect(texts.join("")).not.toContain("\n")
})

test("without a terminal there is a line for every tenth, once", () => {
  expect(written({ isTTY: false })).toEqual(
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((percent) => `importing: ${percent} %\n`),
  )
})

test.each([true, false])("quick work and silent work show nothing (terminal: %s)", (isTTY) => {
  expect(written({ isTTY, steps: 9 })).toEqual([])
  expect(written({ isTTY, isSilent: true })).toEqual([])
})

test("each part has its own bar", () => {
  const texts: string[] = []
  let milliseconds = 0
  using progress = showProgress({
    label: "re-encrypting",
    now: () => milliseconds,
    output: { write: (text) => texts.push(text) },
  })
  for (const part of ["vendor tokens", "signing keys"]) {
    milliseconds += 2000
    progress.update(1, part)
  }
  expect(texts).toEqual(["re-encrypting vendor tokens: 100 %\n", "re-encrypting signing keys: 100 %\n"])
})
