import type { Database } from '../../database/database';
import { lockSchema } from '../../database/schema-lock';
import type { Program } from '../../program';
import { passwordProblem } from '../../secrets/new-password';
import { hashPassword } from '../../secrets/passwords';
import { insertRows, nextIds } from '../insert-rows';
import { activeStatus } from './user-status';

const administratorRole = 1;

/** Creates the first administrator from the settings, if there is none. */
export async function ensureAdministrator(program: Program): Promise<void> {
  const { settings, database, definitions, log } = program;
  if (!settings.admin || (await hasAdministrator(program))) return;
  const users = definitions.registry().getOrThrow('users');
  const { email } = settings.admin;
  const fault = await passwordProblem(program, settings.admin.password, [email]);
  if (fault !== undefined) log.warn(`Please change ADMIN_PASSWORD in the profile: ${fault}`);
  const password = await hashPassword(settings.admin.password);
  const isNew = await database.transaction(async (trx) => {
    // Of several servers that start at once, one creates the administrator.
    await lockSchema(trx);
    if (await hasAdministrator({ database: { kysely: trx } })) return false;
    const [id] = await nextIds(trx, users, 1);
    const now = new Date().toISOString();
    await insertRows(trx, users, [
      {
        id,
        first_name: 'First',
        last_name: 'Administrator',
        email,
        password,
        role_id: administratorRole,
        status_id: activeStatus,
        created_at: now,
        updated_at: now,
      },
    ]);
    return true;
  });
  if (isNew) log.info(`The first administrator is ${email}.`);
}

/** Whether the installation has an administrator. */
export async function hasAdministrator({
  database,
}: {
  readonly database: Pick<Database, 'kysely'>;
}): Promise<boolean> {
  const administrator = await database.kysely
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('users.id')
    .where('roles.level', '=', 1)
    .where('users.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return administrator !== undefined;
}
