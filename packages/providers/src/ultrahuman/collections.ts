import type { VendorCollections } from "../contract/collections.ts"

/** What Ultrahuman lists: all figures of a date at once. Values within the day are asked for apart, so they fail apart. */
export const ULTRAHUMAN_COLLECTIONS: VendorCollections = {
  all: [
    { name: "daily_metrics", title: "nights and days", holds: ["cycle", "sleep", "recovery"], isEssential: true },
    { name: "samples", title: "values within the day", holds: ["samples"] },
  ],
  allowStep: "Enter a new token of Ultrahuman",
}
