import { startDatabase } from '../database';
import type { ResilienceStep } from '../step';
import { signIn, startServer } from '../server';

const accounts = ['owner@demo.test', 'manager@demo.test', 'developer@demo.test', 'qa@demo.test', 'external@demo.test'];
const otherOwner = 'owner@harbour.test';

/**
 * Users of one company request every record of another, in every possible way: each time as if the record did not
 * exist, and nothing changes.
 */
export const companies: ResilienceStep = {
  title: 'two companies, each with every record of the other',
  minutes: 6,
  async run(context) {
    const database = await startDatabase(context);
    const server = await startServer(context, { env: { DATABASE_URL: database.url } });
    const admin = await signIn(server.address, 'admin@demo.test');
    const definitions = (
      await admin<{ data: { name: string; table: string; system: boolean }[] }>('GET', '/definitions')
    ).body.data;
    // The program's own writes continue: every refused call is in the security log.
    const writableDefinitions = definitions.filter(({ system }) => !system);
    const content = async () => {
      const sums = [];
      for (const { table } of writableDefinitions) {
        const [row] = await database.query<{ sum: string }>(
          `select md5(string_agg(t::text, ',' order by t.id)) as sum from public."${table}" t`,
        );
        sums.push(row!.sum);
      }
      return sums.join();
    };
    const rows = new Map<string, { site: number; ids: number[] }[]>();
    for (const { name, table } of definitions) {
      const hasSite = await database.query(
        `select from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = 'site_id'`,
        [table],
      );
      if (hasSite.length === 0) continue;
      const idsByCompany = await database.query<{ site: number; ids: number[] }>(
        `select site_id as site, (array_agg(id order by id))[1:${context.quick ? 2 : 12}] as ids from public."${table}" where site_id is not null group by site_id`,
      );
      rows.set(name, idsByCompany);
    }
    const contentBefore = await content();
    let calls = 0;
    const leaks: string[] = [];
    for (const email of [...accounts, otherOwner]) {
      const person = await signIn(server.address, email);
      const ownCompany = email === otherOwner ? 2 : 1;
      for (const [name, companies] of rows) {
        for (const id of companies.filter(({ site }) => site !== ownCompany).flatMap(({ ids }) => ids)) {
          const answers = [
            await person('GET', `/${name}/${id}`),
            await person('PUT', `/${name}/${id}`, {}),
            await person('DELETE', `/${name}/${id}`),
            await person('GET', `/${name}/${id}/history`),
          ];
          calls += answers.length + 1;
          const listAnswer = await person<unknown>(
            'GET',
            `/${name}?filter=${encodeURIComponent(JSON.stringify({ id: [id] }))}`,
          );
          const list = Array.isArray(listAnswer.body)
            ? listAnswer.body
            : ((listAnswer.body as { data?: unknown[] }).data ?? []);
          if (list.length > 0) leaks.push(`${email} lists ${name} ${id}`);
          for (const { status } of answers)
            if (status !== 404 && status !== 403) leaks.push(`${email}: ${name} ${id}: ${status}`);
        }
      }
    }
    const contentAfter = await content();
    if (leaks.length > 0)
      throw new Error(`${leaks.length} answers tell of the other company: ${leaks.slice(0, 3).join('; ')}`);
    if (contentBefore !== contentAfter) throw new Error('records were changed');
    return `${calls} calls by ${accounts.length + 1} people on ${rows.size} modules: none answered, nothing changed`;
  },
};
