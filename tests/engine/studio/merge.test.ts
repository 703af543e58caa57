import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { resolveConflicts } from '../../../src/engine/studio/resolve-conflicts';
import { formatSource } from '../../../src/engine/studio/format-source';
import { mergeSources } from '../../../src/engine/studio/merge';
import { fixtureFiles } from '../support/definitions';
import { removeField, renameField } from '../../../src/engine/studio/fields';
import { faultsOf } from './support/all';
import { edits, type Edit } from './support/edits';

const shipped = fixtureFiles.map(({ text }) => JSON.parse(text) as Source);
const shots = shipped.find(({ name }) => name === 'shots')!;

function edited(base: Source, ...some: ((copy: Source) => void)[]): Source {
  const copy = structuredClone(base);
  for (const edit of some) edit(copy);
  return copy;
}

const definition = fc.constantFrom(...shipped);
const apply = (base: Source, some: readonly Edit[]) => edited(base, ...some.map(({ edit }) => edit));

describe('merging a shipped definition with local changes', () => {
  it('gives the other side where one equals the base, to the letter', () => {
    fc.assert(
      fc.property(definition, fc.array(edits, { maxLength: 6 }), (base, some) => {
        const other = apply(base, some);
        const [first, second] = [mergeSources(base, base, other), mergeSources(base, other, base)];
        expect(formatSource(first.merged)).toBe(formatSource(other));
        expect(formatSource(second.merged)).toBe(formatSource(other));
        expect([...first.conflicts, ...second.conflicts]).toEqual([]);
      }),
    );
  });

  it('gives both where they are equal', () => {
    fc.assert(
      fc.property(definition, definition, (base, both) => {
        const { merged, conflicts } = mergeSources(base, both, structuredClone(both));
        expect(formatSource(merged)).toBe(formatSource(both));
        expect(conflicts).toEqual([]);
      }),
    );
  });

  it('keeps edits of different parts, from either side', () => {
    fc.assert(
      fc.property(
        definition,
        fc.array(edits, { maxLength: 6 }),
        fc.array(edits, { maxLength: 6 }),
        (base, mine, all) => {
          const rooms = new Set(mine.map(({ room }) => room));
          const theirs = all.filter(({ room }) => !rooms.has(room));
          const [one, other] = [apply(base, mine), apply(base, theirs)];
          const [first, second] = [mergeSources(base, one, other), mergeSources(base, other, one)];
          expect(first.conflicts).toEqual([]);
          expect(first.merged).toEqual(apply(base, [...mine, ...theirs]));
          expect(second.merged).toEqual(first.merged);
        },
      ),
    );
  });

  it('prefers the local change, and every conflict can be resolved with the shipped one', () => {
    fc.assert(
      fc.property(
        definition,
        fc.array(edits, { maxLength: 8 }),
        fc.array(edits, { maxLength: 8 }),
        (base, mine, theirs) => {
          const [one, other] = [apply(base, theirs), apply(base, mine)];
          const before = JSON.stringify([base, one, other]);
          const upgrade = { shipped: one, ...mergeSources(base, one, other) };
          const { conflicts } = mergeSources(base, other, one);
          expect(conflicts.map(({ path }) => path).sort()).toEqual(upgrade.conflicts.map(({ path }) => path).sort());
          expect(resolveConflicts(upgrade, {})).toEqual(upgrade.merged);
          const turned = resolveConflicts(
            upgrade,
            Object.fromEntries(upgrade.conflicts.map(({ path }) => [path, 'shipped'] as const)),
          );
          expect(mergeSources(base, one, turned).conflicts).toEqual([]);
          expect(JSON.stringify([base, one, other])).toBe(before);
        },
      ),
    );
  });

  it('keeps the local order, with shipped additions in place', () => {
    const base = edited(shots);
    const theirs = edited(base, (copy) => {
      const { name, ...rest } = copy.fields;
      copy.fields = { name: name!, summary: { type: 'text' }, ...rest };
      copy.list!.columns = ['id', 'name!', 'summary*', ...copy.list!.columns!.slice(2)];
    });
    const mine = edited(base, (copy) => {
      const { name, film_id, ...rest } = copy.fields;
      copy.fields = { film_id: film_id!, name: name!, poster_url: { type: 'url' }, ...rest };
      copy.list!.columns = [...copy.list!.columns!.slice(0, 3), 'poster_url*', ...copy.list!.columns!.slice(3)];
    });
    const { merged, conflicts } = mergeSources(base, theirs, mine);
    expect(conflicts).toEqual([]);
    expect(Object.keys(merged.fields).slice(0, 4)).toEqual(['film_id', 'name', 'summary', 'poster_url']);
    expect(merged.list!.columns!.slice(0, 6)).toEqual([
      'id',
      'name!',
      'summary*',
      'film_id',
      'poster_url*',
      'scene_id',
    ]);
  });

  it('merges keys of one field, and reports conflicts', () => {
    const theirs = edited(shots, (copy) => {
      Object.assign(copy.fields.milestone!, { label: 'Version', maxLength: 60 });
      copy.fields.planned_hours!.digits = 3;
      delete copy.fields.copyOf;
    });
    const mine = edited(shots, (copy) => {
      Object.assign(copy.fields.milestone!, { label: 'Release', help: 'Where it ships.' });
      copy.fields.copyOf!.label = 'Made From';
    });
    const upgrade = { shipped: theirs, ...mergeSources(shots, theirs, mine) };
    expect(upgrade.merged.fields.milestone).toEqual({
      type: 'text',
      label: 'Release',
      maxLength: 60,
      help: 'Where it ships.',
    });
    expect(upgrade.merged.fields.planned_hours!.digits).toBe(3);
    expect(upgrade.merged.fields.copyOf!.label).toBe('Made From');
    expect(upgrade.conflicts).toEqual([
      { path: '/fields/milestone/label', shipped: 'Version', changed: 'Release' },
      { path: '/fields/copyOf', base: shots.fields.copyOf, changed: { ...shots.fields.copyOf, label: 'Made From' } },
    ]);
    const decided = resolveConflicts(upgrade, { '/fields/milestone/label': 'shipped', '/fields/copyOf': 'shipped' });
    expect(decided.fields.milestone!.label).toBe('Version');
    expect(decided.fields).not.toHaveProperty('copyOf');
  });

  it('never joins halves of two conditions or of two rules', () => {
    const theirs = edited(shots, (copy) => {
      copy.fields.operator_id!.choices = { film_id: '$form.film_id', status_id: 1 };
      copy.rules![0]!.levels = [5, 6];
    });
    const mine = edited(shots, (copy) => {
      copy.fields.operator_id!.choices = { film_id: '$form.film_id', role_id: { $ne: 6 } };
      copy.rules![0]!.levels = [3, 4, 5, 6];
    });
    const { merged, conflicts } = mergeSources(shots, theirs, mine);
    expect(conflicts.map(({ path }) => path)).toEqual(['/fields/operator_id/choices', '/rules']);
    expect(merged.rules).toEqual(mine.rules);
  });

  it('makes one conflict of a list where one side took what the other changed', () => {
    const theirs = edited(shots, (copy) => {
      copy.form!.tabs!.splice(0, 1);
      copy.form!.tabs![0]!.label = 'Hours';
    });
    const mine = edited(shots, (copy) => void (copy.form!.tabs![0]!.label = 'Cases'));
    const upgrade = { shipped: theirs, ...mergeSources(shots, theirs, mine) };
    expect(upgrade.merged.form!.tabs!.map(({ label }) => label)).toEqual(['Cases', 'Hours']);
    expect(upgrade.conflicts.map(({ path }) => path)).toEqual(['/form/tabs']);
    expect(resolveConflicts(upgrade, { '/form/tabs': 'shipped' }).form!.tabs!.map(({ label }) => label)).toEqual([
      'Hours',
    ]);
  });

  it('finds a field under the new name that one side gave it', () => {
    const renamed = renameField(shots, 'milestone', 'release', shots);
    const other = edited(shots, (copy) => {
      copy.fields.milestone!.maxLength = 60;
      copy.list!.filters = { milestone: {}, ...copy.list!.filters };
    });
    for (const [theirs, mine] of [
      [renamed, other],
      [other, renamed],
    ] as const) {
      const { merged, conflicts } = mergeSources(shots, theirs, mine);
      expect(conflicts).toEqual([]);
      expect(merged.fields.release).toEqual({ type: 'text', maxLength: 60, formerName: 'milestone' });
      expect(merged.fields).not.toHaveProperty('milestone');
      expect(Object.keys(merged.list!.filters!)[0]).toBe('release');
      expect(faultsOf(merged)).toEqual([]);
    }
    const removed = removeField(shots, 'milestone').source;
    expect(mergeSources(shots, removed, renamed).conflicts.map(({ path }) => path)).toEqual(['/fields/release']);
    expect(mergeSources(shots, renamed, structuredClone(renamed)).merged).toEqual(renamed);
  });
});
