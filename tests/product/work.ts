import { accounts, startDemoProgram, type ApiResponse, type Client, type DemoProgram } from '../support/program';

export type Account = keyof typeof accounts;
// oxlint-disable-next-line typescript/no-explicit-any
export type Row = Record<string, any> & { id: number };

/** The demo data with everybody signed in. */
export interface Work {
  readonly program: DemoProgram;
  readonly as: Readonly<Record<Account, Client>>;
  /** The id of an account. */
  readonly ids: Readonly<Record<Account, number>>;
  /** A project that the external user is on, and one that they are not on; developer and QA are on both. */
  readonly open: number;
  readonly closed: number;
  /** The stored rows of a table of the first company. */
  rows(table: string): Promise<Row[]>;
  /** A module of a project, without a parent. */
  moduleOf(project: number): Promise<number>;
  /** Makes a record and answers it. */
  make(account: Account, resource: string, body: object): Promise<Row>;
}

export async function startWork(): Promise<Work> {
  const program = await startDemoProgram();
  const as = {} as Record<Account, Client>;
  const ids = {} as Record<Account, number>;
  const { kysely } = program.program.database;
  for (const [name, email] of Object.entries(accounts) as [Account, string][]) {
    as[name] = await program.signIn(email);
    ids[name] = (await kysely.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
  }
  const projectOf = async (code: string): Promise<number> =>
    (await kysely.selectFrom('projects').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id;
  return {
    program,
    as,
    ids,
    open: await projectOf('STP'),
    closed: await projectOf('DRV'),
    rows: async (table) =>
      (await kysely.selectFrom(table).selectAll().where('site_id', '=', 1).orderBy('id').execute()) as Row[],
    moduleOf: async (project) => {
      const modules = kysely.selectFrom('project_modules').select('id').where('project_id', '=', project);
      return (await modules.where('parent_module', 'is', null).orderBy('id').executeTakeFirstOrThrow()).id;
    },
    make: async (account, resource, body) => {
      const { status, body: answer }: ApiResponse<{ data?: Row } & Row> = await as[account](
        'POST',
        `/${resource}`,
        body,
      );
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(answer)}`);
      return answer.data ?? answer;
    },
  };
}
