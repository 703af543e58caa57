import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { readColumns, writeColumns } from '../../../src/engine/studio/columns';
import { readCondition, writeCondition } from '../../../src/engine/studio/condition-builder';
import { addField, changeType, moveField, removeField, renameField } from '../../../src/engine/studio/fields';
import { readFilters, writeFilters } from '../../../src/engine/studio/filters';
import { formatSource } from '../../../src/engine/studio/format-source';
import { isJsonObject } from '../../../src/engine/formats/json';
import { moveFieldToSection, readSections, writeSections } from '../../../src/engine/studio/sections';
import { setAtPath } from '../../../src/engine/studio/set-at-path';
import { source } from '../support/definitions';
import { faultsOf, shipped } from './support/all';

const every = Object.values(shipped);
const shots = shipped.shots!;

/** Everything that the visual editor shows of a definition. */
const look = (one: Source) => ({
  columns: readColumns(one),
  filters: readFilters(one),
  sections: readSections(one),
  conditions: Object.entries(one.fields).map(
    ([name, { visible }]) => [name, visible && readCondition(visible)] as const,
  ),
});

/** The definition with all that written back. */
function writeAll(one: Source, shown = look(one)): Source {
  let made = writeColumns(one, shown.columns);
  made = writeFilters(made, shown.filters);
  made = writeSections(made, shown.sections);
  for (const [name, condition] of shown.conditions)
    made = setAtPath(made, ['fields', name, 'visible'], condition && writeCondition(condition));
  for (const [name, field] of Object.entries(one.fields))
    for (const key of Object.keys(field) as (keyof FieldSource)[])
      made = setAtPath(made, ['fields', name, key], field[key]);
  return made;
}

describe('removing a key of a definition', () => {
  const thin = source({
    fields: { name: { label: 'Title' }, other: {}, created_by: { label: 'Author' } },
    parameters: { season: { label: 'Season' } },
    list: { filters: { name: { label: 'Title' } }, card: { title: 'x' } },
  });
  it('leaves the field, filter or parameter that had no other, in its place', () => {
    const bare = setAtPath(thin, ['fields', 'name', 'label'], undefined);
    expect(Object.entries(bare.fields).slice(0, 2)).toEqual([
      ['name', {}],
      ['other', {}],
    ]);
    expect(setAtPath(thin, ['parameters', 'season', 'label'], undefined).parameters).toEqual({ season: {} });
    expect(setAtPath(thin, ['list', 'filters', 'name', 'label'], undefined).list!.filters).toEqual({ name: {} });
  });

  it('leaves no part that means nothing without keys', () => {
    expect(setAtPath(thin, ['fields', 'created_by', 'label'], undefined).fields).not.toHaveProperty('created_by');
    expect(setAtPath(thin, ['list', 'card', 'title'], undefined).list).toEqual({
      filters: { name: { label: 'Title' } },
    });
    expect(setAtPath(thin, ['parameters', 'season'], undefined)).not.toHaveProperty('parameters');
  });
});

describe('a part of a definition that is read and written back', () => {
  it.each(every.map((one) => [one.name, one]))('leaves %s as it was, to the letter', (_, one) => {
    const text = formatSource(one);
    expect(formatSource(writeAll(one))).toBe(text);
    const again = JSON.parse(formatSource(writeAll(one))) as Source;
    expect(look(again)).toEqual(look(one));
    expect(formatSource(again)).toBe(text);
  });

  it('leaves a definition with few keys as it was, too', () => {
    for (const one of [
      source(),
      source({ list: {} }),
      source({ list: { columns: ['id'], filters: {} }, form: {}, delete: {}, archive: true }),
    ])
      expect(formatSource(writeAll(one))).toBe(formatSource(one));
  });
});

