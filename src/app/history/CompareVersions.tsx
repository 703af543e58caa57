import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNotify } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { formatInstant } from '../../engine/formats/dates';
import { differenceBetween } from '../../engine/history/difference';
import { fieldChangesOf } from '../../engine/history/field-changes';
import { useChangeToast } from '../commands/useChangeToast';
import { fetchApi } from '../session/api';
import { ApiError } from '../session/apiError';
import { useApi } from '../session/apiClient';
import { fetchHistory } from './fetchHistory';
import { HistoryValues } from './HistoryValues';
import * as styles from './versions.module.css';

export interface CompareVersionsProps {
  definition: Definition;
  /** The record as last read. */
  record: ResourceRecord;
  /** The id of the version to compare, and how many newer ones there are at least. */
  version: number;
  newer: number;
  mayRestore: boolean;
  onClose: () => void;
}

/** The versions that can be chosen beside the one that was asked for. */
const shown = 200;

/** Two versions of a record side by side, and the earlier or later one brought back. */
export default function CompareVersions(props: CompareVersionsProps) {
  const { definition, record, version, newer, mayRestore, onClose } = props;
  const { name, labels } = definition;
  const id = useId();
  const client = useApi();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sayChanged = useChangeToast();
  const [chosen, setChosen] = useState(version);
  const [other, setOther] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<readonly string[]>([]);
  const { data, error } = useQuery({
    queryKey: [name, 'history', String(record.id), 'versions', newer],
    queryFn: ({ signal }) => fetchHistory(name, String(record.id), 0, Math.max(shown, newer + 1), signal),
    retry: false,
    meta: { quiet: true },
  });
  const versions = (data?.lines ?? []).map((line, index) => ({ ...line, number: data!.total - index }));
  const latest = versions[0]?.id;
  const against = other ?? latest;
  const number = versions.find((one) => one.id === chosen)?.number;
  const changes =
    data && against !== undefined
      ? fieldChangesOf(definition, differenceBetween(data.lines, chosen, against))
      : undefined;
  const [earlier, later] = [chosen, against ?? chosen].toSorted((one, two) => one - two) as [number, number];
  const words = ({ number: n, created_at: at, user }: (typeof versions)[number]) =>
    [`Version ${n}`, formatInstant(at), user?.name].filter(Boolean).join(', ');
  const nameOf = (one: number) => {
    const found = versions.find((line) => line.id === one);
    return found ? `${words(found)}${one === latest ? ' (now)' : ''}` : '';
  };

  const restore = async (to: number, updatedAt?: unknown) => {
    await fetchApi(
      `/${name}/${String(record.id)}/history/${to}/restore`,
      { method: 'POST', json: updatedAt === undefined ? {} : { updated_at: updatedAt } },
      client,
    );
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === name });
  };
  const takeBack = (to: number) => {
    restore(to).then(
      () => notify('The restored version was taken back.', { type: 'success' }),
      (cause: unknown) => notify((cause as Error).message, { type: 'error' }),
    );
  };
  const confirm = async () => {
    setBusy(true);
    setRefusal([]);
    try {
      await restore(chosen, record.updated_at);
      const before = latest!;
      sayChanged(
        `Version ${number} was restored.`,
        () => takeBack(before),
        `Version ${number} of ${labels.one.toLowerCase()} restored`,
      );
      onClose();
    } catch (cause) {
      const { message } = cause as Error;
      const faults = cause instanceof ApiError ? Object.values(cause.errors) : [];
      setRefusal(faults.length > 0 ? faults : [message]);
      setBusy(false);
    }
  };

  const select = (label: string, value: number | undefined, onChange: (value: number) => void) => (
    <label className={styles.choice}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {versions.map((one) => (
          <option key={one.id} value={one.id}>
            {words(one)}
            {one.id === latest ? ' (now)' : ''}
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
              {select('Version', chosen, setChosen)}
              {select('Compared with', against, setOther)}
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
                    <h3>{nameOf(side === 'old' ? earlier : later)}</h3>
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
        {mayRestore && number !== undefined && chosen !== latest && (
          <Button variant="contained" size="large" aria-disabled={busy} onClick={() => !busy && void confirm()}>
            Restore version {number}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
