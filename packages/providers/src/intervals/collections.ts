import type { VendorCollections } from "../contract/collections.ts"

/** What intervals.icu lists: rows of days, of which weights are asked for apart, and activities. */
export const INTERVALS_COLLECTIONS: VendorCollections = {
  all: [
    { name: "wellness", title: "days", holds: ["recovery", "cycle"], isEssential: true },
    { name: "activities", title: "workouts", holds: ["workout"] },
    { name: "weight", title: "weights", holds: ["samples"] },
  ],
  allowStep: "Enter a new key of intervals.icu",
}
