import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fieldTypeNames } from '../../../src/engine/definitions/definition';
import { systemFields } from '../../../src/engine/normalise/system-fields';
import type { Source } from '../../../src/engine/language/source';
import { addField, changeType, moveField, removeField, renameField } from '../../../src/engine/studio/fields';
import { formatSource } from '../../../src/engine/studio/format-source';
import { setAtPath } from '../../../src/engine/studio/set-at-path';
import { source } from '../support/definitions';
import { faultsOf, shipped } from './support/all';

const every = Object.values(shipped).flatMap((one) => Object.keys(one.fields).map((name) => [one.name, name] as const));
const own = every.filter(([name, field]) => !Object.hasOwn(systemFields(shipped[name]!), field));
const shots = shipped.shots!;

test('comments without settings stay in a definition, and are removed when they are turned off', () => {
  const set = setAtPath({ ...shots, comments: true }, ['comments', 'write'], 'edit');
  expect(set.comments).toEqual({ write: 'edit' });
  expect(setAtPath(set, ['comments', 'write'], undefined).comments).toEqual({});
  expect(setAtPath(set, ['comments'], undefined)).not.toHaveProperty('comments');
});

describe('the fields of a definition', () => {
  it('get a name from the label, one that can be taken', () => {
    const added = addField(shots, { type: 'url', label: 'Build URL (nightly)' }, 'milestone');
    expect(added.name).toBe('build_url_nightly');
    expect(added.source.fields[added.name]).toEqual({ type: 'url', label: 'Build URL (nightly)' });
    expect(Object.keys(added.source.fields).slice(4, 6)).toEqual(['milestone', 'build_url_nightly']);
    for (const label of [
      'Name',
      'id',
      'Sort',
      '',
      '日本語',
      '1st',
      'Created by',
      'ends_on',
      'Assign',
      'Testcases count',
      'End date from',
      'x'.repeat(200),
      'constructor',
      '__proto__',
    ]) {
      const { source: made, name } = addField(shots, { type: 'text', label: label || 'x' });
      expect(faultsOf(made), label).toEqual([]);
      expect(Object.keys(made.fields).at(-1)).toBe(name);
    }
  });

  it.each(own)('%s.%s is renamed wherever the definition names it', (name, field) => {
    const before = shipped[name]!;
    const text = formatSource(before);
    const renamed = renameField(before, field, 'another_name', before);
    expect(renamed.fields.another_name!.formerName).toBe(field);
    expect(faultsOf(renamed)).toEqual([]);
    expect(formatSource(before)).toBe(text);
    const back = renameField(renamed, 'another_name', field, before);
    expect(formatSource({ ...back, recordTitle: before.recordTitle })).toBe(
      formatSource({ ...before, recordTitle: before.recordTitle }),
    );
    expect(Object.keys(renamed.fields).indexOf('another_name')).toBe(Object.keys(before.fields).indexOf(field));
  });

  it.each(every)('%s.%s is removed, and its remaining mentions are reported', (name, field) => {
    const before = shipped[name]!;
    const text = formatSource(before);
    const { source: left, unresolved } = removeField(before, field);
    const faults = faultsOf(left).filter(
      ({ path }) => !unresolved.some((one) => path === one || path.startsWith(`${one}/`)),
    );
    if (Object.keys(left.fields).length > 0) expect(faults).toEqual([]);
    expect(left.fields).not.toHaveProperty(field);
    expect(formatSource(before)).toBe(text);
  });

  it('are removed from columns, filters, sections, the card and all other parts', () => {
    const { source: left, removedFrom, unresolved } = removeField(shots, 'status_id');
    expect(removedFrom).toEqual(expect.arrayContaining(['columns', 'filters', 'sections', 'card', 'board', 'import']));
    expect(left.list!.columns).not.toContain('status_id*');
    expect(left.list!.kanban).toBeUndefined();
    expect(left.list!.views).toEqual(['list']);
    expect(left.list!.card!.lines).toEqual([{ field: 'ends_on', icon: 'calendar' }]);
    expect(left.requests!.comment!.required).toEqual(['comments']);
    expect(left.indexes).toEqual([['ends_on']]);
    expect(left.rules![2]!.exceptFields).toEqual(['operator_id']);
    expect(unresolved).toEqual(['/fields/is_late/computed']);
    expect(removeField(shots, 'created_by').unresolved).toEqual([]);
    expect(removeField(shipped.films!, 'user_ids').unresolved).toEqual(['/rules/0/where']);
    expect(removeField(shots, 'nothing').source).toBe(shots);
  });

  it('remember their former name only where it was published', () => {
    const { source: draft } = addField(shots, { type: 'text', label: 'Build' });
    expect(renameField(draft, 'build', 'build_name', shots).fields.build_name).toEqual({ type: 'text' });
    const twice = renameField(renameField(shots, 'milestone', 'release', shots), 'release', 'version', shots);
    expect(twice.fields.version!.formerName).toBe('milestone');
    expect(twice.list!.columns).toContain('version');
    expect(twice.import!.synonyms!.version).toEqual(['Fix Version/s', 'Fix versions', 'Version', 'Sprint']);
    const published = renameField(shots, 'milestone', 'release', shots);
    expect(renameField(published, 'release', 'version', published).fields.version!.formerName).toBe('release');
    expect(() => renameField(shots, 'milestone', 'name', shots)).toThrow('already');
    expect(() => renameField(shots, 'milestone', 'Sort it', shots)).toThrow('lower-case letter');
  });

  it('keep their places in named exports, and leave them with their columns', () => {
    const columns = ['name', { heading: 'Line', text: '{note}: {name}' }, { field: 'lines.piece' }, { field: 'note' }];
    const fields = { name: {}, note: {}, lines: { type: 'rows', fields: { piece: {} } } } as Source['fields'];
    const before = source({ fields, exports: { books: { label: 'Books', columns } } });
    expect(renameField(renameField(before, 'note', 'remark'), 'lines', 'items').exports!.books!.columns).toEqual([
      'name',
      { heading: 'Line', text: '{remark}: {name}' },
      { field: 'items.piece' },
      { field: 'remark' },
    ]);
    expect(removeField(before, 'note').source.exports!.books!.columns).toEqual([
      'name',
      { heading: 'Line', text: ': {name}' },
      { field: 'lines.piece' },
    ]);
    expect(
      removeField(source({ fields, exports: { one: { label: 'One', columns: ['note'] } } }), 'note').source,
    ).not.toHaveProperty('exports');
  });

  it('keep their places in printed pages and public forms, and are reported or leave them', () => {
    const fields = { name: {}, note: {}, mail: { type: 'email' }, lines: { type: 'rows', fields: { piece: {} } } };
    const create = {
      fields: ['name', 'mail'],
      values: { note: 'x' },
      mail: { address: 'mail', subject: 'a', text: 'b' },
    };
    const template = ['{#lines}{piece}', '{/lines}{^note}-{/note}{note}'];
    const before = source({ fields, print: { template }, public: { create } } as unknown as Partial<Source>);
    const after = renameField(renameField(renameField(before, 'note', 'remark'), 'lines', 'items'), 'mail', 'address');
    expect(after.print).toEqual({ template: ['{#items}{piece}', '{/items}{^remark}-{/remark}{remark}'] });
    expect(after.public!.create).toEqual({
      fields: ['name', 'address'],
      values: { remark: 'x' },
      mail: { address: 'address', subject: 'a', text: 'b' },
    });
    expect(removeField(before, 'note').unresolved).toEqual(['/print/template/1']);
    expect(removeField(before, 'mail').source.public!.create).toEqual({ fields: ['name'], values: { note: 'x' } });
  });

  it('keep the title of records when the field of the title is renamed', () => {
    expect(renameField(shots, 'name', 'summary', shots).recordTitle).toBe(undefined);
    const two = source({ fields: { note: {}, name: {} } });
    expect(renameField(two, 'name', 'heading').recordTitle).toBe('{heading}');
  });

  it('lose the keys that another type does not know', () => {
    const { source: made, dropped } = changeType(shots, 'operator_id', 'text');
    expect(dropped).toEqual(['to', 'embed', 'embedFields', 'choices']);
    expect(made.fields.operator_id).toEqual({ type: 'text', emptyText: 'Unassigned', required: 'form' });
    expect(changeType(source(), 'name', 'number').source.fields.name).toEqual({ type: 'number', required: true });
    expect(changeType(shipped['shifts']!, 'worked', 'relation').dropped).toEqual(['startField', 'endField']);
  });

  it('change in one place at a time, and in any order back', () => {
    const names = Object.keys(shots.fields);
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat({ max: names.length - 1 }),
        fc.constantFrom(...fieldTypeNames),
        (name, to, type) => {
          const moved = moveField(shots, name, to);
          expect(Object.keys(moved.fields)[to]).toBe(name);
          expect(formatSource(moveField(moved, name, names.indexOf(name)))).toBe(formatSource(shots));
          const set = setAtPath(shots, ['fields', name, 'help'], 'Help.');
          expect(set.fields[name]!.help).toBe('Help.');
          expect(formatSource(setAtPath(set, ['fields', name, 'help'], undefined))).toBe(formatSource(shots));
          expect(formatSource(setAtPath(shots, ['fields', name, 'label'], shots.fields[name]!.label))).toBe(
            formatSource(shots),
          );
          expect(changeType(shots, name, shots.fields[name]!.type ?? 'text').dropped).toEqual([]);
          const typed = changeType(shots, name, type).source;
          expect({ ...typed, fields: { ...typed.fields, [name]: shots.fields[name] } }).toEqual(shots);
        },
      ),
    );
  });
});
