import { describeCall, type JsonSchema } from '../../routing/call-description';
import {
  dataSchema,
  booleanSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  outcomeSchema,
  stringSchema,
  integerSchema,
} from '../../routing/schemas';
import { defineForm } from '../session/forms';

/** The email address whose sign-in methods or provider are requested. */
export const addressForm = defineForm({ email: { type: 'email' } });

/** The parameters that a browser returns from a provider. */
export const returnForm = defineForm({
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
export const disabledForm = defineForm({ closed: { type: 'boolean', required: true, label: 'closed' } });

const tag = 'Single sign-on';
const headers = { 'X-Session': '"renewable" requests a token for 15 minutes, as the browser application does.' };
const ways = objectSchema({
  single_sign_on: { ...booleanSchema, description: 'Whether single sign-on is set up for anybody here.' },
  installation: {
    ...nullableSchema(objectSchema({ name: stringSchema })),
    description: 'The provider of the installation.',
  },
  company: {
    ...nullableSchema(objectSchema({ name: stringSchema, domain: stringSchema, closed: booleanSchema })),
    description: "The provider of the email address's domain.",
  },
  password: { ...booleanSchema, description: 'Whether signing in with a password is possible.' },
  product: {
    ...objectSchema({ name: stringSchema, title: stringSchema }),
    description: 'The product that runs here: its name for programs, and its title for users.',
  },
});
const address = objectSchema(
  {
    status: booleanSchema,
    message: stringSchema,
    data: objectSchema({ url: { ...stringSchema, description: 'The URL to send the browser to.' } }),
  },
  [],
);
const signedIn = objectSchema(
  {
    status: booleanSchema,
    message: stringSchema,
    token: stringSchema,
    email: { ...stringSchema, description: 'The account that needs a second step.' },
    reason: { ...stringSchema, description: 'Why it failed, as a code.' },
  },
  ['status', 'message'],
);
const domain = objectSchema({
  id: idSchema,
  domain: stringSchema,
  proven_at: nullableSchema(dateTimeSchema),
  proven_by: { ...nullableSchema(stringSchema), description: '"dns" or "administrator".' },
  record: objectSchema({ name: stringSchema, type: { const: 'TXT' }, value: stringSchema }),
});
const provider = objectSchema({
  name: stringSchema,
  issuer: stringSchema,
  client_id: stringSchema,
  has_secret: booleanSchema,
  trusts_second_factor: booleanSchema,
  new_people_role: nullableSchema(idSchema),
  local_closed: booleanSchema,
  changed_at: dateTimeSchema,
});
const settings = objectSchema({
  company: objectSchema({ id: idSchema, name: stringSchema }),
  redirect_uri: stringSchema,
  provider: nullableSchema(provider),
  domains: arraySchema(domain),
  joined: { ...integerSchema, description: 'How many users have signed in through it.' },
  elsewhere: { ...integerSchema, description: 'How many active users have email addresses of other domains.' },
  may_close: {
    ...booleanSchema,
    description: 'Whether the caller has signed in through it with its current settings.',
  },
  recovery_codes_left: { ...integerSchema, description: "The caller's own." },
  choices: arraySchema(objectSchema({ id: idSchema, role_name: stringSchema })),
});
const companies = arraySchema(
  objectSchema({
    id: idSchema,
    name: stringSchema,
    provider: nullableSchema(stringSchema),
    local_closed: booleanSchema,
    domains: arraySchema(domain),
  }),
);
const query = { site_id: 'The company; for administrators of the installation, who do not belong to one.' };
const shownTo = ({ level }: { level: number }) => level <= 2;
const forOwners = (call: { id: string; summary: string; answer?: JsonSchema }) => ({
  tag,
  query,
  shownTo,
  answer: dataSchema(settings),
  ...call,
});

/** The documentation of the calls of single sign-on. */
export const singleSignOnCalls = {
  ways: describeCall({
    id: 'ways-to-sign-in',
    tag,
    summary: 'The sign-in methods for an email address, determined by its domain alone',
    isPublic: true,
    form: addressForm,
    answer: dataSchema(ways),
  }),
  begin: describeCall({
    id: 'begin-single-sign-on',
    tag,
    summary: "Start signing in through the provider of an email address's domain, or of the installation",
    isPublic: true,
    form: addressForm,
    answer: address,
  }),
  finish: describeCall({
    id: 'finish-single-sign-on',
    tag,
    summary: 'Sign in with the parameters that the browser returned from the provider',
    isPublic: true,
    headers,
    form: returnForm,
    answer: signedIn,
  }),
  beginProof: describeCall({
    id: 'begin-proof-by-single-sign-on',
    tag,
    summary: 'Start confirming your identity by signing in at your provider again',
    answer: address,
  }),
  finishProof: describeCall({
    id: 'finish-proof-by-single-sign-on',
    tag,
    summary: 'Confirm your identity with the parameters that the browser returned from the provider',
    form: returnForm,
    answer: outcomeSchema,
  }),
  read: describeCall(forOwners({ id: 'read-single-sign-on', summary: "A company's single sign-on" })),
  save: describeCall({
    ...forOwners({
      id: 'save-single-sign-on',
      summary: "Connect a company's provider, or change it; without a secret, the saved one stays",
    }),
    form: providerForm,
  }),
  remove: describeCall(
    forOwners({ id: 'remove-single-sign-on', summary: "Remove a company's provider: passwords are enabled again" }),
  ),
  forget: describeCall(
    forOwners({
      id: 'forget-identities',
      summary:
        'Forget which identity belongs to which account: the next sign-in of each user links them by email address again',
    }),
  ),
  close: describeCall({
    ...forOwners({
      id: 'close-local-sign-in',
      summary: 'Disable passwords and passkeys for the domains of a company, or enable them',
    }),
    form: disabledForm,
  }),
  addDomain: describeCall({
    ...forOwners({ id: 'add-domain', summary: 'Add a domain of a company, to be verified by a TXT record' }),
    form: domainForm,
    created: true,
  }),
  checkDomain: describeCall(
    forOwners({
      id: 'check-domain',
      summary:
        'Look up the TXT record that verifies a domain; an administrator of the installation confirms it without one',
    }),
  ),
  removeDomain: describeCall(forOwners({ id: 'remove-domain', summary: 'Remove a domain of a company' })),
  companies: describeCall({
    id: 'single-sign-on-of-companies',
    tag,
    summary: 'The companies that use single sign-on, or have added domains',
    shownTo: ({ level }) => level === 1,
    answer: dataSchema(companies),
  }),
};
