/** One row at most. */
export interface OwnerTable {
  user_id: string | null
}

export interface ServiceSettingTable {
  /** The environment variable that takes precedence. */
  name: string
  key_id: string
  sealed: Buffer
  updated_at: Date
}