describe('the columns of a list in the studio', () => {
  const columns = (written: NonNullable<Source['list']>['columns']) => source({ list: { columns: written } });

  it('are written in the shortest form, or in the one that they had', () => {
    const read = readColumns(shots)!;
    expect(read[1]).toEqual({ field: 'name', visible: true, fixed: true });
    const made = writeColumns(
      shots,
      read.map((one) =>
        one.field === 'milestone' ? { ...one, visible: true } : one.field === 'ends_on' ? { ...one, width: 90 } : one,
      ),
    );
    expect(made.list!.columns!.slice(5, 9)).toEqual([
      'milestone*',
      'urgency_id',
      'starts_on*',
      { field: 'ends_on', visible: true, width: 90 },
    ]);
    const wide = columns([{ field: 'name', visible: true, width: 90 }, 'id']);
    expect(
      writeColumns(
        wide,
        readColumns(wide)!.map(({ width: _, ...rest }) => rest),
      ).list!.columns,
    ).toEqual(['name*', 'id']);
  });

  it('keep their second line and their bar', () => {
    const barred = {
      field: 'name',
      secondLine: ['id'],
      parts: [{ field: 'id' }, { field: 'size', isRemainder: true }],
    };
    const both = columns([barred, 'id']);
    expect(writeColumns(both, readColumns(both)!.toReversed()).list!.columns).toEqual(['id', barred]);
    const wider = readColumns(both)!.map((one) => ({ ...one, width: 90 }));
    expect(writeColumns(both, wider).list!.columns![0]).toEqual({ ...barred, width: 90 });
  });

  it('get marks once one of them is hidden', () => {
    const plain = columns(['id', 'name', { field: 'created_at', label: 'Made' }]);
    const read = readColumns(plain)!;
    expect(read.every(({ visible }) => visible)).toBe(true);
    const hidden = writeColumns(
      plain,
      read.map((one) => ({ ...one, visible: one.field !== 'id' })),
    );
    expect(hidden.list!.columns).toEqual(['id', 'name*', { field: 'created_at', label: 'Made', visible: true }]);
    expect(readColumns(hidden)!.map(({ visible }) => visible)).toEqual([false, true, true]);
  });

  it('keep their marks where all of them are shown', () => {
    const marked = columns(['id*', 'name*']);
    expect(writeColumns(marked, readColumns(marked))).toEqual(marked);
    const more = writeColumns(marked, [...readColumns(marked)!, { field: 'created_at', visible: true, fixed: false }]);
    expect(more.list!.columns).toEqual(['id*', 'name*', 'created_at*']);
  });

  it('keep their meaning', () => {
    const column = fc.record({
      field: fc.constantFrom('id', 'name', 'a', 'b', 'c.d'),
      visible: fc.boolean(),
      fixed: fc.boolean(),
      label: fc.option(fc.constant('L'), { nil: undefined }),
      width: fc.option(fc.constant(90), { nil: undefined }),
    });
    const list = fc.uniqueArray(column, { selector: ({ field }) => field, minLength: 1 });
    fc.assert(
      fc.property(list, list, (first, then) => {
        const effective = (all: typeof first) => {
          const none = all.every(({ visible, fixed }) => !visible && !fixed);
          return all.map((one) => ({ ...one, visible: one.visible || one.fixed || none }));
        };
        const made = writeColumns(writeColumns(source(), first), then);
        expect(readColumns(made)).toEqual(effective(then));
        expect(formatSource(writeColumns(made, readColumns(made)))).toBe(formatSource(made));
      }),
    );
  });
});

describe('filters and sections in the studio', () => {
  it('leave out defaults, and keep written keys', () => {
    const filters = readFilters(shots);
    const made = writeFilters(shots, [
      { name: 'milestone', field: 'milestone', multiple: false, range: false },
      ...filters.map((one) => (one.name === 'ends_on' ? { ...one, range: false } : one)),
    ]);
    expect(Object.keys(made.list!.filters!)[0]).toBe('milestone');
    expect(made.list!.filters).toMatchObject({ milestone: {}, ends_on: {}, status_id: { multiple: true } });
    expect(writeFilters(shots, []).list).not.toHaveProperty('filters');
  });

  it('place fields in sections, and drop sections without any', () => {
    const moved = moveFieldToSection(shots, 'milestone', 1, 0);
    expect(moved.form!.sections!.map(({ fields }) => fields.indexOf('milestone'))).toEqual([-1, 0]);
    expect(moveFieldToSection(shipped['shifts']!, 'shot_id').form!.sections![0]!.fields).not.toContain('shot_id');
    expect(writeSections(shots, [{ label: 'Empty', fields: [] }]).form).not.toHaveProperty('sections');
    expect(moveFieldToSection(source(), 'name', 0)).toEqual(source());
  });

  it('keep alternatives of a section as long as there are two', () => {
    const [first, second, third] = Object.keys(shots.fields) as [string, string, string];
    const alternatives = [
      { label: 'One', fields: [first] },
      { label: 'Two', fields: [second, third] },
    ];
    const written = writeSections(shots, [{ label: 'A', fields: [first, second, third], alternatives }]);
    const [left] = readSections(moveFieldToSection(written, third))!;
    expect(left!.alternatives!.map(({ fields }) => fields)).toEqual([[first], [second]]);
    expect(readSections(removeField(written, third).source)![0]!.alternatives).toHaveLength(2);
    expect(readSections(removeField(written, first).source)![0]).not.toHaveProperty('alternatives');
    expect(readSections(moveFieldToSection(written, first))![0]).not.toHaveProperty('alternatives');
  });
});

