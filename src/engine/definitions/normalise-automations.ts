import { lastDayOfMonth, type Automation, type AutomationStep, type Recipients } from './automation';
import type { AutomationSource, AutomationStepSource, RecipientsSource, Source } from './source';

/** The automations of a definition with every default filled in. */
export function normaliseAutomations(source: Source): Automation[] {
  return (source.when ?? []).map(normaliseAutomation);
}

function normaliseAutomation(written: AutomationSource): Automation {
  const isScheduled = written.every !== undefined || written.idle !== undefined || written.dueTime !== undefined;
  return {
    name: written.name,
    label: written.label ?? written.name,
    on: isScheduled ? [] : (written.on ?? (written.transition ? ['update'] : [])),
    changed: written.changed ?? [],
    transition: written.transition ?? null,
    every: written.every ?? null,
    weekdays: written.every === 'week' ? (written.weekdays ?? ['monday']) : [],
    day: written.every === 'month' ? (written.day === 'last' ? lastDayOfMonth : (written.day ?? 1)) : null,
    at: written.at ?? '00:00',
    zone: written.zone ?? 'UTC',
    ...(written.dueTime && {
      dueTime: {
        field: written.dueTime.field,
        offset: written.dueTime.offset ?? null,
        timeOfDay: written.dueTime.timeOfDay ?? '09:00',
      },
    }),
    idle: written.idle ?? null,
    ...(written.where && { where: written.where }),
    as: written.as ?? 'author',
    do: written.do.map(normaliseStep),
  };
}

function normaliseStep(step: AutomationStepSource): AutomationStep {
  if (step.notify !== undefined) return { kind: 'notify', to: normaliseRecipients(step.notify), text: step.text ?? '' };
  if (step.mail) return { kind: 'mail', ...step.mail };
  if (step.set) return { kind: 'set', values: step.set };
  if (step.create !== undefined)
    return { kind: 'create', resource: step.create, values: step.values ?? {}, ...(step.each && { each: step.each }) };
  return { kind: 'webhook', name: step.webhook ?? '' };
}

function normaliseRecipients(written: RecipientsSource): Recipients {
  if (typeof written === 'string') return { paths: [written], roles: [], roleNames: [], levels: [] };
  if (Array.isArray(written)) return { paths: written, roles: [], roleNames: [], levels: [] };
  return {
    paths: [],
    roles: written.roles ?? [],
    roleNames: written.roleNames ?? [],
    levels: written.levels ?? [],
  };
}
