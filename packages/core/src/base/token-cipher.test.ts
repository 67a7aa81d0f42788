import { expect, test } from "vitest"
import { createTokenCipher, type Secrets, UnreadableSecret } from "./encryption.ts"

const SECRET = "a secret of at least thirty-two characters"
const OTHER_SECRET = "another secret of at least thirty-two chars"

test("opens the values it sealed", () => {
  const cipher = createTokenCipher([SECRET])
  expect(cipher.open(cipher.seal("token", "ada/whoop/access_token"), "ada/whoop/access_token")).toBe("token")
})

test("seals the same token to other bytes each time", () => {
  const cipher = createTokenCipher([SECRET])
  expect(cipher.seal("token", "row").bytes).not.toEqual(cipher.seal("token", "row").bytes)
})

test("does not open a token that was moved to another row", () => {
  const cipher = createTokenCipher([SECRET])
  expect(() => cipher.open(cipher.seal("token", "ada/whoop/access_token"), "bob/whoop/access_token")).toThrow()
})

test("does not open changed bytes, whichever byte changed", () => {
  const cipher = createTokenCipher([SECRET])
  const sealed = cipher.seal("token", "row")
  for (let index = 0; index < sealed.bytes.length; index += 1) {
    const bytes = Buffer.from(sealed.bytes)
    bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index)
    expect(() => cipher.open({ keyId: sealed.keyId, bytes }, "row")).toThrow(UnreadableSecret)
  }
})

test("opens values of a former secret, and seals with the current one", () => {
  const former = createTokenCipher([SECRET]).seal("token", "row")
  const cipher = createTokenCipher([OTHER_SECRET, SECRET])
  expect(cipher.open(former, "row")).toBe("token")
  expect(cipher.seal("token", "row").keyId).not.toBe(former.keyId)
})

test("names the missing key", () => {
  const sealed = createTokenCipher([SECRET]).seal("token", "row")
  expect(() => createTokenCipher([OTHER_SECRET]).open(sealed, "row")).toThrow(sealed.keyId)
})

test("follows changed secrets: seals with the new one, and still opens values of the old one", () => {
  let secrets: Secrets = [SECRET]
  const cipher = createTokenCipher(() => secrets)
  const before = cipher.seal("token", "row")
  const elsewhere = createTokenCipher([OTHER_SECRET, SECRET]).seal("moved", "row")
  expect(() => cipher.open(elsewhere, "row")).toThrow(UnreadableSecret)
  secrets = [OTHER_SECRET]
  expect(cipher.open(elsewhere, "row")).toBe("moved")
  expect(cipher.currentKeyId()).toBe(elsewhere.keyId)
  expect(cipher.seal("token", "row").keyId).toBe(elsewhere.keyId)
  expect(cipher.open(before, "row")).toBe("token")
})
