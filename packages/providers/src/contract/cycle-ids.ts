/** Sources whose cycles or days have ids of their own, which their recoveries tell. Others have one day for each date. */
const WITH_OWN_CYCLE_IDS: ReadonlySet<string> = new Set(["whoop", "oura"])

/** True where a recovery without the id of a cycle belongs to the day of its date. */
export const hasDayForEachDate = (provider: string): boolean => !WITH_OWN_CYCLE_IDS.has(provider)
