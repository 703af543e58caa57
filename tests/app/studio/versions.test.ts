import { expect, test } from 'vitest';
import { countGroups, groupNumbers } from '../../../src/app/studio/versions/Comparison';
import { sidesAfterClick, selectedSides, comparableSides } from '../../../src/app/studio/versions/sides';
import { pathText, conflictTexts } from '../../../src/app/studio/upgrade/ConflictCard';
import type { Source } from '../../../src/engine/language/source';
import { compareLines } from '../../../src/engine/studio/diff-lines';
import { mergeSources } from '../../../src/engine/studio/merge';
import type { ModuleVersion } from '../../../src/engine/studio/module';

const source = (label: string): Source => ({
  name: 'a',
  labels: { one: 'A', many: 'As' },
  fields: { x: { type: 'text', label } },
});
const version = (number: number, event: ModuleVersion['event'], name?: string): ModuleVersion => ({
  ...{ version: number, event, note: null, created_at: '2026-11-20T16:04:00Z', definition: source(`${number}`) },
  user: name ? { id: 1, name } : null,
});
const versions = [version(3, 'published', 'Maya'), version(2, 'restored', 'Maya'), version(1, 'shipped')];

test('versions name the change of the module, its author, and the active one', () => {
  const sides = comparableSides(versions, null);
  expect(sides.map(({ title }) => title)).toEqual(['Version 3', 'Version 2, restored', 'Version 1, shipped']);
  expect(sides.map(({ current }) => current)).toEqual([true, false, false]);
  expect(sides[2]!.author).toMatch(/^Assay, 20-Nov-2026/);
  expect(comparableSides([version(4, 'retired', 'Maya')], null)[0]!.current).toBe(false);
});

test('a draft is compared with its base; the address and clicks choose other versions', () => {
  const sides = comparableSides(versions, source('draft'));
  const keys = (pair: ReturnType<typeof selectedSides>) => pair?.map(({ key }) => key);
  expect(keys(selectedSides(sides, null, null, 2))).toEqual(['2', 'draft']);
  expect(keys(selectedSides(sides, null, '3', 2))).toEqual(['2', '3']);
  expect(keys(selectedSides(sides, '1', '9', undefined))).toEqual(['1', 'draft']);
  expect(selectedSides([], null, null, undefined)).toBeNull();
  const pair = selectedSides(sides, '2', '3', undefined)!;
  expect(keys(sidesAfterClick(sides, pair, sides[3]!))).toEqual(['1', '3']);
  expect(keys(sidesAfterClick(sides, pair, sides[0]!))).toEqual(['2', 'draft']);
  expect(keys(sidesAfterClick(sides, pair, sides[1]!))).toEqual(['2', '3']);
});

test('rows that differ and follow each other are one difference', () => {
  const rows = compareLines('a\nb\nc\nd\ne', 'a\nB\nC\nd\nf');
  expect(countGroups(rows)).toBe(2);
  expect(new Set(groupNumbers(rows).values())).toEqual(new Set([0, 1]));
});

test('a conflict is described from both sides', () => {
  const upgrade = {
    shipped: source('Shipment'),
    ...mergeSources(source('Milestone'), source('Shipment'), source('Release')),
  };
  const [conflict] = upgrade.conflicts;
  expect(pathText(conflict!.path)).toBe('x › label');
  const told = conflictTexts(upgrade, conflict!);
  expect(told.shippedText).toContain('Shipment');
  expect(told.changedText).toContain('Release');
});
