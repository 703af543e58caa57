import type { Program } from '../../program';
import { demoAddresses } from './accounts';

/** The demo accounts that still have the demo's password, if the program runs on demo data. */
export async function demoAccountsInForce({ database }: Program): Promise<{ email: string; role_name: string }[]> {
  const demo = await demoMark(database.kysely);
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

async function demoMark(queries: Program['database']['kysely']): Promise<{ password: string } | undefined> {
  const found = await queries
    .withSchema('assay')
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'demo')
    .executeTakeFirst();
  return found?.value;
}

/** The program will not serve accounts whose password everybody knows. */
export class DemoRefused extends Error {}

/** Throws DemoRefused, in one line, in production on data with demo accounts, unless they were asked for by name. */
export async function refuseDemoInProduction(program: Program): Promise<void> {
  const { production, demoForced } = program.settings;
  if (!production || demoForced) return;
  const [first] = await demoAccountsInForce(program);
  if (!first) return;
  throw new DemoRefused(
    `The data holds demo accounts (${first.email}) whose password is public. Use another DATA_DIR or DATABASE_URL, or set DEMO=1.`,
  );
}
