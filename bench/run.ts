import { create } from './cases/create';
import { growth } from './cases/growth';
import { pages } from './cases/pages';
import { record } from './cases/record';
import type { Case } from './case';
import { openStage } from './stage';
import { printTable } from './table';

const cases: Readonly<Record<string, Case>> = { pages, record, growth, create };

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(cases, name));
if (unknown !== undefined) {
  console.error(`There is no measurement named ${unknown}: choose from ${Object.keys(cases).join(', ')}.`);
  process.exit(1);
}

// Created rows come last, so that every other measurement meets the same table.
const stage = await openStage();
try {
  const rows = [];
  for (const [name, measure] of Object.entries(cases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.log(`Measuring: ${name}`);
    rows.push(await measure(stage));
  }
  printTable(rows);
} finally {
  await stage.close();
}
