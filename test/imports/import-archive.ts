import type { Import } from "@restwell/client"
import { listImports, receiveImport, runImports } from "@restwell/core"
import type { World } from "@restwell/testing/world"

interface Upload {
  readonly bytes: Buffer
  readonly fileName?: string
  readonly includesPrivate?: boolean
}

/** Uploads an archive and reads it to its end. */
export async function importArchive({ context }: Pick<World, "context">, userId: string, upload: Upload) {
  const { bytes, fileName = "my_whoop_data.zip", includesPrivate = false } = upload
  const content = (async function* () {
    for (let start = 0; start < bytes.length; start += 60_000) yield bytes.subarray(start, start + 60_000)
  })()
  const id = await receiveImport(context, { userId, fileName, content, includesPrivate: () => includesPrivate })
  await runImports(context, { signal: new AbortController().signal })
  return readImport({ context }, userId, id)
}

export async function readImport({ context }: Pick<World, "context">, userId: string, id: string) {
  const found = (await listImports(context, userId)).find((listed) => listed.id === id)
  if (!found) throw new Error("the import is not listed")
  return found
}

export type { Import }

/** All rows of a person that an import may touch, as text. */
export async function everythingOf({ store }: Pick<World, "store">, userId: string): Promise<string> {
  const { rows } = await store.pool.query<{ all: string }>(
    `select jsonb_build_object(
       'records', (select jsonb_agg(to_jsonb(r) order by provider, kind, provider_id) from restwell.record r where user_id = $1),
       'profiles', (select jsonb_agg(to_jsonb(r) order by provider) from restwell.profile r where user_id = $1),
       'imports', (select jsonb_agg(to_jsonb(r) order by id) from restwell.import r where user_id = $1),
       'parts', (select count(*) from restwell.import_part r where user_id = $1),
       'rows', (select count(*) from restwell.import_record r where user_id = $1),
       'answers', (select count(*) from restwell.journal_answer r where user_id = $1),
       'connection', (select jsonb_agg(to_jsonb(r) - 'status_changed_at' order by provider) from restwell.connection r where user_id = $1),
       'offset', (select utc_offset_minutes from restwell.person r where user_id = $1))::text as all`,
    [userId],
  )
  return rows[0]?.all ?? ""
}
