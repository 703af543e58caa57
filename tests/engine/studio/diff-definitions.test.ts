import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { diffDefinitions } from '../../../src/engine/studio/diff-definitions';
import { removeField, renameField } from '../../../src/engine/studio/fields';
import { fixtureFiles, source } from '../support/definitions';

const shipped = Object.fromEntries(
  fixtureFiles.map(({ text }) => {
    const one = JSON.parse(text) as Source;
    return [one.name, one];
  }),
);
const shots = () => structuredClone(shipped.shots!);

/** The changes of an edited copy, one line each. */
function said(edit: (copy: Source) => void, before = shots()): string[] {
  const after = structuredClone(before);
  edit(after);
  return diffDefinitions(before, after).map(({ kind, subject, text }) =>
    [kind, subject, text].filter(Boolean).join(' | '),
  );
}

describe('the changes of a definition', () => {
  it('are none between equal definitions', () => {
    for (const one of Object.values(shipped)) expect(diffDefinitions(one, structuredClone(one))).toEqual([]);
  });

  it('name another order of entries that are the same otherwise', () => {
    const turned = <Entries extends object>(entries: Entries) =>
      Object.fromEntries(Object.entries(entries).reverse()) as Entries;
    const lines = { type: 'rows', fields: { piece: {}, amount: { type: 'number' } } } as const;
    const before = { ...shots(), fields: { ...shots().fields, lines }, exports: { a: {}, b: {} } } as unknown as Source;
    expect(said((copy) => (copy.fields = turned(copy.fields)), before)).toEqual(['changed | fields | reordered']);
    expect(said((copy) => (copy.list!.filters = turned(copy.list!.filters!)), before)).toEqual([
      'changed | filters | reordered',
    ]);
    expect(said((copy) => (copy.fields.lines = { ...lines, fields: turned(lines.fields) } as never), before)).toEqual([
      'changed | lines | fields reordered',
    ]);
    // Keys that are no entries have no order.
    expect(said((copy) => (copy.labels = turned(copy.labels)), before)).toEqual([]);
    expect(said((copy) => (copy.fields.name = turned(copy.fields.name!)), before)).toEqual([]);
  });

  it('name fields that came, went and were renamed, and every key that changed', () => {
    expect(
      said((copy) => {
        Object.assign(copy, removeField(renameField(copy, 'milestone', 'release', copy), 'copyOf').source);
        const { release, ...fields } = copy.fields;
        copy.fields = {
          poster_url: { type: 'url', label: 'Build' },
          ...fields,
          release: { ...release, label: 'Release' },
        };
        copy.fields.planned_hours!.digits = 1;
        copy.fields.name!.required = false;
        copy.fields.status_id!.required = true;
        copy.fields.starts_on = { type: 'datetime', visible: { status_id: { $in: [2, 3] } } };
      }),
    ).toEqual([
      'added | poster_url',
      'removed | copyOf',
      'changed | name | no longer required',
      'changed | status_id | required',
      'changed | starts_on | type date → datetime',
      'changed | starts_on | visible when status_id is one of 2, 3',
      'changed | planned_hours | decimals 2 → 1',
      'changed | release | renamed from milestone',
      'changed | release | label "Release"',
      'changed | fields | reordered',
      'changed | copy | no longer reference to the original copyOf',
    ]);
  });

  it('describe a key without gaps', () => {
    expect(
      said((copy) => {
        copy.fields.name = { type: 'sequence', format: 'S-{n}', gapless: true };
      }),
    ).toContain('changed | name | without gaps');
  });

  it('describe changes of options', () => {
    expect(
      said((copy) => {
        const options = copy.fields.level!.options!;
        copy.fields.level!.options = [
          { value: 7, label: 'Guest' },
          { value: 2, label: 'Owner', tone: 'info' },
          ...options.slice(3),
        ];
      }, shipped.roles!),
    ).toEqual([
      'changed | level | option "Guest" added',
      'changed | level | option "1, administers the installation" removed',
      'changed | level | option "3, behaves like Manager" removed',
      'changed | level | option "2, owns the company": label "2, owns the company" → "Owner"',
      'changed | level | option "2, owns the company": colour info',
    ]);
  });

  it('include the parts of the list and of the form', () => {
    expect(
      said((copy) => {
        const list = copy.list!;
        list.columns = ['name!', 'id', ...list.columns!.slice(2, -1), 'screenings*'];
        list.columns[8] = 'ends_on';
        list.filters = { milestone: {}, ...list.filters };
        delete list.filters.film_id;
        list.filters.operator_id = { label: 'Who' };
        list.card!.subtitle = '{name}';
        list.card!.menu = ['edit'];
        list.sort = 'ends_on';
        list.bulkDelete = false;
        copy.form!.sections![1]!.fields.reverse();
        copy.form!.sections![0]!.label = 'What';
        copy.form!.tabs!.pop();
      }),
    ).toEqual([
      'added | column screenings',
      'removed | column updated_at',
      'changed | column ends_on | no longer shown by default',
      'changed | columns | reordered',
      'added | filter milestone',
      'removed | filter film_id',
      'changed | filter operator_id | label "User" → "Who"',
      'changed | card | subtitle "{film.name}" → "{name}"',
      'changed | card | menu comment removed, addShift removed, copy removed, delete removed',
      'added | sort order of the list | ends_on',
      'added | bulk delete | no',
      'added | section "What"',
      'removed | section "Shot"',
      'changed | section "Plan" | fields reordered',
      'removed | tab of the form "Shift"',
    ]);
  });

  it('end with labels, questions, rules, grants and the menu', () => {
    expect(
      said((copy) => {
        copy.labels.many = 'Jobs';
        copy.titles = { create: 'New Job' };
        copy.menu = false;
        copy.delete = { confirm: 'Really?' };
        copy.rules!.shift();
        copy.rules!.push({ levels: [4], action: 'edit', exceptFields: ['name'] });
        copy.grants![6] = 'read';
        copy.grants![5] = ['list', 'view'];
        copy.indexes!.pop();
        copy.copy!.suffix = ' (2)';
        copy.archive = true;
        delete copy.hooks;
      }),
    ).toEqual([
      'changed | labels | plural name "Shots" → "Jobs"',
      'changed | titles | new record "New Job"',
      'changed | titles | no longer list "Shot | Total Records: {total}"',
      'changed | menu | off',
      'changed | copy | appended to the copy’s title " - Copy" → " (2)"',
      'added | rule for Developer: edit',
      'removed | rule "only shots that you created"',
      'changed | grants | QA: all → list, view',
      'changed | grants | External User: all → read',
      'removed | index status_id, ends_on',
      'added | delete',
      'added | archive | yes',
      'removed | hooks',
    ]);
  });

  it('name what changed within automations, columns of the list and columns of rows', () => {
    const before = shots();
    before.requests = { done: { label: 'Done', sets: ['name'] } };
    before.fields.lines = { type: 'rows', fields: { amount: { type: 'number', max: 3 } } };
    before.list = { ...before.list, columns: ['name', 'id'] };
    before.automations = [{ name: 'remind', label: 'Remind', schedule: 'day', steps: [{ set: { name: 'a' } }] }];
    expect(
      said((copy) => {
        copy.fields.lines!.fields = { amount: { type: 'number', max: 4 }, note: {} };
        copy.list!.columns = [{ field: 'name', secondLine: ['id'] }, 'id!'];
        copy.automations![0]!.schedule = 'week';
        copy.automations![0]!.steps = [{ set: { name: 'b' } }];
        copy.automations!.push({ name: 'late', events: ['create'], steps: [{ set: { name: 'a' } }] });
        copy.requests!.done!.required = ['name'];
        copy.form!.redirects = [];
      }, before),
    ).toEqual([
      'changed | lines | column note added',
      'changed | lines | column amount: max 3 → 4',
      'changed | column name | second line id',
      'changed | column id | shown by default',
      'changed | column id | always shown',
      'added | redirects | none',
      'changed | request done | required name',
      'added | automation late',
      'changed | automation "Remind" | how often day → week',
      'changed | automation "Remind" | steps changed',
    ]);
  });

  it('leave out the consequences of a new name', () => {
    const renamed = renameField(shots(), 'ends_on', 'due_date', shots());
    expect(diffDefinitions(shots(), renamed)).toEqual([
      { kind: 'changed', path: '/fields/due_date', subject: 'due_date', text: 'renamed from ends_on' },
    ]);
  });

  it('name the fields of a new module', () => {
    expect(diffDefinitions(undefined, source())).toEqual([
      { kind: 'added', path: '', subject: 'Things', text: 'new module' },
      { kind: 'added', path: '/fields/name', subject: 'name', text: '' },
    ]);
  });

  it('never show JSON', () => {
    const all = Object.values(shipped);
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.constantFrom(...all), (before, after) => {
        for (const { subject, text } of diffDefinitions(before, after)) {
          expect(text).not.toMatch(/[{[]"|\[object|undefined/);
          expect(subject).not.toMatch(/[{[]"|\[object|undefined/);
          expect(text.length).toBeLessThan(260);
        }
      }),
    );
  });
});
