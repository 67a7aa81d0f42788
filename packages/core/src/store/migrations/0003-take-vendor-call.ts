import { type Kysely, sql } from "kysely"

/**
 * Takes one call from the budget of a vendor's app, which all users and processes share. Returns the seconds to wait when there
 * is none left, zero when the call may be made. The windows slide, so no alignment of ours with the vendor's can exceed them;
 * one second more than the window allows for calls that travel at different speeds.
 */
const takeVendorCall = `
create function restwell.take_vendor_call(vendor text, at timestamptz, per_minute integer, per_day integer)
returns double precision language plpgsql as $$
declare
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('restwell.vendor_call'), hashtext(vendor));
  select max(candidate) into free_at from (
    select p.until as candidate from restwell.vendor_pause p where p.provider = vendor
    union all
    (select c.called_at + interval '61 seconds' from restwell.vendor_call c where c.provider = vendor and c.called_at <= at
     order by c.called_at desc offset per_minute - 1 limit 1)
    union all
    (select c.called_at + interval '86401 seconds' from restwell.vendor_call c where c.provider = vendor and c.called_at <= at
     order by c.called_at desc offset per_day - 1 limit 1)
  ) as limits;
  if free_at > at then
    return extract(epoch from free_at - at);
  end if;
  insert into restwell.vendor_call (provider, called_at) values (vendor, at);
  delete from restwell.vendor_call c where c.provider = vendor and c.called_at < at - interval '2 days';
  return 0;
end $$;
`

export const createTakeVendorCall = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(takeVendorCall).execute(database)
  },
}
