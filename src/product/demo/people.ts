import type { Registry } from '../../engine/registry/registry';
import type { Transaction } from '../../server/database/database';
import { storeConfirmedAddress } from '../../server/accounts/users/confirmed-addresses';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { activeStatus } from '../../server/accounts/users/user-status';
import { demoAccounts, harbourOwner, type DemoAccount } from './accounts';
import type { Calendar } from './calendar';
import { getOrThrow, itemAt, requireValue } from '../../engine/values/lookups';

/** A company of the demo data and who works there. */
export interface DemoCompany {
  readonly site: number;
  readonly owner: number;
  /** Ids by the part of the address before the `@`. */
  readonly people: Readonly<Record<string, number>>;
}

const companies = [
  {
    name: 'Demo Testing Ltd',
    address: 'Speicherstadt 14',
    city: 'Hamburg',
    post_code: '20457',
    state: 'Hamburg',
    country: 'Germany',
    description: 'Independent testing for web, mobile and connected products.',
    time_zone: 'Europe/Berlin',
  },
  {
    name: 'Harbour Software',
    address: 'Järntorget 7',
    city: 'Göteborg',
    post_code: '413 04',
    state: 'Västra Götaland',
    country: 'Sweden',
    description: 'Software for ferries and ports.',
    time_zone: 'Europe/Stockholm',
  },
];

/** Stores the two companies and all accounts, with the same password. Returns the companies, in that order. */
export async function storePeople(
  trx: Transaction,
  registry: Registry,
  calendar: Calendar,
  password: string,
): Promise<[DemoCompany, DemoCompany]> {
  const [sites, users] = [registry.getOrThrow('sites'), registry.getOrThrow('users')];
  const [first, second] = (await nextIds(trx, sites, 2)) as [number, number];
  const founded = stamps(calendar.at(-500, 8, 0), null);
  await insertRows(trx, sites, [
    { id: first, ...companies[0], ...founded },
    { id: second, ...companies[1], ...founded },
  ]);

  const accounts: readonly DemoAccount[] = [...demoAccounts, harbourOwner];
  const ids = await nextIds(trx, users, accounts.length);
  const idsByAccount = new Map(accounts.map((account, index) => [account, itemAt(ids, index)]));
  const idOf = (account: DemoAccount) => getOrThrow(idsByAccount, account);
  const owner = idOf(
    requireValue(
      demoAccounts.find(({ role_id }) => role_id === 2),
      'the account of an owner',
    ),
  );
  const rows = accounts.map((account, index) => {
    const site = account === harbourOwner ? second : account.role_id === 1 ? null : first;
    const creator = account.role_id > 2 ? owner : null;
    const created = calendar.at(-500 + index * 3, 8, 12 + index);
    return {
      id: idOf(account),
      ...account,
      site_id: site,
      status_id: activeStatus,
      password,
      ...stamps(created, creator),
    };
  });
  await insertRows(trx, users, rows);
  for (const id of ids) await storeConfirmedAddress(trx, id);

  const people = Object.fromEntries(demoAccounts.map((account) => [nameOf(account), idOf(account)]));
  const harbour = idOf(harbourOwner);
  return [
    { site: first, owner, people },
    { site: second, owner: harbour, people: { owner: harbour } },
  ];
}

/** Stamps of a row that was never changed. */
export function stamps(time: string, creator: number | null) {
  return { created_at: time, updated_at: time, created_by: creator, updated_by: creator };
}

function nameOf({ email }: DemoAccount): string {
  return email.slice(0, email.indexOf('@'));
}
