import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { fetchHistory } from '../history/fetchHistory';
import { useOwnVersions } from '../session/ownVersions';
import { NewerVersionBar } from './NewerVersionBar';
import type { ResourceFormState } from './useResourceForm';

interface NewerVersionOptions {
  form: ResourceFormState;
  /** The stored record as last read. */
  latest: ResourceRecord | undefined;
  /** The stored record was deleted. */
  isDeleted?: boolean;
  /** Something else needs attention: a save in progress, or the dialog about a rejected one. */
  isBusy: boolean;
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
  isDeleted = false,
  isBusy,
  loadTheirs,
  keepEditing,
}: NewerVersionOptions): ReactNode {
  const { actor } = useDefinitions();
  const { definition } = form.model;
  const { record, dirty } = form.form;
  const newerRecord = latest && updatedAt(latest) > updatedAt(record) && !isBusy ? latest : undefined;
  const isNewer = newerRecord !== undefined;
  const isAsking = isNewer && dirty;
  const isOwn = useOwnVersions();
  const { data: lines, isLoading } = useQuery({
    queryKey: [definition.name, 'history', String(record.id), 'latest', latest?.updated_at],
    queryFn: async () => (await fetchHistory(definition.name, String(record.id), 0, maxHistoryLines)).lines,
    enabled: isAsking && definition.history,
    retry: false,
    meta: { quiet: true },
  });
  const foreignLine = lines?.find(
    (line) => Date.parse(line.created_at) > updatedAt(record) && !isOwn(record.id, line.created_at),
  );
  const isMine = !isLoading && !foreignLine && isOwn(record.id, latest?.updated_at);

  const adopt = useEffectEvent(() => {
    if (newerRecord && !dirty) form.restart(newerRecord);
    if (newerRecord && dirty && isMine) keepEditing(newerRecord);
  });
  useEffect(() => adopt(), [dirty, isMine, isNewer]);

  const recordName = definition.labels.one.toLowerCase();
  if (isDeleted)
    return <NewerVersionBar text={`This ${recordName} was deleted. Your changes can no longer be saved.`} />;
  if (!newerRecord || !isAsking || isLoading || isMine) return null;
  const text =
    foreignLine?.user?.id === actor.id
      ? `You changed this ${recordName} in another window while editing it here.`
      : `${foreignLine?.user?.name ?? 'Somebody else'} changed this ${recordName} while you were editing it.`;
  return (
    <NewerVersionBar
      text={text}
      onLoadTheirs={() => loadTheirs(newerRecord)}
      onKeepEditing={() => keepEditing(newerRecord)}
    />
  );
}

/** The number of history entries searched for changes not made here. */
const maxHistoryLines = 20;

/** When a version was stored, in milliseconds; 0 without a timestamp. */
function updatedAt({ updated_at: timestamp }: ResourceRecord): number {
  return typeof timestamp === 'string' ? Date.parse(timestamp) : 0;
}
