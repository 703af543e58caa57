import { lastDayOfMonth, type Automation, type AutomationStep, type Recipients } from './automation';
import type { AutomationSource, AutomationStepSource, RecipientsSource, Source } from './source';

/** The automations of a definition with every default filled in. */
export function normaliseAutomations(source: Source): Automation[] {
  return (source.automations ?? []).map(normaliseAutomation);
}

function normaliseAutomation(written: AutomationSource): Automation {
  const isScheduled = written.schedule !== undefined || written.idleTime !== undefined || written.dueTime !== undefined;
  return {
    name: written.name,
    label: written.label ?? written.name,
    events: isScheduled ? [] : (written.events ?? (written.transition ? ['update'] : [])),
    changedFields: written.changedFields ?? [],
    transition: written.transition ?? null,
    schedule: written.schedule ?? null,
    weekdays: written.schedule === 'week' ? (written.weekdays ?? ['monday']) : [],
    day: written.schedule === 'month' ? (written.day === 'last' ? lastDayOfMonth : (written.day ?? 1)) : null,
    time: written.time ?? '00:00',
    timeZone: written.timeZone ?? 'UTC',
    ...(written.dueTime && {
      dueTime: {
        field: written.dueTime.field,
        offset: written.dueTime.offset ?? null,
        timeOfDay: written.dueTime.timeOfDay ?? '09:00',
      },
    }),
    idleTime: written.idleTime ?? null,
    ...(written.where && { where: written.where }),
    runAs: written.runAs ?? 'author',
    steps: written.steps.map(normaliseStep),
  };
}

function normaliseStep(step: AutomationStepSource): AutomationStep {
  if (step.notify !== undefined) return { kind: 'notify', to: normaliseRecipients(step.notify), text: step.text ?? '' };
  if (step.mail) return { kind: 'mail', ...step.mail };
  if (step.set) return { kind: 'set', values: step.set };
  if (step.create !== undefined)
    return {
      kind: 'create',
      resource: step.create,
      values: step.values ?? {},
      ...(step.forEach && { forEach: step.forEach }),
    };
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
