import Box from '@mui/material/Box';
import { Level } from '../../../engine/definitions/level';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { useDefinitions } from '../../data/DefinitionsContext';
import { usePage } from '../../layout/page';
import { FailedState } from '../../states/FailedState';
import { fetchCompanies, singleSignOnApi, type ApplyChange } from './api';
import * as formStyles from '../../form/form.module.css';
import * as profileStyles from '../profile/profile.module.css';
import * as styles from './single-sign-on.module.css';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../../session/api';
import { Domains } from './Domains';
import { LocalSignIn } from './LocalSignIn';
import { ProviderForm } from './ProviderForm';

/** Single sign-on of the user's company; administrators of the installation choose a company first. */
export default function SingleSignOn() {
  const { actor } = useDefinitions();
  const [query] = useSearchParams();
  const site = actor.level === Level.Installation ? Number(query.get('site_id') ?? 0) : null;
  usePage({ title: 'Single Sign-on', ...(site && { back: { to: '/single-sign-on', label: 'Companies' } }) });
  return site === 0 ? <Companies /> : <CompanySettings key={site} site={site} />;
}

function Companies() {
  const { data, error, refetch } = useQuery({
    queryKey: ['single-sign-on', 'companies'],
    queryFn: fetchCompanies,
    meta: { quiet: true },
  });
  if (error && !data) {
    return (
      <FailedState title="The companies could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  return (
    <div className={formStyles.formSections} aria-busy={!data}>
      <section className={formStyles.formSection} aria-labelledby="sso-companies">
        <div className={formStyles.formPurpose}>
          <h2 id="sso-companies">Companies</h2>
          <p>Companies that have added domains or connected a provider. Confirm a domain only if you know its owner.</p>
        </div>
        {data?.length === 0 && <p className={styles.ssoQuiet}>No company uses single sign-on yet.</p>}
        {data && data.length > 0 && (
          <Box className={profileStyles.profileSignIns} component="ul" sx={{ alignSelf: 'start' }}>
            {data.map(({ id, name, provider, local_closed, domains }) => (
              <li key={id}>
                <span className={profileStyles.profileSignIn}>
                  <b>{name}</b>
                  <small>
                    {[
                      provider ?? 'no provider',
                      domains
                        .map(({ domain, proven_at }) => (proven_at ? domain : `${domain} (not verified)`))
                        .join(', '),
                      local_closed && 'passwords disabled',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                </span>
                <Link className={styles.ssoLink} to={`/single-sign-on?site_id=${id}`} aria-label={`Open ${name}`}>
                  Open
                </Link>
              </li>
            ))}
          </Box>
        )}
      </section>
    </div>
  );
}

/** The domains, the provider and the password settings of a company (null: the user's own). */
function CompanySettings({ site }: { site: number | null }) {
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
