import { joinPointer } from '../definitions/problems';
import type { AutomationSource, AutomationStepSource, Source } from '../definitions/source';
import { renameConditionOrReport } from './rename-conditions';
import { replaceValues, type Renaming } from './renaming';

/**
 * The automations with renamed fields. What an automation does must not change silently: what refers to something
 * removed stays, and is reported as unresolved.
 */
export function renameAutomations(renaming: Renaming, source: Source): AutomationSource[] {
  return source.when!.map((automation, index) => {
    const here = joinPointer('/when', index);
    const automations = new AutomationRenaming(renaming, source);
    return replaceValues(renaming, automation, `the automation "${automation.label ?? automation.name}"`, {
      changed: (names) => names.map((name, place) => automations.name(name, joinPointer(here, 'changed', place))),
      transition: (transition) => {
        const field = automations.name(transition.field, joinPointer(here, 'transition', 'field'));
        return { ...transition, field };
      },
      where: (where) => renameConditionOrReport(renaming, where, joinPointer(here, 'where')),
      as: (as) => (as === 'author' || as.includes('@') ? as : automations.path(as, joinPointer(here, 'as'))),
      do: (steps) => steps.map((step, place) => automations.step(step, joinPointer(here, 'do', place))),
    });
  });
}

class AutomationRenaming {
  constructor(
    private readonly renaming: Renaming,
    private readonly source: Source,
  ) {}

  name(written: string, place: string): string {
    const next = this.renaming.mapName(written);
    if (next === null) this.renaming.onUnresolved(place);
    return next ?? written;
  }

  /** A path through relations: its first step is of this resource, and others as long as they stay there. */
  path(written: string, place: string): string {
    const [first, ...rest] = written.split('.') as [string, ...string[]];
    const isOwn = rest.length > 0 && this.renaming.ownRelations.has(first);
    const then = rest.length === 0 ? [] : [isOwn ? this.path(rest.join('.'), place) : rest.join('.')];
    return [this.name(first, place), ...then].join('.');
  }

  private text(written: string, place: string): string {
    return written.replace(/\{([A-Za-z_][A-Za-z0-9_.]*)\}/g, (_, path: string) => `{${this.path(path, place)}}`);
  }

  step(step: AutomationStepSource, here: string): AutomationStepSource {
    const at = (...keys: (string | number)[]) => joinPointer(here, ...keys);
    const text = (key: string) => (written: string) => this.text(written, at(key));
    const each = step.each === undefined ? undefined : this.source.fields[step.each];
    const isOwnEach = (each?.to ?? each?.of?.split('.')[0]) === this.renaming.resource;
    return replaceValues(this.renaming, step, '', {
      notify: (to) =>
        typeof to === 'string'
          ? this.path(to, at('notify'))
          : Array.isArray(to)
            ? to.map((one, place) => this.path(one, at('notify', place)))
            : to,
      text: text('text'),
      mail: (mail) => ({
        ...mail,
        to: this.path(mail.to, at('mail', 'to')),
        ...(mail.subject !== undefined && { subject: this.text(mail.subject, at('mail', 'subject')) }),
        ...(mail.text !== undefined && { text: this.text(mail.text, at('mail', 'text')) }),
      }),
      set: (values) => this.values(values, at('set'), true, false),
      values: (values) => this.values(values, at('values'), step.create === this.renaming.resource, isOwnEach),
      each: (name) => this.name(name, at('each')),
    });
  }

  /** What a step writes: into this resource (`isOwn`) or another one, with values of this record and of each related one. */
  private values(
    values: Readonly<Record<string, unknown>>,
    here: string,
    isOwn: boolean,
    isOwnEach: boolean,
  ): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const place = joinPointer(here, key);
        return [isOwn ? this.name(key, place) : key, this.value(value, place, isOwnEach)];
      }),
    );
  }

  private value(value: unknown, place: string, isOwnEach: boolean): unknown {
    if (typeof value !== 'string') return value;
    const variable = /^\$(record|each)\.(\w+)$/.exec(value);
    if (!variable) return value.startsWith('$') ? value : this.text(value, place);
    const [, root, name] = variable as unknown as [string, string, string];
    return root === 'record' || isOwnEach ? `$${root}.${this.name(name, place)}` : value;
  }
}
