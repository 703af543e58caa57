import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import * as styles from './public-forms.module.css';
import { requireValue } from '../../../engine/values/lookups';

interface FormAddress {
  readonly id: number;
  readonly address: string;
}

/** The open addresses of a public form: to copy, to make and to revoke. */
export function AddressesDialog({ definition, onClose }: { definition: Definition; onClose: () => void }) {
  const ask = useApi();
  const { actor } = useDefinitions();
  const client = useQueryClient();
  const queryKey = ['public-forms', definition.name];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () =>
      (await fetchApi<{ data: FormAddress[] }>(`/public-forms?resource=${definition.name}`, {}, ask)).data,
  });
  const [revoked, setRevoked] = useState<FormAddress | null>(null);
  const [failure, setFailure] = useState<string>();
  const change = async (path: string, method: string, json?: object) => {
    setFailure(undefined);
    await fetchApi(path, { method, ...(json && { json }) }, ask).catch((fault: Error) => setFailure(fault.message));
    await client.invalidateQueries({ queryKey });
  };
  const problem = failure ?? error?.message;
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="public-forms">
      <DialogTitle id="public-forms">Public form of {definition.labels.many}</DialogTitle>
      <DialogContent>
        <p>Whoever has one of these addresses can send the form, without an account. Revoke one that is misused.</p>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        <ul className={styles.publicAddresses} aria-label="Addresses">
          {data?.map((formAddress) => (
            <li key={formAddress.id}>
              <a href={formAddress.address} target="_blank" rel="noopener">
                {formAddress.address}
              </a>
              <Button size="small" variant="outlined" onClick={() => setRevoked(formAddress)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
        {data?.length === 0 && <p>There is no address yet: the form is closed.</p>}
        {actor.site_id === null && (
          <p>Owners of a company open its addresses. Those of all companies are listed here.</p>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {actor.site_id !== null && (
          <Button
            variant="contained"
            onClick={() => void change('/public-forms', 'POST', { resource: definition.name })}
          >
            New address
          </Button>
        )}
      </DialogActions>
      <ConfirmDialog
        open={revoked !== null}
        question="Revoke this address? Nobody can open the form at it any more."
        confirmLabel="Revoke"
        destructive
        onConfirm={() => {
          const { id } = requireValue(revoked, 'the address to revoke');
          setRevoked(null);
          void change(`/public-forms/${id}`, 'DELETE');
        }}
        onClose={() => setRevoked(null)}
      />
    </Dialog>
  );
}
