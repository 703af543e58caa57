import type { Program } from '../../server/program';
import { demoAddresses } from './accounts';
import { onEngineTables } from '../../server/database/engine-tables';

/** The demo accounts that still have the demo's password, if the program runs on demo data. */
export async function findActiveDemoAccounts({ database }: Program): Promise<{ email: string; role_name: string }[]> {
  const demo = await readDemoMarker(database.kysely);
  if (!demo) return [];
  return database.kysely
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(['users.email', 'roles.role_name'])
    .where('users.email', 'in', demoAddresses)
    .where('users.password', '=', demo.password)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .execute();
}

async function readDemoMarker(queries: Program['database']['kysely']): Promise<{ password: string } | undefined> {
  const found = await onEngineTables(queries)
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'demo')
    .executeTakeFirst();
  return found?.value as { password: string } | undefined;
}

/** Thrown because the program must not serve accounts with a public password. */
class DemoDataRefusedError extends Error {}

/**
 * Throws DemoRefused, with a one-line message, in production if the data contains demo accounts, unless DEMO=1 is set.
 */
export async function assertNoDemoDataInProduction(program: Program): Promise<void> {
  const { production, demoForced } = program.settings;
  if (!production || demoForced) return;
  const [first] = await findActiveDemoAccounts(program);
  if (!first) return;
  throw new DemoDataRefusedError(
    `The data contains demo accounts (${first.email}) with a public password. Use another DATA_DIR or DATABASE_URL, or set DEMO=1.`,
  );
}
