import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { transactionDatabase } from '../database/transaction-database';
import { Invalid } from '../errors/errors';
import type { DemoData, Program } from '../program';
import { createRecord } from '../records/write/create';
import { parseResponse } from '../records/read/read';
import { updateRecord } from '../records/write/update';
import { createDemoData } from './demo-data';
import { resolveRow } from './resolve-row';
import { insertRows, nextIds } from './insert-rows';
import { createActor, findAccountById } from './users/accounts';
import { storeConfirmedAddress } from './users/confirmed-addresses';
import { activeStatus } from './users/user-status';
import { itemAt, propertyOf } from '../../engine/values/lookups';

/** The content of a file `demo.json`: `schemas/demo.schema.json`. */
export interface DemoFile {
  readonly company: ResourceRecord;
  readonly accounts: Readonly<Record<string, DemoAccount>>;
  readonly records: readonly DemoRecords[];
}

interface DemoAccount {
  readonly email: string;
  readonly role_id: number;
  readonly first_name: string;
  readonly last_name: string;
}

interface DemoRecords {
  readonly resource: string;
  /** The key of an account. */
  readonly account?: string;
  readonly rows: readonly ResourceRecord[];
}

/** Belongs to no company. */
const administratorRole = 1;

/** The demo data of a product whose file `demo.json` was read. */
export function demoDataOf(file: DemoFile): DemoData {
  return createDemoData({
    password: 'Demo@1234',
    addresses: Object.values(file.accounts).map(({ email }) => email),
    async store(program, trx, hash) {
      const ids = await storeAccounts(program, trx, file, hash);
      const database = transactionDatabase(program.database, trx);
      await new DemoRecordLoader({ ...program, database }, trx, file, ids).load();
    },
  });
}

/** Stores the company and its accounts. Returns the accounts' ids by key. */
async function storeAccounts(
  { definitions }: Program,
  trx: Transaction,
  { company, accounts }: DemoFile,
  hash: string,
): Promise<Map<string, number>> {
  const registry = definitions.registry();
  const now = new Date().toISOString();
  const stamps = { created_at: now, updated_at: now };
  const [siteId] = await nextIds(trx, registry.getOrThrow('sites'), 1);
  await insertRows(trx, registry.getOrThrow('sites'), [{ ...company, ...stamps, id: siteId }]);
  const ids = await nextIds(trx, registry.getOrThrow('users'), Object.keys(accounts).length);
  const rows = Object.values(accounts).map((account, index) => ({
    ...account,
    ...stamps,
    id: itemAt(ids, index),
    site_id: account.role_id === administratorRole ? null : siteId,
    status_id: activeStatus,
    password: hash,
  }));
  await insertRows(trx, registry.getOrThrow('users'), rows);
  for (const id of ids) await storeConfirmedAddress(trx, id);
  return new Map(Object.keys(accounts).map((key, index) => [key, itemAt(ids, index)]));
}

/** Creates the records of a file as its accounts would. */
class DemoRecordLoader {
  private readonly contexts = new Map<string, Promise<RequestContext>>();

  constructor(
    private readonly program: Program,
    private readonly trx: Transaction,
    private readonly file: DemoFile,
    /** Of accounts and rows, by key. */
    private readonly ids: Map<string, number>,
  ) {}

  async load(): Promise<void> {
    const { accounts, records } = this.file;
    const first = Object.keys(accounts).find((key) => propertyOf(accounts, key).role_id !== administratorRole);
    for (const { resource, account = first, rows } of records) {
      const context = await this.contextOf(account);
      const definition = context.registry.get(resource);
      if (!definition) throw new Error(`demo.json: there is no resource "${resource}".`);
      for (const [index, row] of rows.entries()) {
        await this.store(context, definition, row, `demo.json: ${resource}, row ${index + 1}`);
      }
    }
  }

  private contextOf(accountKey: string | undefined): Promise<RequestContext> {
    const create = async () => {
      const id = accountKey === undefined ? undefined : this.ids.get(accountKey);
      const account = id === undefined ? undefined : await findAccountById(this.trx, id);
      if (!account) throw new Error(`demo.json: there is no account "${accountKey ?? 'of the company'}".`);
      return new RequestContext(this.program, await createActor(this.trx, account));
    };
    const key = accountKey ?? '';
    const context = this.contexts.get(key) ?? create();
    this.contexts.set(key, context);
    return context;
  }

  /** Keeps the id of a row by its key. Throws if an account or another row has the key, which would mean both. */
  private remember(key: string, id: number): void {
    if (this.ids.has(key))
      throw new Error(`the key "${key}" is used twice: give each row and account a key of its own.`);
    this.ids.set(key, id);
  }

  private async store(context: RequestContext, definition: Definition, row: ResourceRecord, path: string) {
    const { $key: key, $then: changes = [], ...fieldValues } = row;
    try {
      const body = { values: resolveRow(context, definition, fieldValues, this.ids), text: false };
      const { id } = parseResponse(await createRecord(context, definition, body));
      if (typeof key === 'string') this.remember(key, id as number);
      for (const change of changes as readonly ResourceRecord[]) {
        const values = resolveRow(context, definition, change, this.ids);
        await updateRecord({ context, definition }, id as number, { values, text: false });
      }
    } catch (error) {
      if (error instanceof Invalid) throw new Error(`${path}: ${JSON.stringify(error.errors)}`, { cause: error });
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
    }
  }
}
