import { describe, expect, it } from 'vitest';
import { beginKind } from '../../../src/app/studio/properties/beginPart';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { AutomationSource, Source } from '../../../src/engine/language/source';
import { newAutomation } from '../../../src/engine/studio/automation-edits';
import type { JsonObject } from '../../../src/engine/formats/json';
import { partAt } from '../../../src/engine/studio/part-keys';
import { kindOfPart, withKind } from '../../../src/engine/studio/part-kinds';
import { faultsOf, shipped } from '../../engine/studio/support/all';

const shots = shipped.shots!;
const labels = { one: 'Album', many: 'Albums' };
const registry = createRegistry([normalise({ name: 'albums', labels, fields: { name: { type: 'text' } } })]);
const withStart = (automation: JsonObject): Source => ({
  ...shots,
  fields: { ...shots.fields, stage: { type: 'select', options: [{ value: 'cut', label: 'Cut' }] }, albums: {} },
  automations: [automation as unknown as AutomationSource],
});

/** The part at a place of a definition with an automation, as another kind of it. */
function changeKind(steps: readonly string[], part: JsonObject, kind: string): JsonObject {
  const source = withStart(newAutomation([]) as unknown as JsonObject);
  const { keys, kinds } = partAt(source, steps);
  return withKind(part, kinds!, kind, beginKind(keys, kinds!, kind, { source, registry }), keys);
}

const start = ['automations', '0'];
const step = ['automations', '0', 'steps', '0'];
const kindsOf = (steps: readonly string[]) =>
  partAt(withStart(newAutomation([]) as unknown as JsonObject), steps).kinds!;
const startWith = (automation: object, kind: string) => changeKind(start, automation as JsonObject, kind);

describe('an automation of another kind', () => {
  it('is valid after each other kind', () => {
    const triggers = Object.keys(kindsOf(start).by);
    expect(triggers).toEqual(['events', 'transition', 'schedule', 'dueTime', 'idleTime']);
    for (const from of triggers)
      for (const to of triggers) {
        const after = startWith(startWith(newAutomation([]), from), to);
        expect(kindOfPart(after, kindsOf(start)), `${from} to ${to}`).toBe(to);
        expect(faultsOf(withStart(after)), `${from} to ${to}`).toEqual([]);
      }
  });

  it('keeps keys that do not belong to its former kind, unknown ones included', () => {
    const steps = [{ notify: 'created_by', text: 'Late.' }];
    const others = { name: 'late', runAs: 'robot@example.com', where: { name: 'x' }, steps, later: { key: 1 } };
    const scheduled = { ...others, schedule: 'hour', time: '00:30', timeZone: 'Europe/Berlin' };
    expect(startWith(scheduled, 'idleTime')).toEqual({ ...others, idleTime: '7d' });
    expect(startWith(scheduled, 'schedule')).toEqual(scheduled);
  });

  it('runs as the creator of the record where no user makes a change, unless one was chosen', () => {
    const changed = newAutomation([]);
    expect(startWith(changed, 'idleTime').runAs).toBe('created_by');
    expect(startWith({ ...changed, runAs: 'author' }, 'schedule').runAs).toBe('created_by');
    expect(startWith({ ...changed, runAs: 'updated_by' }, 'schedule').runAs).toBe('updated_by');
    expect(startWith(changed, 'transition')).not.toHaveProperty('runAs');
  });

  it('keeps which changes and fields it looks at when it waits for a value', () => {
    const changed = { ...newAutomation([]), events: ['create'], changedFields: ['name'] };
    const waiting = startWith(changed, 'transition');
    expect(waiting).toEqual({ ...changed, transition: { field: 'stage', to: 'cut' } });
    expect(startWith(waiting, 'events')).toEqual(changed);
  });
});

describe('a step of another kind', () => {
  it('loses the keys of the former kind alone', () => {
    const stepKinds = Object.keys(kindsOf(step).by);
    expect(stepKinds).toEqual(['notify', 'mail', 'set', 'create', 'webhook']);
    const begun = (kind: string) => changeKind(step, {}, kind);
    // A field that is called like another module does not make that the definition's own.
    expect(begun('create')).toEqual({ create: 'shots', values: {} });
    for (const from of stepKinds)
      for (const to of stepKinds) {
        const after = changeKind(step, { ...begun(from), later: true }, to);
        expect(kindOfPart(after, kindsOf(step)), `${from} to ${to}`).toBe(to);
        expect(after, `${from} to ${to}`).toEqual({ ...begun(to), later: true });
      }
  });

  it('has no kind as long as no key says so', () => {
    expect(kindOfPart({ text: 'x' }, kindsOf(step))).toBeUndefined();
  });
});
