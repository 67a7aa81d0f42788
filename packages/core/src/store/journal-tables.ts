/** Entries of a journal that a vendor's API has. */
export interface JournalEntryTable {
  user_id: string
  provider: string
  provider_id: string
  /** Local date of waking. */
  date: string
  at: Date
  utc_offset_minutes: number
  question: string
  factor: string
  answer: boolean
}
