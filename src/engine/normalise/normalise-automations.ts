import { lastDayOfMonth, type Automation, type AutomationStep, type Recipients } from '../definitions/automation';
import type { AutomationSource, AutomationStepSource, RecipientsSource, Source } from '../language/source';

/** The automations of a definition with every default filled in. */
export function normaliseAutomations(source: Source): Automation[] {
  return (source.automations ?? []).map(normaliseAutomation);
}

function normaliseAutomation(source: AutomationSource): Automation {
  const isScheduled = source.schedule !== undefined || source.idleTime !== undefined || source.dueTime !== undefined;
  return {
    name: source.name,
    label: source.label ?? source.name,
    events: isScheduled ? [] : (source.events ?? (source.transition ? ['update'] : [])),
    changedFields: source.changedFields ?? [],
    transition: source.transition ?? null,
    schedule: source.schedule ?? null,
    weekdays: source.schedule === 'week' ? (source.weekdays ?? ['monday']) : [],
    day: source.schedule === 'month' ? (source.day === 'last' ? lastDayOfMonth : (source.day ?? 1)) : null,
    time: source.time ?? '00:00',
    timeZone: source.timeZone ?? 'UTC',
    ...(source.dueTime && {
      dueTime: {
        field: source.dueTime.field,
        offset: source.dueTime.offset ?? null,
        timeOfDay: source.dueTime.timeOfDay ?? '09:00',
      },
    }),
    idleTime: source.idleTime ?? null,
    ...(source.where && { where: source.where }),
    runAs: source.runAs ?? 'author',
    steps: source.steps.map(normaliseStep),
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

function normaliseRecipients(source: RecipientsSource): Recipients {
  if (typeof source === 'string') return { paths: [source], roles: [], roleNames: [], levels: [] };
  if (Array.isArray(source)) return { paths: source, roles: [], roleNames: [], levels: [] };
  return {
    paths: [],
    roles: source.roles ?? [],
    roleNames: source.roleNames ?? [],
    levels: source.levels ?? [],
  };
}
