import { createRecordEdits, type RecordEdits } from "../edits/record-edits.ts"
import type { PersonReference } from "../people/people.ts"
import type { Collection } from "../records/collection.ts"
import type { Webhooks } from "../webhooks/webhooks.ts"
import type { PersonDocuments } from "./records/person-documents.ts"
import type { OuraDocuments } from "./records/wire.ts"
import { writeMeta } from "./records/write.ts"
import type { OuraVendor } from "./vendor.ts"

/** The edits of each collection. An edit changes no other document. */
export type OuraEdits = { readonly [Name in keyof OuraDocuments]: RecordEdits<OuraDocuments[Name]> }

export function createOuraEdits({ people, documentsOf }: OuraVendor, webhooks: Webhooks): OuraEdits {
  const editsOf = <T extends { id: string }>(
    name: string,
    collectionOf: (of: PersonDocuments["of"]) => Collection<T>,
  ) =>
    createRecordEdits<T>(webhooks, (person: PersonReference) => ({
      collection: collectionOf(documentsOf(person).of),
      keyOf: ({ id }) => id,
      stamp: (atMs) => (name === "enhanced_tag" ? {} : { meta: { updated_at: writeMeta(atMs).updated_at } }),
      follow: (id, verb, atMs) => [
        { atMs, userId: people.get(person).userId, type: `${name}.${verb === "deleted" ? "delete" : "update"}`, id },
      ],
    }))
  return {
    sleep: editsOf("sleep", ({ sleep }) => sleep),
    daily_sleep: editsOf("daily_sleep", ({ daily_sleep }) => daily_sleep),
    daily_readiness: editsOf("daily_readiness", ({ daily_readiness }) => daily_readiness),
    daily_spo2: editsOf("daily_spo2", ({ daily_spo2 }) => daily_spo2),
    daily_stress: editsOf("daily_stress", ({ daily_stress }) => daily_stress),
    daily_activity: editsOf("daily_activity", ({ daily_activity }) => daily_activity),
    workout: editsOf("workout", ({ workout }) => workout),
    session: editsOf("session", ({ session }) => session),
    enhanced_tag: editsOf("enhanced_tag", ({ enhanced_tag }) => enhanced_tag),
  }
}
