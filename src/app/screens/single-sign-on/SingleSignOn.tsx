import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { usePage } from '../../layout/page';
import { FailedState } from '../../states/FailedState';
import { fetchCompanies } from './api';
import { CompanySettings } from './CompanySettings';
import '../../form/form.css';
import '../profile/profile.css';
import '../profile/security.css';
import '../../second-factor/second-factor.css';
import './single-sign-on.css';

/** Single sign-on of the user's company; administrators of the installation choose a company first. */
export default function SingleSignOn() {
  const { actor } = useDefinitions();
  const [query] = useSearchParams();
  const site = actor.level === 1 ? Number(query.get('site_id') ?? 0) : null;
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
    <div className="form-sections" aria-busy={!data}>
      <section className="form-section" aria-labelledby="sso-companies">
        <div className="form-purpose">
          <h2 id="sso-companies">Companies</h2>
          <p>Companies that have added domains or connected a provider. Confirm a domain only if you know its owner.</p>
        </div>
        {data?.length === 0 && <p className="sso-quiet">No company uses single sign-on yet.</p>}
        {data && data.length > 0 && (
          <ul className="profile-sign-ins sso-list">
            {data.map(({ id, name, provider, local_closed, domains }) => (
              <li key={id}>
                <span className="profile-sign-in">
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
                <Link className="sso-link" to={`/single-sign-on?site_id=${id}`} aria-label={`Open ${name}`}>
                  Open
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
