import { InvalidRequest } from "@restwell/core"
import { dictionary } from "@zxcvbn-ts/language-common"
import fc from "fast-check"
import { expect, test } from "vitest"
import { requireGoodPassword } from "./password-rule.ts"

const EMAIL = "ada.lovelace90@mail.analytical.example"

async function problemOf(password: string, email = EMAIL): Promise<string> {
  const error: unknown = await requireGoodPassword(password, email, "newPassword").catch((cause: unknown) => cause)
  if (error === undefined) return ""
  expect(error).toBeInstanceOf(InvalidRequest)
  expect(error).toMatchObject({ field: "newPassword" })
  return error instanceof InvalidRequest ? error.message.replace("newPassword ", "") : ""
}

test.each([
  ["seven77", /at least 8 characters/],
  ["🙂🙂🙃🙃🙂🙃🙂", /at least 8 characters/],
  ["e\u0301e\u0301e\u0301e\u0301", /at least 8 characters/],
  ["x y".repeat(43), /at most 128 characters/],
  ["        ", /blanks/],
  ["\u3000\u00a0\t \u200b\u2003 \u00a0", /blanks/],
  ["aaaaaaaa", /repeat one character/],
  ["aAaAaAaAaA", /repeat one character/],
  ["🙂".repeat(12), /repeat one character/],
  ["password", /most common/],
  ["Password1", /most common/],
  ["my-login-account", /words like password and login/],
  ["iloveyou", /most common/],
  ["QwertyUIOP", /most common/],
  ["1234567890", /most common/],
  ["ｉｌｏｖｅｙｏｕ", /most common/],
  [EMAIL, /email address/],
  [EMAIL.toUpperCase(), /email address/],
  ["ada.lovelace90", /email address/],
  ["Lovelace", /email address/],
  ["lovelace1990!", /email address/],
  ["2024-Ada-Lovelace", /email address/],
  ["analytical", /email address/],
  ["Analytical.Example", /email address/],
  ["mailmailmail", /email address/],
  ["restwell", /name of this service/],
  ["RestWell2026!", /name of this service/],
  ["rest-well-1", /name of this service/],
  ["r3stw3ll", /name of this service/],
  ["R35tw3ll99", /name of this service/],
  ["myRestwellPassword", /name of this service/],
  ["restwelllovelace", /name of this service/],
])("refuses %j, and says why", async (password, reason) => {
  expect(await problemOf(password)).toMatch(reason)
})

test.each([
  "correct horse battery staple",
  "restwell is for tired people",
  "lovelace wrote notes",
  "8 blanks and 1 word",
  "пароль из слов",
  "🙂🙃🙂🙃🙂🙃🙂🙃",
  "x y".repeat(42),
  "🙂🙃".repeat(64),
])("accepts %j", async (password) => {
  expect(await problemOf(password)).toBe("")
})

test("an email address of one-letter parts does not forbid their letters", async () => {
  expect(await problemOf("baobabs and cabs", "a@b.co")).toBe("")
  expect(await problemOf("abbaabba", "a@b.co")).toMatch(/email address/)
})

test("a part of digits is refused too", async () => {
  expect(await problemOf("4915112345678", "4915112345678@example.com")).toMatch(/email address/)
})

test("refuses each of the 10,000 most common passwords that are long enough, in any case", async () => {
  const common = dictionary["passwords-common"].slice(0, 10_000)
  expect(common).toHaveLength(10_000)
  const accepted: string[] = []
  for (const password of common)
    for (const spelling of [password, password.toUpperCase()])
      if ((await problemOf(spelling)) === "") accepted.push(spelling)
  expect(accepted).toEqual([])
})

test("decides by the characters alone, in whichever normal form they come", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 40 }), async (password) => {
      const problem = await problemOf(password)
      for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) expect(await problemOf(password.normalize(form))).toBe(problem)
    }),
  )
})

test("refuses every word of the address in any case, with digits and signs around it", async () => {
  const words = fc.constantFrom("ada", "lovelace", "mail", "analytical", "example", "restwell")
  const decoration = fc.stringMatching(/^[0-9!_.-]{0,6}$/)
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 2, maxLength: 4 }), decoration, decoration, async (chosen, a, b) => {
      const password = `${a}${chosen.join(b)}`
      expect(await problemOf(password)).not.toBe("")
      expect(await problemOf(password.toUpperCase())).not.toBe("")
    }),
  )
})

test("never takes long", async () => {
  const started = performance.now()
  await problemOf("a".repeat(127).concat("!b"), `${"a.aa.aaa.".repeat(7)}a@a.example`)
  expect(performance.now() - started).toBeLessThan(200)
})
