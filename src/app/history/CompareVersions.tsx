import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNotify, useRecordContext } from 'react-admin';
import type { Definition } from '../../engine/definitions/definition';
import { formatInstant } from '../../engine/formats/dates';
import { differenceBetween } from '../../engine/history/difference';
import { fieldChangesOf } from '../../engine/history/field-changes';
import { requireValue } from '../../engine/values/lookups';
import { useChangeToast } from '../commands/useChangeToast';
import { fetchApi } from '../session/api';
import { ApiError } from '../session/apiError';
import { useApi } from '../session/apiClient';
import { fetchHistory } from './fetchHistory';
import { HistoryValues } from './HistoryValues';
import * as styles from './versions.module.css';

export interface CompareVersionsProps {
  definition: Definition;
  /** The id of the version to compare, and how many newer ones there are at least. */
  version: number;
  newer: number;
  mayRestore: boolean;
  onClose: () => void;
}

/** The versions that can be chosen beside the one that was asked for. */
const maxVersions = 200;

/** Two versions of the surrounding record, as last read, side by side, and the earlier or later one brought back. */
export default function CompareVersions(props: CompareVersionsProps) {
  const { definition, version, newer, mayRestore, onClose } = props;
  const record = requireValue(useRecordContext(), 'the record around its versions');
  const { name, labels } = definition;
  const id = useId();
  const client = useApi();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sayChanged = useChangeToast();
  const [chosenId, setChosenId] = useState(version);
  const [otherId, setOtherId] = useState<number>();
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<readonly string[]>([]);
  const { data, error } = useQuery({
    queryKey: [name, 'history', String(record.id), 'versions', newer],
    queryFn: ({ signal }) => fetchHistory(name, String(record.id), 0, Math.max(maxVersions, newer + 1), signal),
    retry: false,
    meta: { quiet: true },
  });
  const versions = data ? data.lines.map((line, index) => ({ ...line, number: data.total - index })) : [];
  const latest = versions[0]?.id;
  const comparedId = otherId ?? latest;
  const number = versions.find((line) => line.id === chosenId)?.number;
  const changes =
    data && comparedId !== undefined
      ? fieldChangesOf(definition, differenceBetween(data.lines, chosenId, comparedId))
      : undefined;
  const [olderId, newerId] = [chosenId, comparedId ?? chosenId].toSorted((first, second) => first - second) as [
    number,
    number,
  ];
  const words = ({ number: n, created_at: createdAt, user }: (typeof versions)[number]) =>
    [`Version ${n}`, formatInstant(createdAt), user?.name].filter(Boolean).join(', ');
  const nameOf = (id: number) => {
    const foundVersion = versions.find((line) => line.id === id);
    return foundVersion ? `${words(foundVersion)}${id === latest ? ' (now)' : ''}` : '';
  };

  const restore = async (target: number, updatedAt?: unknown) => {
    await fetchApi(
      `/${name}/${String(record.id)}/history/${target}/restore`,
      { method: 'POST', json: updatedAt === undefined ? {} : { updated_at: updatedAt } },
      client,
    );
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === name });
  };
  const takeBack = (target: number) => {
    restore(target).then(
      () => notify('The restored version was taken back.', { type: 'success' }),
      (cause: unknown) => notify((cause as Error).message, { type: 'error' }),
    );
  };
  const confirm = async () => {
    setIsBusy(true);
    setRefusal([]);
    try {
      await restore(chosenId, record.updated_at);
      const versionBefore = requireValue(latest, 'the latest version of the record');
      sayChanged(
        `Version ${number} was restored.`,
        () => takeBack(versionBefore),
        `Version ${number} of ${labels.one.toLowerCase()} restored`,
      );
      onClose();
    } catch (cause) {
      const { message } = cause as Error;
      const faults = cause instanceof ApiError ? Object.values(cause.errors) : [];
      setRefusal(faults.length > 0 ? faults : [message]);
      setIsBusy(false);
    }
  };

  const select = (label: string, value: number | undefined, onChange: (value: number) => void) => (
    <label className={styles.choice}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {versions.map((line) => (
          <option key={line.id} value={line.id}>
            {words(line)}
            {line.id === latest ? ' (now)' : ''}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Compare versions</DialogTitle>
      <DialogContent>
        {error ? (
          <p>The versions could not be loaded: {error.message}</p>
        ) : !changes ? (
          <p>Loading…</p>
        ) : (
          <>
            <div className={styles.choices}>
              {select('Version', chosenId, setChosenId)}
              {select('Compared with', comparedId, setOtherId)}
            </div>
            {refusal.length > 0 && (
              <Alert severity="error" role="alert">
                {refusal.map((message) => (
                  <div key={message}>{message}</div>
                ))}
              </Alert>
            )}
            {changes.length === 0 ? (
              <p>No value that the history records differs.</p>
            ) : (
              <div className={styles.sides}>
                {(['old', 'new'] as const).map((side) => (
                  <section key={side}>
                    <h3>{nameOf(side === 'old' ? olderId : newerId)}</h3>
                    <HistoryValues changes={changes} side={side} />
                  </section>
                ))}
              </div>
            )}
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="large" onClick={onClose}>
          Close
        </Button>
        {mayRestore && number !== undefined && chosenId !== latest && (
          <Button variant="contained" size="large" aria-disabled={isBusy} onClick={() => !isBusy && void confirm()}>
            Restore version {number}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
