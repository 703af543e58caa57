import { version } from '../package.json';
import { board } from './cases/board';
import { create } from './cases/create';
import { dashboard } from './cases/dashboard';
import { exports } from './cases/exports';
import { perceivedSpeed } from './cases/perceived-speed';
import { find } from './cases/find';
import { grouping } from './cases/grouping';
import { growth } from './cases/growth';
import { history } from './cases/history';
import { layout } from './cases/layout';
import { pages } from './cases/pages';
import { record } from './cases/record';
import { rollups } from './cases/rollups';
import { search } from './cases/search';
import { searchMillion } from './cases/search-million';
import { screens } from './cases/screens';
import { shifts } from './cases/shifts';
import { start } from './cases/start';
import { studio } from './cases/studio';
import { update } from './cases/update';
import { testCases } from './cases/test-cases';
import type { BenchmarkCase, Finding, BenchmarkResult } from './case';
import { describeFalls, readLastRelease, storeLastRelease } from './last-release';
import { openStage } from './stage';
import { describeResults, printFalls, printFindings, printTable } from './table';

// Created and changed rows come last, so that every other measurement meets the same table.
const cases: Readonly<Record<string, BenchmarkCase>> = {
  pages,
  record,
  growth,
  create,
  update,
  'test-cases': testCases,
  search,
  find,
  grouping,
  exports,
  rollups,
  history,
  board,
  screens,
  felt: perceivedSpeed,
  layout,
  shifts,
  studio,
  start,
  dashboard,
  'search-million': searchMillion,
};

/** Takes minutes and some gigabytes: runs only if requested. */
const casesOnRequest = new Set(['search-million']);

const storeOption = '--store';
const chosenCases = process.argv.slice(2).filter((argument) => argument !== storeOption);
const unknown = chosenCases.find((name) => !Object.hasOwn(cases, name));
if (unknown !== undefined) {
  console.error(`Unknown measurement ${unknown}: choose from ${Object.keys(cases).join(', ')}.`);
  process.exit(1);
}

const stage = await openStage();
const results: (BenchmarkResult | Finding)[] = [];
try {
  for (const [name, measure] of Object.entries(cases)) {
    if (chosenCases.length > 0 ? !chosenCases.includes(name) : casesOnRequest.has(name)) continue;
    console.log(`Measuring: ${name}`);
    const latest = await measure(stage);
    // A run that ends early leaves its figures too.
    for (const line of describeResults(latest)) console.log(line);
    results.push(...latest);
  }
} finally {
  const measured = results.filter((result) => 'ratio' in result);
  printTable(measured);
  printFindings(results.filter((result) => 'figures' in result));
  printFalls(describeFalls(readLastRelease(), measured));
  if (process.argv.includes(storeOption)) storeLastRelease(version, measured);
  await stage.close();
}
