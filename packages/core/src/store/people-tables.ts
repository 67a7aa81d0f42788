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
  /** Whether an e-mail tells the person when a connection has to be renewed. */
  reconnect_mail: Generated<boolean>
}

export interface InvitationTable {
  id: Generated<string>
  /** SHA-256 of the link's token. */
  token_hash: Buffer
  /** The only address that may accept it. */
  email: string | null
  plan: Plan
  created_at: Date
  expires_at: Date
  /** Address of the account that is being created with it. */
  claimed_for: string | null
  claimed_at: Date | null
}

export interface PasswordResetTable {
  user_id: string
  /** SHA-256 of the link's token. */
  token_hash: Buffer
  removes_two_factor: boolean
  created_at: Date
  expires_at: Date
}

export type MailKind = "password_reset" | "reconnect" | "invitation"

export interface MailTable {
  id: Generated<string>
  kind: MailKind
  user_id: string | null
  /** The address that somebody typed. Null where the person or the invitation has it. */
  address: string | null
  provider: string | null
  invitation_id: string | null
  created_at: Date
  due_at: Date
  expires_at: Date
  attempts: Generated<number>
  sent_at: Date | null
  /** The mail server's answer to the last try. */
  error: string | null
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
