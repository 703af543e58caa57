import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Registry } from '../../engine/registry/registry';
import { scheduleRenewal } from '../session/renewal';
import { presenceEvents, presenceKey } from './presenceKey';
import { subscribeToEvents } from './subscribeToEvents';
import { firstOf } from '../../engine/values/lookups';

/** The event name for changes of definitions. */
const definitionEvents = 'modules';
/** The event name for changes of the user's own permissions. */
const permissionEvents = 'permissions';
/** The event name that says events may have been missed. */
const allResources = '*';
const batchDelay = 500;

/**
 * Keeps queries up to date with the server's events: invalidates those of a changed resource and of resources that show
 * its records (batched for half a second), and calls `onDefinitions` when definitions or permissions change. Without an
 * event stream everything is refetched every 30 s.
 */
export function useLiveUpdates(
  queryClient: QueryClient,
  registry: Registry | undefined,
  onDefinitions: () => void,
): void {
  const notifyDefinitions = useEffectEvent(onDefinitions);
  const refresh = useEffectEvent((resources: ReadonlySet<string>) =>
    invalidateResources(queryClient, registry, resources),
  );
  useEffect(() => {
    const pendingResources = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      refresh(new Set(pendingResources));
      pendingResources.clear();
    };
    const stopRenewing = scheduleRenewal();
    const onMissed = () => {
      notifyDefinitions();
      void queryClient.invalidateQueries();
    };
    const stop = subscribeToEvents({
      onEvent: ({ resource, id }) => {
        if (resource === allResources) return onMissed();
        if (resource === definitionEvents || resource === permissionEvents) notifyDefinitions();
        if (resource === presenceEvents) placesOf(String(id)).forEach((key) => pendingResources.add(key));
        else pendingResources.add(resource);
        timer ??= setTimeout(flush, batchDelay);
      },
      onMissed,
    });
    return () => {
      stop();
      stopRenewing();
      clearTimeout(timer);
    };
  }, [queryClient]);
}

/** The first keys of queries about who is at a record: of that record, such as `songs/7`, and of its resource. */
function placesOf(recordPath: string): string[] {
  return [presenceKey(recordPath), presenceKey(firstOf(recordPath.split('/')))];
}

function invalidateResources(
  queryClient: QueryClient,
  registry: Registry | undefined,
  resources: ReadonlySet<string>,
): void {
  const affectedResources = new Set([...resources].flatMap((name) => [name, ...resourcesReferringTo(registry, name)]));
  // The query key of several resources joins their names with commas.
  const isAbout = (name: unknown) =>
    String(name)
      .split(',')
      .some((resource) => affectedResources.has(resource));
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey[0]) });
  // Choices are refetched the next time they are opened.
  void queryClient.invalidateQueries({ queryKey: ['choices'], refetchType: 'none' });
}

/** The resources whose records reference, or count, records of this one. */
function resourcesReferringTo(registry: Registry | undefined, name: string): string[] {
  if (!registry) return [];
  const referringNames = registry.referencesTo(name).map(({ definition }) => definition.name);
  const countingNames = [...registry.definitions.values()]
    .filter(({ fields }) => Object.values(fields).some(({ inverse }) => inverse?.resource === name))
    .map((definition) => definition.name);
  return [...referringNames, ...countingNames];
}
