import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitColumns, ninetyFifth, titleWidth } from '../../../src/app/list/grid/fitColumns';

describe('columns of a grid', () => {
  const columns = [
    { field: 'key', need: 60 },
    { field: 'module', need: 130, leaves: 45 },
    { field: 'priority', need: 90, leaves: 2 },
    { field: 'person', need: 150, leaves: 3 },
  ];

  it('are as wide as their content needs, up to 240 pixels', () => {
    const { widths, movedFields } = fitColumns([{ field: 'name', need: 900, leaves: 1 }, ...columns], 2000, true);
    expect([...widths.values()]).toEqual([240, 60, 130, 90, 150]);
    expect(movedFields).toEqual([]);
  });

  it('leave for the second line of the title, those with the highest number first, until it has 320 pixels', () => {
    expect(fitColumns(columns, 700, true).movedFields).toEqual(['module']);
    expect(fitColumns(columns, 560, true).movedFields).toEqual(['module', 'person']);
    expect(fitColumns(columns, 300, true).movedFields).toEqual(['module', 'priority', 'person']);
  });

  it('stay where no column is the title', () => {
    expect(fitColumns(columns, 300, false).movedFields).toEqual([]);
  });

  it('keep a width that somebody chose', () => {
    expect(fitColumns([{ field: 'name', need: 80, width: 400 }], 1000, true).widths.get('name')).toBe(400);
  });

  it('never take from a title below 320 pixels what could leave', () => {
    const column = fc.record({
      field: fc.uuid(),
      need: fc.integer({ min: 1, max: 900 }),
      leaves: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(column, { maxLength: 12 }), fc.integer({ min: 0, max: 3000 }), (some, available) => {
        const { widths, movedFields } = fitColumns(some, available, true);
        const rest = available - [...widths.values()].reduce((sum, width) => sum + width, 0);
        const couldLeave = some.filter(({ field, leaves }) => leaves !== undefined && widths.has(field));
        expect(rest >= titleWidth || couldLeave.length === 0).toBe(true);
        expect(new Set([...widths.keys(), ...movedFields])).toEqual(new Set(some.map(({ field }) => field)));
      }),
    );
  });

  it('fit 95 % of their values', () => {
    expect(ninetyFifth([])).toBe(0);
    expect(ninetyFifth([40, 380, 52])).toBe(380);
    expect(ninetyFifth(Array.from({ length: 100 }, (_, index) => index + 1))).toBe(95);
  });
});
