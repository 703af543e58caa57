import Box from '@mui/material/Box';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { FailedState } from '../../states/FailedState';
import { ApiError } from '../../session/api';
import { singleSignOnApi, type ApplyChange } from './api';
import { Domains } from './Domains';
import { LocalSignIn } from './LocalSignIn';
import { ProviderForm } from './ProviderForm';
import * as formStyles from '../../form/form.module.css';

/** The domains, the provider and the password settings of a company (null: the user's own). */
export function CompanySettings({ site }: { site: number | null }) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const key = ['single-sign-on', site];
  const calls = singleSignOnApi(site);
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: calls.read, meta: { quiet: true } });
  if (error && !data) {
    return (
      <FailedState title="Single sign-on could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  const change: ApplyChange = async (task, words) => {
    if (isBusy) return {};
    setIsBusy(true);
    try {
      queryClient.setQueryData(key, await task());
      notify(words, { type: 'success' });
      return undefined;
    } catch (cause) {
      const { message, errors } = cause instanceof ApiError ? cause : { message: (cause as Error).message, errors: {} };
      if (Object.keys(errors).length === 0) notify(message, { type: 'error', messageArgs: { _: message } });
      return errors;
    } finally {
      setIsBusy(false);
    }
  };
  const parts = data && { settings: data, calls, change, isBusy };
  return (
    <div className={formStyles.formSections} aria-busy={!data}>
      {parts && site !== null && (
        <Box component="p" sx={{ pt: 4, color: 'var(--t2)', fontWeight: 500 }}>
          {parts.settings.company.name}
        </Box>
      )}
      {parts && <Domains {...parts} administrator={site !== null} />}
      {parts && <ProviderForm key={JSON.stringify(parts.settings.provider)} {...parts} />}
      {parts?.settings.provider && <LocalSignIn {...parts} provider={parts.settings.provider} />}
    </div>
  );
}
