import type { BenchmarkCase, Finding, BenchmarkResult } from '../case';
import { startFloor } from '../floor';
import { interleave } from '../interleave';
import type { LoadRequests } from '../load';
import { oneAtATime } from '../one-at-a-time';
import { sizes, type BenchDatabase, type BenchSite } from '../stage';

/** Searches among as many as a bare route with an indexed ILIKE does at least. */
const OF_FLOOR = 0.6;
/** The allowed cost with ten times the rows, for a text that few of them contain. */
const DEAREST = 2;
/** The allowed milliseconds for finding a text without trigrams, or one that nearly every row contains. */
const PATIENCE = 150;
/** The throughput of pages sorted by a relation, relative to pages sorted by id. */
const OF_UNSORTED = 0.5;
/** The allowed milliseconds for such a page without other load. */
const SORTED = 40;

const MARKER = 'no such word';
const common = ['e', 'a', 'an', 'is', 'qx', 'the', 'and', 'with', 'test'];

/** Searches of 100,000 test cases, and lists of them in the order of relations. */
export const search: BenchmarkCase = async ({ demo, site }) => {
  const place = await demo();
  return [
    ...(await beside(place)),
    await grown(await site('large'), await site('small')),
    ...(await sorted(place)),
    await everywhere(place),
  ];
};

const page = (query: Readonly<Record<string, unknown>>, resource = 'test-cases') =>
  `/api/${resource}?${new URLSearchParams(Object.entries({ range: '[0,14]', ...query }).map(([name, value]): [string, string] => [name, String(value)]))}`;

/** Parts of names that some hundreds of rows contain, compared with the minimum a server needs to find them. */
async function beside({ program, url, client }: BenchDatabase): Promise<BenchmarkResult[]> {
  const { rows } = await client.query<{ word: string }>(
    `with names as (select distinct on (left(name, 20)) name from test_cases where site_id = 1 and name ~ '^[A-Za-z ]{20}'),
       parts as (select distinct btrim(substr(name, at, 13 + at % 3)) as word from names, generate_series(2, 24) at)
     select word from parts where length(word) > 11 order by md5(word)`,
  );
  const words = rows.map(({ word }) => word);
  const text = `select id, name, status_id, created_at, count(*) over () as total from test_cases
    where site_id = 1 and ${await searchedColumn(client)} ilike $1 order by id desc limit 15`;
  const floor = await startFloor({ url, statements: [{ text, values: [`%${MARKER}%`] }], marker: MARKER, keep: 'all' });
  try {
    const outcomes: BenchmarkResult[] = [];
    for (const [what, texts, fresh] of [
      ['search', words, true],
      ['search, asked before', words.slice(0, 12), false],
    ] as const) {
      const { a, b, ratio } = await interleave(
        { ...program, fresh, paths: texts.map((word) => page({ q: word })) },
        { address: floor.address, fresh, paths: texts.map((word) => `/${encodeURIComponent(word)}`) },
      );
      const notes = [
        `${texts.length} texts, each in some hundreds of rows; the floor answers four columns and no embed`,
      ];
      outcomes.push({ what, ours: a, beside: 'indexed ILIKE', theirs: b, ratio, target: OF_FLOOR, notes });
    }
    return outcomes;
  } finally {
    await floor.stop();
  }
}

/** The column with the searched text of test cases. */
async function searchedColumn(client: BenchDatabase['client']): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = 'test_cases'::regclass and attname like 'search$%' and not attisdropped`,
  );
  return rows[0]!.name;
}

/** A text in a single row, in ten times the rows. */
async function grown(large: BenchSite, small: BenchSite): Promise<BenchmarkResult> {
  const of = async ({ program, client }: BenchSite): Promise<LoadRequests> => {
    const { rows } = await client.query<{ name: string }>(
      `select name from projects where name like 'Project %' order by md5(id::text) limit 8000`,
    );
    return { ...program, fresh: true, paths: rows.map(({ name }) => page({ q: name.slice(8, 24) }, 'projects')) };
  };
  const { a, b, ratio } = await interleave(await of(large), await of(small));
  const notes = [`ten times the rows cost ${(1 / ratio).toFixed(2)} times as much (at most ${DEAREST})`];
  return {
    what: `search, ${sizes.large.toLocaleString('en')} rows`,
    ours: a,
    beside: `${sizes.small.toLocaleString('en')} rows`,
    theirs: b,
    ratio,
    target: 1 / DEAREST,
    notes,
  };
}

async function sorted({ program }: BenchDatabase): Promise<(BenchmarkResult | Finding)[]> {
  const found: (BenchmarkResult | Finding)[] = [];
  for (const [what, field] of [
    ['by a relation', 'project_id'],
    ['by a person', 'assigned_to'],
  ] as const) {
    const ours = { ...program, paths: [page({ sort: `["${field}","ASC"]` }), page({ sort: `["${field}","DESC"]` })] };
    const theirs = { ...program, paths: [page({ sort: '["id","ASC"]' }), page({ sort: '["id","DESC"]' })] };
    const { a, b, ratio } = await interleave(ours, theirs);
    found.push({ what: `sorted ${what}`, ours: a, beside: 'by id', theirs: b, ratio, target: OF_UNSORTED, notes: [] });
    const [single, byId] = await oneAtATime([ours, theirs]);
    found.push({
      what: `sorted ${what}, one at a time`,
      figures: `${single!.toFixed(1)} ms p50 beside ${byId!.toFixed(1)} ms by id; at most ${SORTED}`,
      reached: single! <= SORTED,
    });
  }
  return found;
}

/** Texts that no index helps to find, each for the first time and repeated. */
async function everywhere({ program, client }: BenchDatabase): Promise<Finding> {
  const took: { readonly q: string; readonly first: number; readonly again: number }[] = [];
  const ask = async (q: string) => {
    const since = performance.now();
    const answer = await fetch(`${program.address}${page({ q })}`, {
      headers: { authorization: `Bearer ${program.token}` },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A search for ${q} answers ${answer.status}.`);
    return performance.now() - since;
  };
  for (const q of common) took.push({ q, first: await ask(q), again: await ask(q) });
  // Reads every row, including its text: the minimum for a count.
  const bare = `select count(*) from test_cases where site_id = 1 and ${await searchedColumn(client)} is not null`;
  await client.query(bare);
  const since = performance.now();
  await client.query(bare);
  const counting = performance.now() - since;
  const worst = (name: 'first' | 'again') => took.reduce((one, other) => (other[name] > one[name] ? other : one));
  const [first, again] = [worst('first'), worst('again')];
  return {
    what: 'search for what is everywhere, or nowhere',
    figures: `${common.join(', ')}: ${first.first.toFixed(0)} ms at most the first time (${first.q}), ${again.again.toFixed(0)} ms again (${again.q}); at most ${PATIENCE}; a bare look at all rows took ${counting.toFixed(0)} ms`,
    reached: first.first <= PATIENCE && again.again <= PATIENCE,
  };
}
