import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, type ReactNode } from 'react';
import { formatNumber } from '../../engine/formats/numbers';
import { useDefinitions } from '../data/DefinitionsContext';
import { useListScope } from '../preferences/listScope';
import { fetchApi } from '../session/api';
import { menuDefinitions } from './menu';
import type { NoticesButtonProps } from './NoticesButton';
import * as styles from './shell.module.css';

interface MenuMarksProps {
  notices: NoticesButtonProps;
  onMarks: (marks: ReadonlyMap<string, ReactNode>) => void;
}

interface MenuMark {
  readonly resource: string;
  readonly count?: number;
  readonly alert?: boolean;
}

/** The most that a count says; the server stops counting there. */
const mostShown = 99;
/** Milliseconds between two requests, however much happens. */
const restBetween = 5_000;
let lastRequest = -restBetween;

/** The marks at the ends of the menu's entries: how much waits, and that something is wrong. They are asked for again when records that they are about change. */
export default function MenuMarks({ notices, onMarks }: MenuMarksProps) {
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
    queryFn: async ({ signal }) => {
      await restAfterLast(signal);
      const path = scope ? `/menu-marks?scope=${scope.id}` : '/menu-marks';
      return (await fetchApi<{ data: MenuMark[] }>(path, { signal })).data;
    },
    enabled: entries.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true, noSpinner: true },
  });
  const { allPath, unread } = notices;
  const marks = useMemo(() => {
    const shownMarks = new Map<string, ReactNode>();
    if (unread > 0) shownMarks.set(allPath, <Count count={unread} label="Unread" />);
    for (const { name, menu } of entries) {
      const { count = 0, alert: isAlert } = data?.find(({ resource }) => resource === name) ?? {};
      if (isAlert && menu.alert) shownMarks.set(`/${name}`, <Dot label={menu.alert.label} />);
      else if (count > 0 && menu.count) shownMarks.set(`/${name}`, <Count count={count} label={menu.count.label} />);
    }
    return shownMarks;
  }, [allPath, data, entries, unread]);
  useEffect(() => onMarks(marks), [marks, onMarks]);
  return null;
}

/** Waits until the last request is long enough ago. */
function restAfterLast(signal: AbortSignal): Promise<void> {
  const pause = Math.max(0, lastRequest + restBetween - performance.now());
  return new Promise((resolve, fail) => {
    const timer = setTimeout(() => {
      lastRequest = performance.now();
      resolve();
    }, pause);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(new DOMException('Asked again.', 'AbortError'));
    });
  });
}

// The spaces keep screen readers from joining number and words. A folded menu shows the dot alone.
function Count({ count, label }: { count: number; label: string }) {
  return (
    <>
      {' '}
      <span className={styles.sideCount} title={label}>
        {count > mostShown ? `${mostShown}+` : formatNumber(count)}
      </span>
    </>
  );
}

function Dot({ label }: { label: string }) {
  return (
    <>
      {' '}
      <i className={styles.sideDot} title={label}>
        <span className="unseen">{label}</span>
      </i>
    </>
  );
}
