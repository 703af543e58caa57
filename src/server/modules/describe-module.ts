import type { Module } from '../../engine/studio/module';
import { definitionName } from '../definitions/candidates';
import { parseSource, type StoredModule, type StoredModules } from '../definitions/stored-modules';
import { computeUpgrade } from '../definitions/upgrades';
import type { LiveDefinitions } from '../definitions/live-definitions';

type LatestChange = Module['changed'];

/** All modules: shipped, changed, custom and retired. `changes` are their latest versions by name. */
export function describeModules(
  definitions: LiveDefinitions,
  storedModules: StoredModules,
  changes: ReadonlyMap<string, LatestChange>,
): Module[] {
  const names = [...new Set([...definitions.shippedSources().keys(), ...storedModules.keys()])].sort();
  return names.flatMap((name) => describeModule(definitions, name, storedModules.get(name), changes.get(name)) ?? []);
}

/** A module as the studio uses it; undefined if it does not exist. */
export function describeModule(
  definitions: LiveDefinitions,
  name: string,
  module: StoredModule | undefined,
  latestChange: LatestChange | undefined,
): Module | undefined {
  const shippedText = definitions.shippedSources().get(name);
  const { origin = 'shipped', version = 1, source = null, retired_at = null } = module ?? {};
  const shippedSource = shippedText === undefined ? undefined : parseSource(shippedText);
  const definition =
    source === null ? shippedSource && (definitions.sources().get(name) ?? shippedSource) : parseSource(source);
  if (!definition) return undefined;
  const customised = origin === 'shipped' && source !== null;
  const faults = definitions.problems().filter(({ file }) => definitionName(file) === name);
  return {
    name,
    labels: definition.labels,
    origin,
    version,
    customised,
    retired: retired_at !== null,
    changed: latestChange ?? null,
    definition,
    shipped: (customised && shippedSource) || null,
    // A newer version has merged it already.
    upgrade: (module && !definitions.isOlder() && computeUpgrade(module, shippedText)) || null,
    hidden: [],
    faults: faults.map(({ path, message }) => ({ path, message })),
  };
}
