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
const commonTexts = ['e', 'a', 'an', 'is', 'qx', 'the', 'and', 'with', 'test'];

/** Searches of 100,000 test cases, and lists of them in the order of relations. */
export const search: BenchmarkCase = async ({ demo, site }) => {
  const demoDatabase = await demo();
  return [
    ...(await compareSearches(demoDatabase)),
    await compareSizes(await site('large'), await site('small')),
    ...(await measureSorting(demoDatabase)),
    await measureExtremes(demoDatabase),
  ];
};

const page = (query: Readonly<Record<string, unknown>>, resource = 'test-cases') =>
  `/api/${resource}?${new URLSearchParams(Object.entries({ range: '[0,14]', ...query }).map(([name, value]): [string, string] => [name, String(value)]))}`;

/** Parts of names that some hundreds of rows contain, compared with the minimum a server needs to find them. */
async function compareSearches({ program, url, client }: BenchDatabase): Promise<BenchmarkResult[]> {
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
    for (const [title, texts, usesEachPathOnce] of [
      ['search', words, true],
      ['search, asked before', words.slice(0, 12), false],
    ] as const) {
      const { a, b, ratio } = await interleave(
        { ...program, usesEachPathOnce, paths: texts.map((word) => page({ q: word })) },
        { address: floor.address, usesEachPathOnce, paths: texts.map((word) => `/${encodeURIComponent(word)}`) },
      );
      const notes = [
        `${texts.length} texts, each in some hundreds of rows; the floor answers four columns and no embed`,
      ];
      outcomes.push({ title, ours: a, comparison: 'indexed ILIKE', baseline: b, ratio, target: OF_FLOOR, notes });
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
async function compareSizes(large: BenchSite, smallSite: BenchSite): Promise<BenchmarkResult> {
  const requestsOf = async ({ program, client }: BenchSite): Promise<LoadRequests> => {
    const { rows } = await client.query<{ name: string }>(
      `select name from projects where name like 'Project %' order by md5(id::text) limit 8000`,
    );
    return {
      ...program,
      usesEachPathOnce: true,
      paths: rows.map(({ name }) => page({ q: name.slice(8, 24) }, 'projects')),
    };
  };
  const { a, b, ratio } = await interleave(await requestsOf(large), await requestsOf(smallSite));
  const notes = [`ten times the rows cost ${(1 / ratio).toFixed(2)} times as much (at most ${DEAREST})`];
  return {
    title: `search, ${sizes.large.toLocaleString('en')} rows`,
    ours: a,
    comparison: `${sizes.small.toLocaleString('en')} rows`,
    baseline: b,
    ratio,
    target: 1 / DEAREST,
    notes,
  };
}

async function measureSorting({ program }: BenchDatabase): Promise<(BenchmarkResult | Finding)[]> {
  const findings: (BenchmarkResult | Finding)[] = [];
  for (const [title, field] of [
    ['by a relation', 'project_id'],
    ['by a person', 'assigned_to'],
  ] as const) {
    const ours = { ...program, paths: [page({ sort: `["${field}","ASC"]` }), page({ sort: `["${field}","DESC"]` })] };
    const baseline = { ...program, paths: [page({ sort: '["id","ASC"]' }), page({ sort: '["id","DESC"]' })] };
    const { a, b, ratio } = await interleave(ours, baseline);
    findings.push({
      title: `sorted ${title}`,
      ours: a,
      comparison: 'by id',
      baseline: b,
      ratio,
      target: OF_UNSORTED,
      notes: [],
    });
    const [sortedTime, byId] = await oneAtATime([ours, baseline]);
    findings.push({
      title: `sorted ${title}, one at a time`,
      figures: `${sortedTime!.toFixed(1)} ms p50 beside ${byId!.toFixed(1)} ms by id; at most ${SORTED}`,
      isReached: sortedTime! <= SORTED,
    });
  }
  return findings;
}

/** Texts that no index helps to find, each for the first time and repeated. */
async function measureExtremes({ program, client }: BenchDatabase): Promise<Finding> {
  const took: { readonly q: string; readonly first: number; readonly again: number }[] = [];
  const ask = async (q: string) => {
    const startTime = performance.now();
    const answer = await fetch(`${program.address}${page({ q })}`, {
      headers: { authorization: `Bearer ${program.token}` },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A search for ${q} answers ${answer.status}.`);
    return performance.now() - startTime;
  };
  for (const q of commonTexts) took.push({ q, first: await ask(q), again: await ask(q) });
  // Reads every row, including its text: the minimum for a count.
  const countStatement = `select count(*) from test_cases where site_id = 1 and ${await searchedColumn(client)} is not null`;
  await client.query(countStatement);
  const startTime = performance.now();
  await client.query(countStatement);
  const countTime = performance.now() - startTime;
  const slowestOf = (name: 'first' | 'again') =>
    took.reduce((slowest, times) => (times[name] > slowest[name] ? times : slowest));
  const [first, repetition] = [slowestOf('first'), slowestOf('again')];
  return {
    title: 'search for what is everywhere, or nowhere',
    figures: `${commonTexts.join(', ')}: ${first.first.toFixed(0)} ms at most the first time (${first.q}), ${repetition.again.toFixed(0)} ms again (${repetition.q}); at most ${PATIENCE}; a bare look at all rows took ${countTime.toFixed(0)} ms`,
    isReached: first.first <= PATIENCE && repetition.again <= PATIENCE,
  };
}
