import type { Module } from '../../../src/engine/studio/module';

/** What the list of modules can be narrowed to. */
export const kinds = [
  { name: 'all', label: 'All' },
  { name: 'shipped', label: 'Shipped' },
  { name: 'changed', label: 'Changed' },
  { name: 'custom', label: 'Custom' },
  { name: 'waiting', label: 'Upgrade waits' },
  { name: 'retired', label: 'Retired' },
] as const;

export type Kind = (typeof kinds)[number]['name'];

/** Whether a module is of a kind; every module is of several. */
export function isOfKind(module: Module, kind: Kind): boolean {
  switch (kind) {
    case 'all':
      return !module.retired;
    case 'shipped':
      return module.origin === 'shipped' && !module.customised;
    case 'changed':
      return module.origin === 'shipped' && module.customised;
    case 'custom':
      return module.origin === 'custom' && !module.retired;
    case 'waiting':
      return module.upgrade !== null;
    case 'retired':
      return module.retired;
  }
}

/** How many modules there are of each kind; kinds without any that need no tab are left out. */
export function countKinds(modules: readonly Module[]): { name: Kind; label: string; count: number }[] {
  return kinds
    .map(({ name, label }) => ({ name, label, count: modules.filter((module) => isOfKind(module, name)).length }))
    .filter(({ name, count }) => count > 0 || (name !== 'waiting' && name !== 'retired'));
}

/** Whether the words that are looked for stand in what a module is called. */
export function isCalled({ name, labels }: Module, wanted: string): boolean {
  const text = `${name} ${labels.one} ${labels.many}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Its icon in the menu, or that of reference data. */
export function iconOf({ definition }: Module): string {
  return (definition.menu || undefined)?.icon ?? 'database';
}
