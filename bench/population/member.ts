import { hash } from "node:crypto"
import { type ApiKey, apiKeyOf } from "@restwell/core"

const FIRST_VENDOR_USER_ID = 10_000_000

/** The API key of a person of the population, for a program that makes load. */
export const apiKeyOfMember = (number: number): string => apiKeyOf(base62(`key ${number}`)).text

/** The user id of a person of the population: 32 random letters and digits, as from better-auth. */
export const userIdOfMember = (number: number): string => base62(`user ${number}`)

/** The identifiers of one person of the population. All are derived from the person's number, when they are first used. */
export class PopulationMember {
  readonly #number: number
  /** The person's number at the vendor. */
  readonly vendorUserId: string
  #userId: string | undefined
  #recordIdPrefix: string | undefined
  #key: ApiKey | undefined

  constructor(number: number) {
    this.#number = number
    this.vendorUserId = String(FIRST_VENDOR_USER_ID + number)
  }

  get userId(): string {
    this.#userId ??= userIdOfMember(this.#number)
    return this.#userId
  }

  get email(): string {
    return `member-${this.#number}@example.com`
  }

  /** The end of this person's cycle ids, after 5 digits for the cycle. */
  get cycleIdSuffix(): string {
    return this.vendorUserId
  }

  /** The first 12 hexadecimal digits of the ids of this person's records. */
  get recordIdPrefix(): string {
    if (this.#recordIdPrefix === undefined) {
      const digits = hash("sha256", `records ${this.#number}`)
      this.#recordIdPrefix = `${digits.slice(0, 8)}-${digits.slice(8, 12)}`
    }
    return this.#recordIdPrefix
  }

  /** The API key's hash, as hexadecimal digits. */
  get keyHash(): string {
    return this.#apiKey.keyHash
  }

  get keyPrefix(): string {
    return this.#apiKey.prefix
  }

  get #apiKey(): ApiKey {
    this.#key ??= apiKeyOf(base62(`key ${this.#number}`))
    return this.#key
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 32 base62 characters from a byte each. Their slight bias does not matter here. */
function base62(seed: string): string {
  let text = ""
  for (const byte of hash("sha256", seed, "buffer")) text += ALPHABET.charAt(byte % ALPHABET.length)
  return text
}
