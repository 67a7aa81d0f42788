-- What each access token of a batch gives. A token without a row is not valid.
--   $1 hashes of the tokens in hex, $2 time, $3 latest expiry that is believed, $4 resource
select batch.position, t.user_id as "userId", t.client_id as "clientId", t.payload ->> 'scope' as "tokenScope",
  t.expires_at as "expiresAt", a.name as assistant, a.scopes, a.declined, a.days,
  p.utc_offset_minutes as "utcOffsetMinutes", p.time_zone as "timeZone",
  p.units, p.clock, p.first_weekday
from unnest($1::text[]) with ordinality as batch(token_hash, position)
join restwell.oauth_record t on t.id_hash = decode(batch.token_hash, 'hex') and t.kind = 'AccessToken'
join restwell.oauth_record g on g.id_hash = t.grant_hash and g.kind = 'Grant'
join restwell.assistant a on a.user_id = t.user_id and a.client_id = t.client_id
join restwell.person p on p.user_id = t.user_id
where t.expires_at > $2 and t.expires_at < $3 and t.payload ->> 'aud' = $4
