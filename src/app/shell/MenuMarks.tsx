import { keepPreviousData, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useDefinitions } from '../data/DefinitionsContext';
import { useListScope } from '../preferences/listScope';
import { fetchApi } from '../session/api';
import { menuDefinitions, type MenuMark } from './menu';
import { MenuCount } from './MenuCount';
import * as styles from './shell.module.css';

interface MenuMarksProps {
  /** Called with the marks, warnings first. */
  onMarks: (marks: MenuMark[]) => void;
}

interface StoredMark {
  readonly resource: string;
  readonly count?: number;
  readonly alert?: boolean;
}

/** Milliseconds between two requests, however much happens. */
const restBetween = 5_000;
/** When the last one was sent. */
const lastRequests = new WeakMap<QueryClient, number>();

/** The marks at the ends of the menu's entries: how much waits, and that something is wrong. They are asked for again when records that they are about change. */
export default function MenuMarks({ onMarks }: MenuMarksProps) {
  const definitions = useDefinitions();
  const scope = useListScope();
  const entries = useMemo(
    () => menuDefinitions(definitions).filter(({ menu }) => menu.count ?? menu.alert),
    [definitions],
  );
  const resources = new Set(entries.flatMap(({ name, menu }) => [name, ...(menu.alert ? [menu.alert.resource] : [])]));
  const { data } = useQuery({
    // Begins with the names of resources, so that the server's events invalidate it.
    queryKey: [[...resources].join(), 'menu', scope?.id],
    queryFn: async ({ client, signal }) => {
      await restAfterLast(client, signal);
      const path = scope ? `/menu-marks?scope=${scope.id}` : '/menu-marks';
      return (await fetchApi<{ data: StoredMark[] }>(path, { signal })).data;
    },
    enabled: entries.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true, noSpinner: true },
  });
  const marks = useMemo(() => {
    const warnings: MenuMark[] = [];
    const counts: MenuMark[] = [];
    for (const { name, menu } of entries) {
      const { count = 0, alert: isAlert } = data?.find(({ resource }) => resource === name) ?? {};
      if (isAlert && menu.alert) warnings.push([`/${name}`, <Dot label={menu.alert.label} />]);
      else if (count > 0 && menu.count) {
        counts.push([`/${name}`, <MenuCount count={count} label={menu.count.label} />]);
      }
    }
    return [...warnings, ...counts];
  }, [data, entries]);
  useEffect(() => onMarks(marks), [marks, onMarks]);
  return null;
}

/** Waits until the last request is long enough ago. */
function restAfterLast(client: QueryClient, signal: AbortSignal): Promise<void> {
  const pause = Math.max(0, (lastRequests.get(client) ?? -restBetween) + restBetween - performance.now());
  return new Promise((resolve, fail) => {
    const timer = setTimeout(() => {
      lastRequests.set(client, performance.now());
      resolve();
    }, pause);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(new DOMException('Asked again.', 'AbortError'));
    });
  });
}

// A folded menu shows the dot alone.
function Dot({ label }: { label: string }) {
  return (
    <i className={styles.sideDot} title={label}>
      <span className="unseen">{label}</span>
    </i>
  );
}
