/** What a vendor call is for, first what matters most: the app's budget serves them in this order. */
export const CALL_PURPOSES = ["person", "event", "reconciliation", "refresh", "history"] as const
export type CallPurpose = (typeof CALL_PURPOSES)[number]

/**
 * All calls of a vendor's app come from one budget. The figure is how much of it may be spent before this purpose has to wait: what was told
 * a moment ago goes before what may come later, and the history takes what is left.
 */
export const SHARE_OF_BUDGET: Readonly<Record<CallPurpose, number>> = {
  /** Somebody waits for it: connecting, or a sync that was asked for. */
  person: 1,
  /** The vendor told of a change. */
  event: 1,
  /** Looking for what no event told of. */
  reconciliation: 0.9,
  /** Asking for news. */
  refresh: 0.8,
  /** The years before. */
  history: 0.7,
}

/**
 * What is kept back for the others need not be more than they can use, calls for each person: a night takes four within a minute, and a day ten. So
 * the first history of a household is there within the minute.
 */
export const CALLS_KEPT_BACK = { perMinute: 4, perDay: 10 } as const

/** What the history may spend while something that was told waits to be read: it goes on, but events have nearly all of every minute. */
export const HISTORY_SHARE_BESIDE_EVENTS = 0.2
