import type { Queries, Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import { lockSchema } from '../database/schema-lock';
import type { DemoData, Program } from '../program';
import { hashPassword } from '../secrets/passwords';

/** The demo data of a product. */
interface DemoContent {
  /** The password of every account. */
  readonly password: string;
  /** The addresses of all accounts. */
  readonly addresses: readonly string[];
  /** Those that the sign-in page offers; all by default. */
  readonly offeredAddresses?: readonly string[];
  /** Stores the accounts, with this hash as their password, and the records; days are relative to `now`. */
  store(program: Program, trx: Transaction, hash: string, now: Date): Promise<void>;
}

interface CreatedDemoData extends DemoData {
  load(program: Program, now?: Date): Promise<boolean>;
}

/**
 * The demo data of a product, loaded into an empty database (without users) in one transaction. Accounts belong to it as
 * long as they have its password.
 *
 * @example
 *   demoData: createDemoData({ password: 'Demo@1234', addresses: ['owner@demo.test'], store: storePeople });
 */
export function createDemoData({
  password,
  addresses,
  offeredAddresses = addresses,
  store,
}: DemoContent): CreatedDemoData {
  return {
    password,
    async loadAccounts({ database }) {
      const accounts = await findDemoAccounts(database.kysely, addresses);
      return accounts
        .filter(({ email }) => offeredAddresses.includes(email))
        .map((account) => ({ ...account, password }));
    },
    async assertNotInProduction({ database, settings: { production, demoForced } }) {
      if (!production || demoForced) return;
      const [first] = await findDemoAccounts(database.kysely, addresses);
      if (!first) return;
      throw new DemoDataRefusedError(
        `The data contains demo accounts (${first.email}) with a public password. Use another DATA_DIR or DATABASE_URL, or set DEMO=1.`,
      );
    },
    async load(program, now = new Date()) {
      const { database } = program;
      if (await hasUsers(database.kysely)) return false;
      const hash = await hashPassword(password);
      return database.transaction(async (trx) => {
        // Another server that starts now waits as long as this one loads.
        await lockSchema(trx);
        if (await hasUsers(trx)) return false;
        await store(program, trx, hash, now);
        await onEngineTables(trx)
          .insertInto('meta')
          .values({ key: 'demo', value: JSON.stringify({ password: hash, loaded_at: now.toISOString() }) })
          .execute();
        return true;
      });
    },
  };
}

/** Thrown because the program must not serve accounts with a public password. */
class DemoDataRefusedError extends Error {}

/** The accounts that still have the password of the demo data; none if the database has no demo data. */
async function findDemoAccounts(queries: Queries, addresses: readonly string[]) {
  const marker = await onEngineTables(queries)
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'demo')
    .executeTakeFirst();
  if (!marker) return [];
  const accountRows = await queries
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(['users.email', 'roles.role_name'])
    .where('users.email', 'in', addresses)
    .where('users.password', '=', (marker.value as { password: string }).password)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .execute();
  return accountRows as { email: string; role_name: string }[];
}

async function hasUsers(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
