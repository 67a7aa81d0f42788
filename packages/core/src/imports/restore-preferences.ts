import { sql, type Transaction } from "kysely"
import type { Database } from "../store/database.ts"
import type { SourceChoice } from "../store/source-preferences.ts"
import type { SourceOrder } from "./staged-item.ts"

/** Which sources the person of an export prefers. */
export interface StagedPreferences {
  readonly order: readonly SourceOrder[]
  readonly choices: readonly SourceChoice[]
}

interface ImportKey {
  readonly userId: string
  readonly id: string
}

/** Restores the order and the choices of an export, each if the person has none. The import remembers what it restored. */
export async function restorePreferences(
  transaction: Transaction<Database>,
  { userId, id }: ImportKey,
  { order, choices }: StagedPreferences,
): Promise<void> {
  if (order.length + choices.length === 0) return
  await sql`
    with restored_order as (
      insert into restwell.source_order (user_id, type, providers)
      select ${userId}, o.type, o.providers from jsonb_to_recordset(${JSON.stringify(order)}::jsonb) as o (type text, providers text[])
      where not exists (select from restwell.source_order where user_id = ${userId})
      on conflict do nothing returning type, providers
    ), restored_choices as (
      insert into restwell.source_choice (user_id, type, date, provider)
      select ${userId}, c.type, c.date, c.provider
      from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as c (type text, date date, provider text)
      where not exists (select from restwell.source_choice where user_id = ${userId})
      on conflict do nothing returning type, date, provider
    )
    update restwell.import set restored = jsonb_build_object(
      'order', (select coalesce(jsonb_agg(o), '[]') from restored_order o),
      'choices', (select coalesce(jsonb_agg(c), '[]') from restored_choices c))
    where user_id = ${userId} and id = ${id}
  `.execute(transaction)
}

/** Removes what an import restored, unless the person changed it since. */
export async function removeRestored(transaction: Transaction<Database>, { userId, id }: ImportKey): Promise<void> {
  await sql`
    with restored as (select restored from restwell.import where user_id = ${userId} and id = ${id}), order_gone as (
      delete from restwell.source_order s
      using restored, jsonb_to_recordset(restored.restored -> 'order') as o (type text, providers text[])
      where s.user_id = ${userId} and s.type = o.type and s.providers = o.providers
    )
    delete from restwell.source_choice s
    using restored, jsonb_to_recordset(restored.restored -> 'choices') as c (type text, date date, provider text)
    where s.user_id = ${userId} and s.type = c.type and s.date = c.date and s.provider = c.provider
  `.execute(transaction)
}
