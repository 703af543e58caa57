import { describe, expect, it } from 'vitest';
import type { AutomationSource, Source } from '../../../src/engine/definitions/source';
import {
  describeTrigger,
  newAutomation,
  newStep,
  readIdle,
  stepKindOf,
  stepKinds,
  triggerOf,
  withStepKind,
  withTrigger,
  type Trigger,
} from '../../../src/engine/studio/automation-edits';
import { faultsOf, shipped } from './support/all';

const triggers: readonly Trigger[] = ['change', 'transition', 'schedule', 'dueTime', 'idle'];
const shots = shipped.shots!;
const becoming = { field: 'id', to: 1 };
const withWhen = (...when: AutomationSource[]): Source => ({ ...shots, automations: when });

describe('automations', () => {
  it('begin valid, each with a name of its own', () => {
    const first = newAutomation([]);
    const second = newAutomation([first]);
    expect(second.name).not.toBe(first.name);
    expect(newAutomation([{ name: 'automation_2' }]).name).toBe('automation_3');
    expect(faultsOf(withWhen(first, second))).toEqual([]);
  });

  it('can be started by something else, and are valid then too', () => {
    for (const from of triggers)
      for (const to of triggers) {
        const before = withTrigger(newAutomation([]), from, becoming);
        const after = withTrigger(before, to, becoming);
        expect(triggerOf(after), `${from} to ${to}`).toBe(to);
        expect(faultsOf(withWhen(after)), `${from} to ${to}`).toEqual([]);
      }
  });

  it('keep what does not belong to their trigger, keys that are not known included', () => {
    const written = {
      ...{ name: 'late', schedule: 'hour', time: '00:30', timeZone: 'Europe/Berlin', runAs: 'robot@example.com' },
      ...{ where: { name: 'x' }, steps: [newStep('notify', '')], later: { key: 1 } },
    } as unknown as AutomationSource;
    const { schedule, time, timeZone, ...others } = written;
    expect([schedule, time, timeZone]).toEqual(['hour', '00:30', 'Europe/Berlin']);
    expect(withTrigger(written, 'idle')).toEqual({ ...others, idleTime: '7d' });
    expect(withTrigger(written, 'schedule')).toEqual(written);
  });

  it('run as who created the record where nobody makes a change, unless a user was chosen', () => {
    const changed = newAutomation([]);
    expect(withTrigger(changed, 'idle').runAs).toBe('created_by');
    expect(withTrigger({ ...changed, runAs: 'author' }, 'schedule').runAs).toBe('created_by');
    expect(withTrigger({ ...changed, runAs: 'updated_by' }, 'schedule').runAs).toBe('updated_by');
    expect(withTrigger(changed, 'transition', becoming)).not.toHaveProperty('as');
  });

  it('keep which changes and fields they look at when they wait for a value', () => {
    const changed = { ...newAutomation([]), events: ['create' as const], changedFields: ['name'] };
    expect(withTrigger(changed, 'transition', becoming)).toEqual({ ...changed, transition: becoming });
    expect(withTrigger(withTrigger(changed, 'transition', becoming), 'change')).toEqual(changed);
  });

  it('say in few words what starts them', () => {
    const told = (automation: Partial<AutomationSource>) => describeTrigger(automation, () => 'State');
    expect(told({ schedule: 'day' })).toBe('every day at 00:00');
    expect(told({ schedule: 'hour', time: '04:30' })).toBe('every hour at :30');
    expect(told({ dueTime: { field: 'due_at', offset: '-1h' } })).toBe('1 hour before State');
    expect(told({ dueTime: { field: 'due_at', offset: '+2d' } })).toBe('2 days after State');
    expect(told({ dueTime: { field: 'due_at' } })).toBe('at State');
    expect(told({ idleTime: '3h' })).toBe('after 3h without change');
    expect(told({ transition: { field: 'state', to: 'done' }, events: ['create'] })).toBe('State becomes done');
    expect(told({ events: ['create', 'delete'] })).toBe('created or deleted');
    expect(told({})).toBe('nothing starts it');
    expect(told({ events: 'update' as never, schedule: undefined })).toBe('');
  });
});

describe('steps', () => {
  it('become another kind, and lose the keys of the former one alone', () => {
    for (const from of stepKinds)
      for (const to of stepKinds) {
        const step = { ...newStep(from, 'shots'), later: true };
        const after = withStepKind(step, to, 'shots');
        expect(stepKindOf(after), `${from} to ${to}`).toBe(to);
        expect(after).toEqual(from === to ? step : { ...newStep(to, 'shots'), later: true });
      }
  });

  it('have no kind as long as no key says so', () => {
    expect(stepKindOf({ text: 'x' })).toBeUndefined();
  });
});

it('times without change are a number and a unit', () => {
  expect(readIdle('90min')).toEqual({ count: 90, unit: 'min' });
  for (const other of ['7', 'd', '', 7, undefined, '1.5h']) expect(readIdle(other)).toBeUndefined();
});
