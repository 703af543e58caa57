import type { BenchmarkCase, Finding, BenchmarkResult } from '../case';
import { interleave } from '../interleave';
import type { LoadRequests } from '../load';
import { oneAtATime } from '../one-at-a-time';
import type { BenchDatabase } from '../stage';

/** The allowed cost with ten times the rows, for a text that few of them contain. */
const DEAREST = 2;
/** Rows with a unique word: more than one measurement searches for. */
const MARKED = 8_000;

/** Searches in 1,000,000 test cases compared with 100,000, for a word in a single row. */
export const searchMillion: BenchmarkCase = async ({ grownDatabase }) => {
  const [large, smallRequests] = [
    await requests(await grownDatabase(1_000_000)),
    await requests(await grownDatabase(100_000)),
  ];
  const { a, b, ratio } = await interleave(large, smallRequests);
  const notes = [`ten times the rows cost ${(1 / ratio).toFixed(2)} times as much (at most ${DEAREST})`];
  const outcome: BenchmarkResult = {
    title: 'search, 1,000,000 test cases',
    ours: a,
    comparison: '100,000',
    baseline: b,
    ratio,
    target: 1 / DEAREST,
    notes,
  };
  const [ofLarge, ofSmall] = await oneAtATime([large, smallRequests]);
  const finding: Finding = {
    title: 'the same, one at a time',
    figures: `${ofLarge!.toFixed(1)} ms p50 beside ${ofSmall!.toFixed(1)} ms`,
    isReached: ofLarge! <= DEAREST * ofSmall!,
  };
  return [outcome, finding];
};

/** Gives some rows of the owner's company a word each, and searches for these. */
async function requests({ program, client }: BenchDatabase): Promise<LoadRequests> {
  const { rows } = await client.query<{ word: string }>(
    `with mine as (select site_id from users where email = 'owner@demo.test'),
       chosen as (select id, translate(left(md5(id::text), 10), '0123456789', 'ghijklmnop') as word from test_cases
         where site_id = (select site_id from mine) order by md5(id::text) limit ${MARKED})
     update test_cases t set name = name || ' ' || word from chosen where chosen.id = t.id returning word`,
  );
  const paths = rows.map(({ word }) => `/api/test-cases?range=[0,14]&q=${word}`);
  return { ...program, usesEachPathOnce: true, paths };
}
