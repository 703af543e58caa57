import { describe, expect, it } from 'vitest';
import type { Module, PlanStep } from '../../../src/engine/studio/module';
import { placeAndPane } from '../../../src/app/studio/draftPlaces';
import { lossesOf, lossTexts, confirmationWord } from '../../../src/app/studio/plan/losses';
import type { Draft } from '../../../src/app/studio/draft';
import { planSummary } from '../../../src/app/studio/plan/planSummary';
import { stepEffect, stepChip, sortSteps, formatSql } from '../../../src/app/studio/plan/stepTexts';

const step = (change: Partial<PlanStep>): PlanStep => ({
  kind: 'addColumn',
  text: '',
  sql: '',
  destructive: false,
  rows: 0,
  ...change,
});
const drop = (column: string, rows: number) =>
  step({ kind: 'dropColumn', sql: `alter table public."boats" drop column "${column}"`, destructive: true, rows });
const module = { name: 'boats', labels: { one: 'Boat', many: 'Boats' }, version: 3 } as Module;

describe('the summary of a plan', () => {
  it('names additions, changes, questions and losses, losses first', () => {
    const steps = [step({}), step({ kind: 'rule', rows: 2 }), drop('sails', 5), step({ kind: 'words' })];
    expect(sortSteps(steps).map((one) => stepChip(one).label)).toEqual(['Destroy', 'Rule', 'Add', 'Change']);
    expect(sortSteps(steps).map(stepEffect)).toEqual([
      '5 values are lost',
      '2 records break it',
      'No rows yet',
      'Takes effect at once',
    ]);
    expect(stepEffect(step({ rows: 1 }))).toBe('1 row gets null');
    expect(stepEffect(drop('sails', 1))).toBe('1 value is lost');
  });

  it('does not count as losses the records that only prevent publishing, by violating constraints', () => {
    const index = step({ kind: 'createIndex', destructive: true, forbidden: true, rows: 3, records: [1, 2, 3] });
    expect(stepChip(index).label).toBe('Not possible');
    expect(stepEffect(index)).toBe('3 records violate it');
    expect(stepEffect({ ...index, rows: 1 })).toBe('1 record violates it');
    expect(summaryOf(index, step({}))).toBe('2 steps, not possible: 3 records violate it');
    expect(summaryOf(index, drop('hull', 1))).toBe('2 steps, not possible: 3 records violate it');
  });

  it('does not count fitting values where the others could not be counted', () => {
    const narrower = step({
      kind: 'changeType',
      destructive: true,
      keeps: 'sails__was_1',
      uncounted: true,
      rows: 9000,
    });
    expect(stepEffect(narrower)).toBe('What does not fit could not be counted; it stays in sails__was_1');
    expect(summaryOf(narrower)).toBe('1 step, values that do not fit could not be counted; their columns are kept');
    expect(lossTexts(module, lossesOf([narrower])).text).toContain('could not be counted in time');
  });

  it('writes statements without details that nobody reads', () => {
    expect(formatSql('alter table public."boats" add column "hull" text')).toBe(
      'alter table boats add column hull text',
    );
    expect(formatSql('drop index public."ix__a"')).toBe('drop index ix__a');
    expect(formatSql('alter table public."boats" add column "copyOf" text')).toContain('"copyOf"');
  });
});

/** What the head of a valid plan says. */
const summaryOf = (...steps: PlanStep[]) =>
  planSummary({ plan: { valid: true, errors: [], steps }, changes: [{}], purge: [], module } as unknown as Draft).text;

describe('the losses of a plan', () => {
  it('are named by column, and confirmed by typing its name', () => {
    const losses = lossesOf([drop('sails', 5)]);
    expect(confirmationWord(module, losses)).toBe('boats.sails');
    expect(lossTexts(module, losses)).toEqual({
      title: 'Publish and purge sails?',
      text: '5 boats hold a value in sails. Purging removes the values and their column from every company. Restoring version 3 will not bring them back.',
    });
  });

  it('are given with the number of all records, where some have no value', () => {
    const told = (rows: number, of: number) =>
      lossTexts(module, lossesOf([{ ...drop('sails', rows), of }])).text.split('.')[0];
    expect(told(41, 1065)).toBe('41 of 1,065 boats hold a value in sails');
    expect(told(1, 65)).toBe('1 of 65 boats holds a value in sails');
    expect(told(65, 65)).toBe('65 boats hold a value in sails');
    expect(told(1, 1)).toBe('1 boat holds a value in sails');
  });

  it('include links, which have a table of their own', () => {
    const sql = 'drop table public."boats__crew"';
    const losses = lossesOf([step({ kind: 'dropTable', sql, destructive: true, rows: 2, of: 5 })]);
    expect(confirmationWord(module, losses)).toBe('boats.crew');
    expect(lossTexts(module, losses)).toEqual({
      title: 'Publish and purge crew?',
      text: '2 of 5 boats hold a value in crew. Purging removes the values and their table from every company. Restoring version 3 will not bring them back.',
    });
  });

  it('are given together for several columns', () => {
    const losses = lossesOf([drop('sails', 5), drop('hull', 1)]);
    expect(confirmationWord(module, losses)).toBe('boats');
    expect(lossTexts(module, losses).title).toBe('Publish and purge sails and hull?');
  });

  it('are no purge where a type becomes narrower', () => {
    const sql = 'alter table public."boats" rename column "sails" to "sails__was_1"';
    const narrower = { kind: 'changeType', text: 'Change sails.', sql, destructive: true, keeps: 'sails__was_1' };
    const losses = (rows: number) => lossesOf([step({ ...narrower, rows, of: 12 })]);
    expect(losses(3)).toMatchObject([{ column: 'sails', isDropped: false }]);
    expect(lossTexts(module, losses(3))).toEqual({
      title: 'Publish and change sails?',
      text: '3 of 12 boats hold a value in sails that does not fit its new type. The values as they were stay in sails__was_1 until it is purged.',
    });
    expect(lossTexts(module, losses(0)).text).toBe(
      'Every value in sails fits its new type. The values as they were stay in sails__was_1 until it is purged.',
    );
    expect(stepEffect(losses(1)[0]!.step)).toBe('1 value does not fit, and stays in sails__was_1');
    expect(stepEffect(losses(3)[0]!.step)).toBe('3 values do not fit, and stay in sails__was_1');
    expect(stepEffect(losses(0)[0]!.step)).toBe('Every value fits; as it was it stays in sails__was_1');
    expect(stepChip(losses(3)[0]!.step).label).toBe('Change');
    expect(summaryOf(losses(3)[0]!.step)).toBe('1 step, 3 values do not fit their new type; their columns are kept');
    expect(summaryOf(losses(0)[0]!.step)).toBe('1 step, reversible, no rows lost');
    expect(summaryOf(losses(3)[0]!.step, drop('hull', 1))).toBe('2 steps, one cannot be undone');
  });
});

it('an error leads to the field or part that it is about, else into the JSON', () => {
  expect(placeAndPane('/fields/sails/maxLength')).toEqual(['/fields/sails', 'properties']);
  expect(placeAndPane('/list/filters/sails')).toEqual(['/list/filters', 'properties']);
  expect(placeAndPane('/list/sort')).toEqual(['/list/columns', 'properties']);
  expect(placeAndPane('/grants/2')).toEqual(['/rules', 'properties']);
  expect(placeAndPane('/requests/move/path')).toEqual(['/requests', 'properties']);
  expect(placeAndPane('/export/path')).toEqual(['/validate', 'properties']);
  expect(placeAndPane('/hooks/beforeSave')).toEqual(['/hooks/beforeSave', 'json']);
});
