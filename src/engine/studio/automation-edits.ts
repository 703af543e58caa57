import { joinNames } from '../access/join-names';
import type { AutomationSource, AutomationStepSource } from '../definitions/source';

/** What starts an automation. */
export type Trigger = 'change' | 'transition' | 'schedule' | 'dueTime' | 'idle';

/** What a step does. */
export type StepKind = 'notify' | 'mail' | 'set' | 'create' | 'webhook';

/** The kinds of steps, in the order offered. */
export const stepKinds: readonly StepKind[] = ['notify', 'mail', 'set', 'create', 'webhook'];

/** The keys of each trigger; `events` may also narrow a transition. */
const triggerKeys: Readonly<Record<Trigger, readonly (keyof AutomationSource)[]>> = {
  change: ['events', 'changedFields'],
  transition: ['events', 'changedFields', 'transition'],
  schedule: ['schedule', 'time', 'timeZone', 'weekdays', 'day'],
  dueTime: ['dueTime'],
  idle: ['idleTime'],
};

const stepKeys: Readonly<Record<StepKind, readonly (keyof AutomationStepSource)[]>> = {
  notify: ['notify', 'text'],
  mail: ['mail'],
  set: ['set'],
  create: ['create', 'values', 'forEach'],
  webhook: ['webhook'],
};

/**
 * What starts an automation; undefined if nothing says so yet.
 *
 * @example triggerOf({ schedule: 'day' }); // 'schedule'
 */
export function triggerOf(automation: Partial<AutomationSource>): Trigger | undefined {
  if (automation.schedule !== undefined) return 'schedule';
  if (automation.dueTime !== undefined) return 'dueTime';
  if (automation.idleTime !== undefined) return 'idle';
  if (automation.transition !== undefined) return 'transition';
  return automation.events === undefined ? undefined : 'change';
}

/** A field and a value for it to become. */
export type Becoming = NonNullable<AutomationSource['transition']>;

/**
 * An automation that something else starts. What belongs to the former trigger goes, all else stays, keys that are not
 * known here included. Where nobody makes a change, it runs as who created the record until another user is chosen.
 *
 * @example withTrigger(automation, 'idle'); // with `"idleTime": "7d"`
 */
export function withTrigger(automation: AutomationSource, trigger: Trigger, becoming?: Becoming): AutomationSource {
  const kept = triggerKeys[trigger];
  const former = new Set(Object.values(triggerKeys).flat());
  const others = Object.entries(automation).filter(
    ([key]) => !former.has(key as keyof AutomationSource) || kept.includes(key as keyof AutomationSource),
  );
  const next = Object.fromEntries(others) as unknown as AutomationSource;
  switch (trigger) {
    case 'change':
      return { ...next, events: next.events ?? ['update'] };
    case 'transition':
      return { ...next, transition: next.transition ?? becoming ?? { field: '', to: '' } };
    case 'schedule':
      return { ...next, schedule: next.schedule ?? 'day', runAs: scheduledAs(next) };
    case 'dueTime':
      return { ...next, dueTime: next.dueTime ?? { field: 'created_at', offset: '+1d' }, runAs: scheduledAs(next) };
    case 'idle':
      return { ...next, idleTime: next.idleTime ?? '7d', runAs: scheduledAs(next) };
  }
}

function scheduledAs({ runAs }: AutomationSource): string {
  return runAs === undefined || runAs === 'author' ? 'created_by' : runAs;
}

/**
 * What a step does: the first of the kinds that it has a key of; undefined if it has none.
 *
 * @example stepKindOf({ webhook: 'chat' }); // 'webhook'
 */
export function stepKindOf(step: Partial<AutomationStepSource>): StepKind | undefined {
  return stepKinds.find((kind) => step[kind] !== undefined);
}

/**
 * A step of a kind, to begin with.
 *
 * @example newStep('create', 'tags'); // { create: 'tags', values: {} }
 */
export function newStep(kind: StepKind, resource: string): AutomationStepSource {
  switch (kind) {
    case 'notify':
      return { notify: 'created_by', text: 'Something happened here.' };
    case 'mail':
      return { mail: { to: 'created_by', subject: 'Something happened', text: 'Something happened.' } };
    case 'set':
      return { set: {} };
    case 'create':
      return { create: resource, values: {} };
    case 'webhook':
      return { webhook: '' };
  }
}

