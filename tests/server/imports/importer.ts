import { accounts, type Client, type DemoProgram } from '../../support/program';

/** A record as the API answers it. */
export interface Row {
  id: number;
  [name: string]: unknown;
}

/** A program with its owner signed in, who imports files. */
export interface Importer {
  readonly program: DemoProgram;
  readonly owner: Client;
  /** The owner's, for files that are sent as forms. */
  readonly token: string;
  /** The records of a list, in whichever envelope they come. */
  list(path: string): Promise<Row[]>;
  /** The token of another account. */
  tokenOf(email: string): Promise<string>;
}

/**
 * Starts a program in which files are imported.
 *
 * @example const importer = await startImporter(startFixtureProgram);
 */
export async function startImporter(start: () => Promise<DemoProgram>): Promise<Importer> {
  const program = await start();
  const owner = await program.signIn(accounts.owner);
  const tokenOf = async (email: string) =>
    (await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' })).body.token;
  return {
    program,
    owner,
    token: await tokenOf(accounts.owner),
    tokenOf,
    list: async (path) => {
      const { body } = await owner<{ data: Row[] } | Row[]>('GET', path);
      return Array.isArray(body) ? body : body.data;
    },
  };
}

/** A film with a scene that its shots can be of. */
export async function filmWithScene({ list }: Importer): Promise<{ film: Row; scene: string }> {
  for (const film of await list('/films')) {
    const [scene] = await list(`/shots/choices/scene_id?film_id=${film.id}`);
    if (scene) return { film, scene: String(scene.title) };
  }
  throw new Error('No film has a scene.');
}
