import type { Generated } from "kysely"
import type { Plan } from "../quota/plans.ts"

/** better-auth's table. Only the columns that core reads. */
export interface UserTable {
  id: string
  name: string
  email: string
  createdAt: Date
}

export interface PersonTable {
  user_id: string
  plan: Generated<Plan>
  /** IANA name. It defines "today" until there is a record. */
  time_zone: string | null
  /** Grows with every change of an answer: equal versions mean equal bytes for the same dates. */
  data_version: Generated<string>
  /** Minutes east of UTC, from the newest record. */
  utc_offset_minutes: number | null
}

export interface ApiKeyTable {
  user_id: string
  /** SHA-256 of the key. The key itself is not stored. */
  key_hash: Buffer
  prefix: string
  created_at: Date
  last_used_at: Date | null
}

export interface UsageTable {
  user_id: string
  /** First day of the UTC month. */
  month: string
  used: number
  /** The same by UTC day of the month: 31 entries. */
  by_day: number[]
}

export interface AttemptTable {
  /** SHA-256 of the account, address or network that the attempts are counted for. */
  subject: Buffer
  count: number
  began_at: Date
  expires_at: Date
}
