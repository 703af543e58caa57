import { described, type Schema } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, outcome, text, whole } from '../http/schemas';
import { defineForm } from '../session/forms';

/** The email address whose sign-in methods or provider are requested. */
export const addressForm = defineForm({ email: { type: 'email' } });

/** The parameters that a browser returns from a provider. */
export const backForm = defineForm({
  state: { required: true, maxLength: 100, label: 'state' },
  code: { maxLength: 8000, label: 'code' },
  iss: { maxLength: 2000, label: 'iss' },
  error: { maxLength: 200, label: 'error' },
  error_description: { maxLength: 4000, label: 'error_description' },
});

/** A company's provider. */
export const providerForm = defineForm({
  name: { required: true, maxLength: 60 },
  issuer: { required: true, maxLength: 500 },
  client_id: { required: true, maxLength: 500, label: 'Client ID' },
  client_secret: { maxLength: 2000, label: 'Client secret' },
  trusts_second_factor: { type: 'boolean', label: 'Trust its second factor' },
  new_people_role: { type: 'number', integer: true, min: 1, label: 'Role of new people' },
});

/** An email domain. */
export const domainForm = defineForm({ domain: { required: true, maxLength: 253 } });

/** Whether passwords are disabled. */
export const closedForm = defineForm({ closed: { type: 'boolean', required: true, label: 'closed' } });

const tag = 'Single sign-on';
const headers = { 'X-Session': '"renewable" requests a token for 15 minutes, as the browser application does.' };
const ways = object({
  single_sign_on: { ...flag, description: 'Whether single sign-on is set up for anybody here.' },
  installation: { ...orNull(object({ name: text })), description: 'The provider of the installation.' },
  company: {
    ...orNull(object({ name: text, domain: text, closed: flag })),
    description: "The provider of the email address's domain.",
  },
  password: { ...flag, description: 'Whether signing in with a password is possible.' },
});
const address = object(
  { status: flag, message: text, data: object({ url: { ...text, description: 'The URL to send the browser to.' } }) },
  [],
);
const signedIn = object(
  {
    status: flag,
    message: text,
    token: text,
    email: { ...text, description: 'The account that needs a second step.' },
    reason: { ...text, description: 'Why it failed, as a code.' },
  },
  ['status', 'message'],
);
const domain = object({
  id,
  domain: text,
  proven_at: orNull(instant),
  proven_by: { ...orNull(text), description: '"dns" or "administrator".' },
  record: object({ name: text, type: { const: 'TXT' }, value: text }),
});
const provider = object({
  name: text,
  issuer: text,
  client_id: text,
  has_secret: flag,
  trusts_second_factor: flag,
  new_people_role: orNull(id),
  local_closed: flag,
  changed_at: instant,
});
const settings = object({
  company: object({ id, name: text }),
  redirect_uri: text,
  provider: orNull(provider),
  domains: listOf(domain),
  joined: { ...whole, description: 'How many users have signed in through it.' },
  elsewhere: { ...whole, description: 'How many active users have email addresses of other domains.' },
  may_close: { ...flag, description: 'Whether the caller has signed in through it with its current settings.' },
  recovery_codes_left: { ...whole, description: "The caller's own." },
  choices: listOf(object({ id, role_name: text })),
});
const companies = listOf(
  object({ id, name: text, provider: orNull(text), local_closed: flag, domains: listOf(domain) }),
);
const query = { site_id: 'The company; for administrators of the installation, who do not belong to one.' };
const shownTo = ({ level }: { level: number }) => level <= 2;
const forOwners = (call: { id: string; summary: string; answer?: Schema }) => ({
  tag,
  query,
  shownTo,
  answer: data(settings),
  ...call,
});

/** The documentation of the calls of single sign-on. */
export const calls = {
  ways: described({
    id: 'ways-to-sign-in',
    tag,
    summary: 'The sign-in methods for an email address, determined by its domain alone',
    open: true,
    form: addressForm,
    answer: data(ways),
  }),
  begin: described({
    id: 'begin-single-sign-on',
    tag,
    summary: "Start signing in through the provider of an email address's domain, or of the installation",
    open: true,
    form: addressForm,
    answer: address,
  }),
  finish: described({
    id: 'finish-single-sign-on',
    tag,
    summary: 'Sign in with the parameters that the browser returned from the provider',
    open: true,
    headers,
    form: backForm,
    answer: signedIn,
  }),
  beginProof: described({
    id: 'begin-proof-by-single-sign-on',
    tag,
    summary: 'Start confirming your identity by signing in at your provider again',
    answer: address,
  }),
  finishProof: described({
    id: 'finish-proof-by-single-sign-on',
    tag,
    summary: 'Confirm your identity with the parameters that the browser returned from the provider',
    form: backForm,
    answer: outcome,
  }),
  read: described(forOwners({ id: 'read-single-sign-on', summary: "A company's single sign-on" })),
  save: described({
    ...forOwners({
      id: 'save-single-sign-on',
      summary: "Connect a company's provider, or change it; without a secret, the saved one stays",
    }),
    form: providerForm,
  }),
  remove: described(
    forOwners({ id: 'remove-single-sign-on', summary: "Remove a company's provider: passwords are enabled again" }),
  ),
  forget: described(
    forOwners({
      id: 'forget-identities',
      summary:
        'Forget which identity belongs to which account: the next sign-in of each user links them by email address again',
    }),
  ),
  close: described({
    ...forOwners({
      id: 'close-local-sign-in',
      summary: 'Disable passwords and passkeys for the domains of a company, or enable them',
    }),
    form: closedForm,
  }),
  addDomain: described({
    ...forOwners({ id: 'add-domain', summary: 'Add a domain of a company, to be verified by a TXT record' }),
    form: domainForm,
    created: true,
  }),
  checkDomain: described(
    forOwners({
      id: 'check-domain',
      summary:
        'Look up the TXT record that verifies a domain; an administrator of the installation confirms it without one',
    }),
  ),
  removeDomain: described(forOwners({ id: 'remove-domain', summary: 'Remove a domain of a company' })),
  companies: described({
    id: 'single-sign-on-of-companies',
    tag,
    summary: 'The companies that use single sign-on, or have added domains',
    shownTo: ({ level }) => level === 1,
    answer: data(companies),
  }),
};
