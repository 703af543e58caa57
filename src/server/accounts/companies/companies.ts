import type { Program } from '../../program';
import { publishRecordChange } from '../../records/write/row-writes';
import { queueOccasionMail } from '../mails/mails';
import { insertRows, nextIds } from '../insert-rows';
import { activeStatus } from '../users/user-status';
import { firstOf } from '../../../engine/values/lookups';

/** Who registers a company, with the password's hash. */
export interface Founder {
  readonly first_name: string;
  readonly last_name: string;
  readonly site_name: string;
  readonly email: string;
  readonly phone_number?: string | null;
}

/** The shipped role of an owner. */
const ownerRole = 2;

/**
 * Creates a company and its owner in one transaction. Returns the owner's id. Does not check whether the address is
 * already in use: it belongs to whoever confirms it, and only a mail to that address tells.
 */
export async function createCompany(program: Program, founder: Founder & { password: string }): Promise<number> {
  const registry = program.definitions.registry();
  const [sites, users] = [registry.getOrThrow('sites'), registry.getOrThrow('users')];
  const { site_name, ...person } = founder;
  return program.database.transaction(async (trx) => {
    const site = firstOf(await nextIds(trx, sites, 1));
    const owner = firstOf(await nextIds(trx, users, 1));
    const now = new Date().toISOString();
    const stamps = { created_by: owner, updated_by: owner, created_at: now, updated_at: now };
    const company = { id: site, name: site_name, ...stamps, created_by: null, updated_by: null };
    await insertRows(trx, sites, [company]);
    const account = { id: owner, ...person, role_id: ownerRole, status_id: activeStatus, site_id: site, ...stamps };
    await insertRows(trx, users, [account]);
    await trx.updateTable(sites.table).set({ created_by: owner, updated_by: owner }).where('id', '=', site).execute();
    await queueOccasionMail(program, trx, 'confirm_address', { user_id: owner });
    publishRecordChange(program, sites, company, 'created', trx);
    publishRecordChange(program, users, account, 'created', trx);
    return owner;
  });
}
