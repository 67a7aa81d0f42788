import { type Kysely, sql } from "kysely"

/** The refresh token's own key: a vendor that leaves the refresh token out has the access token alone sealed anew. */
const grantKeys = `
alter table restwell.vendor_grant add column refresh_key_id text;
update restwell.vendor_grant set refresh_key_id = key_id where refresh_token is not null;
`

export const addGrantKeys = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(grantKeys).execute(database)
  },
}
