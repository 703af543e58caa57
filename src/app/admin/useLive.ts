import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Registry } from '../../engine/definitions/registry';
import { renewInTime } from '../session/renewal';
import { followEvents } from './followEvents';

/** Under this name the server tells of definitions. */
const definitionEvents = 'modules';
/** Under this name it tells that the permissions of one's own role changed. */
const permissionEvents = 'permissions';
/** Under this name it tells that news may have been missed. */
const everything = '*';
const gather = 500;

/**
 * Keeps what is shown up to date with the server's events: what was read of a resource in which something happened, and
 * of those that show its records, is read anew (half a second later, so that many events make one reading), and
 * definitions, or what the user may do, through `onDefinitions`. Without a stream of events everything is read anew every 30 s.
 */
export function useLive(queryClient: QueryClient, registry: Registry | undefined, onDefinitions: () => void): void {
  const changed = useEffectEvent(onDefinitions);
  const refresh = useEffectEvent((resources: ReadonlySet<string>) => readAnew(queryClient, registry, resources));
  useEffect(() => {
    const touched = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      refresh(new Set(touched));
      touched.clear();
    };
    const stopRenewing = renewInTime();
    const onMissed = () => {
      changed();
      void queryClient.invalidateQueries();
    };
    const stop = followEvents({
      onEvent: ({ resource }) => {
        if (resource === everything) return onMissed();
        if (resource === definitionEvents || resource === permissionEvents) changed();
        touched.add(resource);
        timer ??= setTimeout(flush, gather);
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

function readAnew(queryClient: QueryClient, registry: Registry | undefined, resources: ReadonlySet<string>): void {
  const shown = new Set([...resources].flatMap((name) => [name, ...showing(registry, name)]));
  // What was read of several resources at once names them with commas between.
  const isAbout = (name: unknown) =>
    String(name)
      .split(',')
      .some((one) => shown.has(one));
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey[0]) });
  // Choices are read anew when they are opened the next time.
  void queryClient.invalidateQueries({ queryKey: ['choices'], refetchType: 'none' });
}

/** The resources whose records name, or count, those of this one. */
function showing(registry: Registry | undefined, name: string): string[] {
  if (!registry) return [];
  const naming = registry.referencesTo(name).map(({ definition }) => definition.name);
  const counting = [...registry.definitions.values()]
    .filter(({ fields }) => Object.values(fields).some(({ inverse }) => inverse?.resource === name))
    .map((definition) => definition.name);
  return [...naming, ...counting];
}
