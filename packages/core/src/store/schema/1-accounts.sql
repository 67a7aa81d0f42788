-- Accounts: the tables of better-auth 1.7.7 and of @better-auth/passkey 1.7.6, in their own spelling.
-- A test runs better-auth's own schema check against them.

create table restwell."user" (
  id text primary key,
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "twoFactorEnabled" boolean default false
);

create table restwell.session (
  id text primary key,
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references restwell."user" (id) on delete cascade
);
create index session_by_user on restwell.session ("userId");

create table restwell.account (
  id text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references restwell."user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index account_by_user on restwell.account ("userId");

create table restwell.verification (
  id text primary key,
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index verification_by_identifier on restwell.verification (identifier);
create index verification_by_end on restwell.verification ("expiresAt");

create table restwell."rateLimit" (
  id text primary key,
  key text not null unique,
  count integer not null,
  "lastRequest" bigint not null
);

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

-- Sign-in codes. `secret` and `backupCodes` are sealed with the operator's secret: "key id.bytes in base64url".
create table restwell."twoFactor" (
  id text primary key,
  secret text not null,
  "backupCodes" text not null,
  "userId" text not null references restwell."user" (id) on delete cascade,
  verified boolean default true,
  "failedVerificationCount" integer default 0,
  "lockedUntil" timestamptz
);
create index two_factor_by_secret on restwell."twoFactor" (secret);
create unique index two_factor_by_user on restwell."twoFactor" ("userId");
