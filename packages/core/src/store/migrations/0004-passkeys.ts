import { type Kysely, sql } from "kysely"

/** The table of @better-auth/passkey 1.7.6, in its own spelling. A credential belongs to one person, everywhere. */
const passkeys = `
create table restwell.passkey (
  id text primary key,
  name text,
  "publicKey" text not null,
  "userId" text not null references restwell."user" (id) on delete cascade,
  "credentialID" text not null unique,
  counter integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamptz default current_timestamp,
  aaguid text
);
create index passkey_by_user on restwell.passkey ("userId");
`

export const createPasskeys = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(passkeys).execute(database)
  },
}
