import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { fetchHistory } from '../history/fetchHistory';
import { useOwnVersions } from '../session/ownVersions';
import { NewerVersionBar } from './NewerVersionBar';
import type { ResourceFormState } from './useResourceForm';

interface NewerVersionOptions {
  form: ResourceFormState;
  /** The stored record as last read. */
  latest: ResourceRecord | undefined;
  /** The stored record was deleted. */
  gone?: boolean;
  /** Something else needs attention: a save in progress, or the dialog about a rejected one. */
  busy: boolean;
  loadTheirs: (record: ResourceRecord) => void;
  keepEditing: (record: ResourceRecord) => void;
}

/**
 * Follows the stored record while its form is open. A form without unsaved changes takes over a newer version; one with
 * unsaved changes shows a bar that names who changed it. Changes from this tab, such as by a comment, are merged below
 * the unsaved values; another tab of the same user counts as somebody else.
 */
export function useNewerVersion({
  form,
  latest,
  gone = false,
  busy,
  loadTheirs,
  keepEditing,
}: NewerVersionOptions): ReactNode {
  const { actor } = useDefinitions();
  const { definition } = form.model;
  const { record, dirty } = form.form;
  const isNewer = latest !== undefined && updatedAt(latest) > updatedAt(record) && !busy;
  const asking = isNewer && dirty;
  const isOwn = useOwnVersions();
  const { data: lines, isLoading } = useQuery({
    queryKey: [definition.name, 'history', String(record.id), 'latest', latest?.updated_at],
    queryFn: async () => (await fetchHistory(definition.name, String(record.id), 0, maxHistoryLines)).lines,
    enabled: asking && definition.history,
    retry: false,
    meta: { quiet: true },
  });
  const others = lines?.find(
    (line) => Date.parse(line.created_at) > updatedAt(record) && !isOwn(record.id, line.created_at),
  );
  const isMine = !isLoading && !others && isOwn(record.id, latest?.updated_at);

  const adoptLatest = useEffectEvent(() => form.restart(latest!));
  const merge = useEffectEvent(() => keepEditing(latest!));
  useEffect(() => {
    if (isNewer && !dirty) adoptLatest();
    if (asking && isMine) merge();
  }, [asking, dirty, isMine, isNewer]);

  const one = definition.labels.one.toLowerCase();
  if (gone) return <NewerVersionBar text={`This ${one} was deleted. Your changes can no longer be saved.`} />;
  if (!asking || isLoading || isMine) return null;
  const text =
    others?.user?.id === actor.id
      ? `You changed this ${one} in another window while editing it here.`
      : `${others?.user?.name ?? 'Somebody else'} changed this ${one} while you were editing it.`;
  return (
    <NewerVersionBar text={text} onLoadTheirs={() => loadTheirs(latest)} onKeepEditing={() => keepEditing(latest)} />
  );
}

/** The number of history entries searched for changes not made here. */
const maxHistoryLines = 20;

/** When a version was stored, in milliseconds; 0 without a timestamp. */
function updatedAt({ updated_at: at }: ResourceRecord): number {
  return typeof at === 'string' ? Date.parse(at) : 0;
}
