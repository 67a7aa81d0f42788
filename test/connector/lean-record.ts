/** A record as an assistant gets it, made from the one of REST in another way. */
export function leanRecord(
  { start_local, end_local, zones, ...record }: Record<string, unknown>,
  type: string,
): Record<string, unknown> {
  // The last three would not fit for 90 nights.
  const dropped = new Set([
    "id",
    "cycle_id",
    "start",
    "end",
    "source",
    "chosen_because",
    "contributors",
    "times_awake",
    "latency_minutes",
  ])
  const own: Record<string, unknown> = {
    sleep: { bedtime: String(start_local).slice(11, 16), wake_time: String(end_local).slice(11, 16) },
    workout: {
      start_time: String(start_local).slice(11, 16),
      zone_hours: zones === null ? null : Object.values(Object(zones)),
    },
    cycle: { is_open: end_local === null ? true : null },
  }
  const all = { ...record, ...Object(own[type]) }
  return JSON.parse(
    JSON.stringify(all, (name, value) => {
      if (dropped.has(name) || value === null) return undefined
      if ((name === "is_nap" && value === false) || (name === "score_state" && value === "scored")) return undefined
      return value
    }),
    (_, value) => (typeof value === "object" && Object.keys(value).length === 0 ? undefined : value),
  )
}