describe('any sequence of edits of a definition', () => {
  /** Each with the places that it may touch. */
  const edit = fc.record({
    kind: fc.nat({ max: 11 }),
    index: fc.nat({ max: 40 }),
    text: fc.constantFrom('One', 'Two words', 'ünï'),
  });
  const nth = <T>(list: readonly T[], index: number) => list[index % list.length]!;

  function apply(
    one: Source,
    { kind, index, text }: { kind: number; index: number; text: string },
  ): [Source, string[]] {
    const name = nth(Object.keys(one.fields), index);
    const columns = readColumns(one);
    switch (kind) {
      case 0:
        return [addField(one, { label: text, type: 'text' }, name).source, ['/fields']];
      case 1:
        return [moveField(one, name, index % Object.keys(one.fields).length), ['/fields']];
      case 2:
        return [setAtPath(one, ['fields', name, 'help'], text), [`/fields/${name}/help`]];
      case 3:
        return [setAtPath(one, ['fields', name, 'label'], undefined), [`/fields/${name}`]];
      case 4:
        return [changeType(one, name, 'text').source, [`/fields/${name}`]];
      case 5:
        return columns ? [writeColumns(one, columns.toReversed()), ['/list/columns']] : [one, []];
      case 6:
        return columns
          ? [
              writeColumns(
                one,
                columns.map((column) => ({ ...column, visible: !column.visible })),
              ),
              ['/list/columns'],
            ]
          : [one, []];
      case 7:
        return [writeFilters(one, readFilters(one).slice(1)), ['/list/filters', '/list']];
      case 8:
        return [setAtPath(one, ['titles', 'create'], text), ['/titles']];
      case 9:
        return [moveFieldToSection(one, name, 0), ['/form/sections']];
      case 10:
        return [setAtPath(one, ['grants', '5'], ['list']), ['/grants']];
      default: {
        const rule = { levels: [4], action: 'edit', reason: text };
        return [setAtPath(one, ['rules'], [...(one.rules ?? []), rule]), ['/rules']];
      }
    }
  }

  /** A definition without what lies at some places. */
  function without(value: unknown, places: readonly string[], path = ''): unknown {
    if (places.some((place) => place === path)) return undefined;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, one]) => [key, without(one, places, `${path}/${key}`)])
        .filter(([, one]) => one !== undefined),
    );
  }

  it('can be written and read, and touches nothing that it does not name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...every), fc.array(edit, { maxLength: 15 }), (start, some) => {
        let now = start;
        for (const one of some) {
          const before = JSON.stringify(now);
          const [next, places] = apply(now, one);
          expect(JSON.stringify(now)).toBe(before);
          expect(JSON.stringify(without(next, places))).toBe(JSON.stringify(without(now, places)));
          expect(JSON.parse(formatSource(next))).toEqual(next);
          expect(formatSource(JSON.parse(formatSource(next)) as Source)).toBe(formatSource(next));
          now = next;
        }
      }),
    );
  });

  it('leaves a valid definition when fields are added, removed and renamed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...every), fc.array(edit, { maxLength: 8 }), (start, some) => {
        let now = start;
        const open: string[] = [];
        for (const [step, { kind, index, text }] of some.entries()) {
          const own = Object.keys(now.fields).filter((name) => !/^(created|updated)_(by|at)$|^site_id$/.test(name));
          if (own.length < 2) break;
          if (kind < 4) now = addField(now, { label: text, type: 'text' }).source;
          else if (kind < 8) now = renameField(now, nth(own, index), `name_${step}_new`, start);
          else {
            const removal = removeField(now, nth(own, index));
            now = removal.source;
            open.push(...removal.unresolved);
            // A field that comes later may close what is open.
            if (open.length > 0) break;
          }
        }
        if (open.length === 0) expect(faultsOf(now)).toEqual([]);
        else expect(faultsOf(now)).not.toEqual([]);
      }),
    );
  });
});
