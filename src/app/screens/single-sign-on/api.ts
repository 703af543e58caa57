import { fetchApi } from '../../session/api';

/** A domain that a company added, with the DNS record that verifies it. */
export interface Domain {
  id: number;
  domain: string;
  proven_at: string | null;
  proven_by: 'dns' | 'administrator' | null;
  record: { name: string; type: 'TXT'; value: string };
}

/** A company's provider, without its secret. */
export interface Provider {
  name: string;
  issuer: string;
  client_id: string;
  has_secret: boolean;
  trusts_second_factor: boolean;
  trusts_addresses: boolean;
  new_people_role: number | null;
  local_closed: boolean;
}

/** The single sign-on settings of a company. */
export interface SingleSignOnSettings {
  company: { id: number; name: string };
  redirect_uri: string;
  provider: Provider | null;
  domains: Domain[];
  joined: number;
  elsewhere: number;
  may_close: boolean;
  recovery_codes_left: number;
  choices: { id: number; role_name: string }[];
}

/** The request body of a provider; without a secret the stored one stays. */
export type ProviderValues = Omit<Provider, 'has_secret' | 'local_closed'> & { client_secret?: string | null };

/** A company that uses single sign-on or has added domains. */
export interface Company {
  id: number;
  name: string;
  provider: string | null;
  local_closed: boolean;
  domains: Domain[];
}

/** The API calls for a company's settings (null: the user's own company). Each change returns the settings after it. Throw ApiError. */
export function singleSignOnApi(site: number | null) {
  const ask = async (method: string, path = '', json?: object) => {
    const query = site === null ? '' : `?site_id=${site}`;
    return (await fetchApi<{ data: SingleSignOnSettings }>(`/single-sign-on${path}${query}`, { method, json })).data;
  };
  return {
    read: () => ask('GET'),
    save: (values: ProviderValues) => ask('PUT', '', values),
    remove: () => ask('DELETE'),
    /** Of all people, or of one address. */
    forget: (email?: string) => ask('POST', '/forget', email ? { email } : undefined),
    close: (isClosed: boolean) => ask('PUT', '/local-sign-in', { closed: isClosed }),
    addDomain: (domain: string) => ask('POST', '/domains', { domain }),
    checkDomain: (id: number) => ask('POST', `/domains/${id}/check`),
    removeDomain: (id: number) => ask('DELETE', `/domains/${id}`),
  };
}

export type SingleSignOnApi = ReturnType<typeof singleSignOnApi>;

/** Changes the settings and notifies the user with `words`. Returns errors by field; undefined on success. */
export type ApplyChange = (
  task: () => Promise<SingleSignOnSettings>,
  words: string,
) => Promise<Record<string, string> | undefined>;

/** The companies with single sign-on settings, for administrators of the installation. */
export async function fetchCompanies(): Promise<Company[]> {
  return (await fetchApi<{ data: Company[] }>('/single-sign-on/companies')).data;
}
