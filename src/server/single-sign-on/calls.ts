import { described, type Schema } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, outcome, text, whole } from '../http/schemas';
import { defineForm } from '../session/forms';

/** Whose ways to sign in are asked for, or to whose provider somebody goes. */
export const addressForm = defineForm({ email: { type: 'email' } });

/** What a browser brings back from a provider. */
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

/** A domain of mail. */
export const domainForm = defineForm({ domain: { required: true, maxLength: 253 } });

/** Whether passwords are closed. */
export const closedForm = defineForm({ closed: { type: 'boolean', required: true, label: 'closed' } });

const tag = 'Single sign-on';
const headers = { 'X-Session': '"renewable" asks for a token of 15 minutes, as the browser application does.' };
const ways = object({
  single_sign_on: { ...flag, description: 'Whether anybody signs in through a provider here.' },
  installation: { ...orNull(object({ name: text })), description: 'The provider of everybody.' },
  company: {
    ...orNull(object({ name: text, domain: text, closed: flag })),
    description: "The provider of the address's domain.",
  },
  password: { ...flag, description: 'Whether a password is of use.' },
});
const address = object(
  { status: flag, message: text, data: object({ url: { ...text, description: 'Where the browser goes.' } }) },
  [],
);
const signedIn = object(
  {
    status: flag,
    message: text,
    token: text,
    email: { ...text, description: 'Whose second step is needed.' },
    reason: { ...text, description: 'Why it came to nothing, in a word.' },
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
  joined: { ...whole, description: 'How many people signed in through it.' },
  elsewhere: { ...whole, description: 'How many active people have addresses of other domains.' },
  may_close: { ...flag, description: 'Whether the caller signed in through it, as it is connected now.' },
  recovery_codes_left: { ...whole, description: "The caller's own." },
  choices: listOf(object({ id, role_name: text })),
});
const companies = listOf(
  object({ id, name: text, provider: orNull(text), local_closed: flag, domains: listOf(domain) }),
);
const query = { site_id: 'The company; for administrators of the installation, who belong to none.' };
const shownTo = ({ level }: { level: number }) => level <= 2;
const forOwners = (call: { id: string; summary: string; answer?: Schema }) => ({
  tag,
  query,
  shownTo,
  answer: data(settings),
  ...call,
});

/** How the calls of single sign-on describe themselves. */
export const calls = {
  ways: described({
    id: 'ways-to-sign-in',
    tag,
    summary: 'How somebody with an address signs in, told from its domain alone',
    open: true,
    form: addressForm,
    answer: data(ways),
  }),
  begin: described({
    id: 'begin-single-sign-on',
    tag,
    summary: "Begin to sign in through the provider of an address's domain, or of the installation",
    open: true,
    form: addressForm,
    answer: address,
  }),
  finish: described({
    id: 'finish-single-sign-on',
    tag,
    summary: 'Sign in with what the browser brought back from the provider',
    open: true,
    headers,
    form: backForm,
    answer: signedIn,
  }),
  beginProof: described({
    id: 'begin-proof-by-single-sign-on',
    tag,
    summary: 'Begin to prove who you are by signing in at your provider again',
    answer: address,
  }),
  finishProof: described({
    id: 'finish-proof-by-single-sign-on',
    tag,
    summary: 'Prove who you are with what the browser brought back from the provider',
    form: backForm,
    answer: outcome,
  }),
  read: described(forOwners({ id: 'read-single-sign-on', summary: "A company's single sign-on" })),
  save: described({
    ...forOwners({
      id: 'save-single-sign-on',
      summary: "Connect a company's provider, or change it; a secret that is left out stays",
    }),
    form: providerForm,
  }),
  remove: described(
    forOwners({ id: 'remove-single-sign-on', summary: "Remove a company's provider: passwords are open again" }),
  ),
  forget: described(
    forOwners({
      id: 'forget-identities',
      summary: 'Forget whose identity belongs to which account: the next sign-in of each joins them by address again',
    }),
  ),
  close: described({
    ...forOwners({
      id: 'close-local-sign-in',
      summary: 'Close passwords and passkeys for the domains of a company, or open them',
    }),
    form: closedForm,
  }),
  addDomain: described({
    ...forOwners({ id: 'add-domain', summary: 'Name a domain of a company, to be proved by a TXT record' }),
    form: domainForm,
    created: true,
  }),
  checkDomain: described(
    forOwners({
      id: 'check-domain',
      summary:
        'Look for the TXT record that proves a domain; an administrator of the installation confirms it without one',
    }),
  ),
  removeDomain: described(forOwners({ id: 'remove-domain', summary: 'Remove a domain of a company' })),
  companies: described({
    id: 'single-sign-on-of-companies',
    tag,
    summary: 'The companies that use single sign-on, or have named domains',
    shownTo: ({ level }) => level === 1,
    answer: data(companies),
  }),
};