/**
 * A step that does something else; keys that are of no kind stay.
 *
 * @example withStepKind({ webhook: 'chat' }, 'set', 'tags'); // { set: {} }
 */
export function withStepKind(step: AutomationStepSource, kind: StepKind, resource: string): AutomationStepSource {
  const former = new Set<string>(Object.values(stepKeys).flat());
  const kept = stepKeys[kind] as readonly string[];
  const others = Object.entries(step).filter(([key]) => !former.has(key) || kept.includes(key));
  return { ...newStep(kind, resource), ...Object.fromEntries(others) };
}

/**
 * A new automation with a name of its own, which is valid as it is.
 *
 * @example newAutomation([]).name; // 'automation_1'
 */
export function newAutomation(others: readonly { readonly name?: unknown }[]): AutomationSource {
  const names = new Set(others.map(({ name }) => name));
  let number = others.length + 1;
  while (names.has(`automation_${number}`)) number += 1;
  return { name: `automation_${number}`, label: 'New automation', events: ['update'], steps: [newStep('notify', '')] };
}

const changeWords: Readonly<Record<string, string>> = { create: 'created', update: 'changed', delete: 'deleted' };

/**
 * The days of a schedule in words.
 *
 * @example describePeriod({ schedule: 'month', day: 'last' }); // 'on the last day of every month'
 */
export function describePeriod({
  schedule,
  weekdays = ['monday'],
  day = 1,
}: Pick<AutomationSource, 'schedule' | 'weekdays' | 'day'>): string {
  if (schedule === 'week') return `every ${joinNames(weekdays.map(firstUpper), 'and')}`;
  if (schedule === 'month') return day === 'last' ? 'on the last day of every month' : `on day ${day} of every month`;
  return 'every day';
}

const firstUpper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * What starts an automation, in few words.
 *
 * @example describeTrigger({ every: 'day', at: '08:00' }, labelOf); // 'every day at 08:00'
 */
export function describeTrigger(automation: Partial<AutomationSource>, labelOf: (field: string) => string): string {
  const { events, schedule, time = '00:00', dueTime, idleTime, transition } = automation;
  switch (triggerOf(automation)) {
    case 'schedule':
      return schedule === 'hour' ? `every hour at :${time.slice(3)}` : `${describePeriod(automation)} at ${time}`;
    case 'dueTime':
      return describeDueTime(dueTime!, labelOf);
    case 'idle':
      return `after ${idleTime} without change`;
    case 'transition':
      return `${labelOf(transition!.field)} becomes ${transition!.to}`;
    case 'change':
      return Array.isArray(events) ? events.map((event) => changeWords[event] ?? event).join(' or ') : '';
    default:
      return 'nothing starts it';
  }
}

/**
 * A time of a record in words.
 *
 * @example describeDueTime({ field: 'due_at', offset: '-1h' }, labelOf); // '1 hour before Due At'
 */
export function describeDueTime(
  { field, offset }: { readonly field: string; readonly offset?: string | null },
  labelOf: (field: string) => string,
): string {
  const { count, unit, sign } = readOffset(offset);
  if (count === undefined) return `at ${labelOf(field)}`;
  return `${count} ${unitWords[unit] ?? unit}${count === 1 ? '' : 's'} ${sign === '-' ? 'before' : 'after'} ${labelOf(field)}`;
}

const unitWords: Readonly<Record<string, string>> = { min: 'minute', h: 'hour', d: 'day', w: 'week' };

/**
 * The sign, number and unit of an offset; no number for one that is none.
 *
 * @example readOffset('-1h'); // { sign: '-', count: 1, unit: 'h' }
 */
export function readOffset(offset: unknown): {
  readonly sign: '-' | '+';
  readonly count: number | undefined;
  readonly unit: string;
} {
  const match = typeof offset === 'string' ? /^([+-])(\d+)(min|h|d|w)$/.exec(offset) : null;
  if (!match) return { sign: '-', count: undefined, unit: 'd' };
  return { sign: match[1] as '-' | '+', count: Number(match[2]), unit: match[3]! };
}

/**
 * The number and unit of `7d`; undefined if it is no such duration.
 *
 * @example readIdle('7d'); // { count: 7, unit: 'd' }
 */
export function readIdle(idle: unknown): { count: number; unit: string } | undefined {
  const match = typeof idle === 'string' ? /^(\d+)(min|h|d|w)$/.exec(idle) : null;
  return match ? { count: Number(match[1]), unit: match[2]! } : undefined;
}
