import { describe, expect, it } from 'vitest';
import type { Module, PlanStep } from '../../../src/engine/studio/module';
import { placeAndPane } from '../../../src/app/screens/studio/places';
import { lossesOf, lossTexts, confirmationWord } from '../../../src/app/screens/studio/plan/losses';
import { stepEffect, stepChip, sortSteps, formatSql } from '../../../src/app/screens/studio/plan/stepTexts';

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

describe('what a plan says', () => {
  it('names what is added, changed, asked and destroyed, what is lost first', () => {
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

  it('writes statements without what nobody needs to read', () => {
    expect(formatSql('alter table public."boats" add column "hull" text')).toBe(
      'alter table boats add column hull text',
    );
    expect(formatSql('drop index public."ix__a"')).toBe('drop index ix__a');
    expect(formatSql('alter table public."boats" add column "copyOf" text')).toContain('"copyOf"');
  });
});

describe('what is lost', () => {
  it('is told by its column, and agreed to by typing its name', () => {
    const losses = lossesOf([drop('sails', 5)]);
    expect(confirmationWord(module, losses)).toBe('boats.sails');
    expect(lossTexts(module, losses)).toEqual({
      title: 'Publish and purge sails?',
      text: '5 boats hold a value in sails. Purging removes the values and their column from every company. Restoring version 3 will not bring them back.',
    });
  });

  it('is told with the number of all records, where some hold nothing', () => {
    const told = (rows: number, of: number) =>
      lossTexts(module, lossesOf([{ ...drop('sails', rows), of }])).text.split('.')[0];
    expect(told(41, 1065)).toBe('41 of 1,065 boats hold a value in sails');
    expect(told(1, 65)).toBe('1 of 65 boats holds a value in sails');
    expect(told(65, 65)).toBe('65 boats hold a value in sails');
    expect(told(1, 1)).toBe('1 boat holds a value in sails');
  });

  it('is told of links, which have a table of their own', () => {
    const sql = 'drop table public."boats__crew"';
    const losses = lossesOf([step({ kind: 'dropTable', sql, destructive: true, rows: 2, of: 5 })]);
    expect(confirmationWord(module, losses)).toBe('boats.crew');
    expect(lossTexts(module, losses)).toEqual({
      title: 'Publish and purge crew?',
      text: '2 of 5 boats hold a value in crew. Purging removes the values and their table from every company. Restoring version 3 will not bring them back.',
    });
  });

  it('is told together where it is several columns', () => {
    const losses = lossesOf([drop('sails', 5), drop('hull', 1)]);
    expect(confirmationWord(module, losses)).toBe('boats');
    expect(lossTexts(module, losses).title).toBe('Publish and purge sails and hull?');
  });

  it('is no purge where a type becomes narrower', () => {
    const sql = 'alter table public."boats" rename column "sails" to "sails__was_1"';
    const losses = lossesOf([step({ kind: 'changeType', text: 'Change sails.', sql, destructive: true, rows: 9 })]);
    expect(losses).toMatchObject([{ column: 'sails', purged: false }]);
    expect(lossTexts(module, losses).title).toBe('Publish and change sails?');
  });
});

it('an error leads to the field or part that it is about, else into the JSON', () => {
  expect(placeAndPane('/fields/sails/maxLength')).toEqual(['/fields/sails', 'properties']);
  expect(placeAndPane('/list/filters/sails')).toEqual(['/list/filters', 'properties']);
  expect(placeAndPane('/list/sort')).toEqual(['/list/columns', 'properties']);
  expect(placeAndPane('/grants/2')).toEqual(['/rules', 'properties']);
  expect(placeAndPane('/requests/move/path')).toEqual(['/requests/move/path', 'json']);
});
