import { Level } from '../../../engine/definitions/level';
import type { FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { Actor } from '../../../engine/access/actor';
import {
  dataOf,
  dateTime,
  defineCall,
  emailText,
  form,
  formText,
  id,
  idParams,
  nullable,
  outcome,
  outcomeOf,
} from '../../routing/define-call';

const addressForm = Type.Object({ email: Type.Optional(emailText()) }, form);
const returnForm = Type.Object(
  {
    state: Type.String({ maxLength: 100 }),
    code: Type.Optional(Type.String({ maxLength: 8000 })),
    iss: Type.Optional(Type.String({ maxLength: 2000 })),
    error: Type.Optional(Type.String({ maxLength: 200 })),
    error_description: Type.Optional(Type.String({ maxLength: 4000 })),
  },
  form,
);
const providerForm = Type.Object(
  {
    name: formText('Name', { maxLength: 60 }),
    issuer: formText('Issuer', { maxLength: 500 }),
    client_id: formText('Client ID', { maxLength: 500 }),
    client_secret: Type.Optional(nullable(Type.String({ maxLength: 2000 }), { title: 'Client secret' })),
    trusts_second_factor: Type.Optional(Type.Boolean({ title: 'Trust its second factor' })),
    trusts_addresses: Type.Optional(
      Type.Boolean({
        title: 'Trust its addresses',
        description:
          'Addresses of the verified domains count as verified where the provider does not say whether they are.',
      }),
    ),
    new_people_role: Type.Optional(Type.Integer({ ...id, title: 'Role of new people' })),
  },
  form,
);

/** The parameters that a browser returns from a provider. */
export type ReturnParameters = Static<typeof returnForm>;
/** A company's provider. Without a secret, the saved one stays; null removes it. */
export type ProviderForm = Static<typeof providerForm>;

const tag = 'Single sign-on';
const headers = { 'X-Session': '"renewable" requests a token for 15 minutes, as the browser application does.' };
const methods = Type.Object({
  single_sign_on: Type.Boolean({ description: 'Whether single sign-on is set up for anybody here.' }),
  installation: nullable(Type.Object({ name: Type.String() }), { description: 'The provider of the installation.' }),
  company: nullable(Type.Object({ name: Type.String(), domain: Type.String(), closed: Type.Boolean() }), {
    description: "The provider of the email address's domain.",
  }),
  password: Type.Boolean({ description: 'Whether signing in with a password is possible.' }),
  product: Type.Object(
    { name: Type.String(), title: Type.String() },
    { description: 'The product that runs here: its name for programs, and its title for users.' },
  ),
});
const address = Type.Partial(
  outcomeOf({ data: Type.Object({ url: Type.String({ description: 'The URL to send the browser to.' }) }) }),
);
const signedIn = outcomeOf({
  token: Type.String(),
  email: Type.String({ description: 'The account that needs a second step.' }),
  reason: Type.String({ description: 'Why it failed, as a code.' }),
});
const domain = Type.Object({
  id,
  domain: Type.String(),
  proven_at: nullable(dateTime),
  proven_by: nullable(Type.String(), { description: '"dns" or "administrator".' }),
  record: Type.Object({ name: Type.String(), type: Type.Literal('TXT'), value: Type.String() }),
});
const provider = Type.Object({
  name: Type.String(),
  issuer: Type.String(),
  client_id: Type.String(),
  has_secret: Type.Boolean(),
  trusts_second_factor: Type.Boolean(),
  trusts_addresses: Type.Boolean(),
  new_people_role: nullable(id),
  local_closed: Type.Boolean(),
  changed_at: dateTime,
});
const settings = Type.Object({
  company: Type.Object({ id, name: Type.String() }),
  redirect_uri: Type.String(),
  provider: nullable(provider),
  domains: Type.Array(domain),
  joined: Type.Integer({ description: 'How many users have signed in through it.' }),
  elsewhere: Type.Integer({ description: 'How many active users have email addresses of other domains.' }),
  may_close: Type.Boolean({ description: 'Whether the caller has signed in through it with its current settings.' }),
  recovery_codes_left: Type.Integer({ description: "The caller's own." }),
  choices: Type.Array(Type.Object({ id, role_name: Type.String() })),
});
const companies = Type.Array(
  Type.Object({
    id,
    name: Type.String(),
    provider: nullable(Type.String()),
    local_closed: Type.Boolean(),
    domains: Type.Array(domain),
  }),
);
const forOwners = {
  tag,
  querystring: Type.Object({
    site_id: Type.Optional(
      Type.Integer({
        ...id,
        description: 'The company; for administrators of the installation, who do not belong to one.',
        errorMessage: 'site_id must be the id of a company.',
      }),
    ),
  }),
  scope: 'level',
  shownTo: ({ level }: Actor) => level <= Level.Owner,
  refusal: 'Only company owners can manage single sign-on.',
  answer: dataOf(settings),
} as const;

/** A call about the single sign-on of a company. */
export type CompanyRequest = FastifyRequest<{ Querystring: Static<typeof forOwners.querystring> }>;

/** The calls of single sign-on. */
export const singleSignOnCalls = {
  ways: defineCall({
    id: 'ways-to-sign-in',
    tag,
    summary: 'The sign-in methods for an email address, determined by its domain alone',
    scope: 'public',
    body: addressForm,
    answer: dataOf(methods),
  }),
  begin: defineCall({
    id: 'begin-single-sign-on',
    tag,
    summary: "Start signing in through the provider of an email address's domain, or of the installation",
    scope: 'public',
    body: addressForm,
    answer: address,
  }),
  finish: defineCall({
    id: 'finish-single-sign-on',
    tag,
    summary: 'Sign in with the parameters that the browser returned from the provider',
    scope: 'public',
    headers,
    body: returnForm,
    answer: signedIn,
  }),
  beginProof: defineCall({
    id: 'begin-proof-by-single-sign-on',
    scope: 'person',
    tag,
    summary: 'Start confirming your identity by signing in at your provider again',
    answer: address,
  }),
  finishProof: defineCall({
    id: 'finish-proof-by-single-sign-on',
    scope: 'person',
    tag,
    summary: 'Confirm your identity with the parameters that the browser returned from the provider',
    body: returnForm,
    answer: outcome,
  }),
  read: defineCall({ ...forOwners, id: 'read-single-sign-on', summary: "A company's single sign-on" }),
  save: defineCall({
    ...forOwners,
    id: 'save-single-sign-on',
    summary: "Connect a company's provider, or change it; without a secret, the saved one stays",

    body: providerForm,
  }),
  remove: defineCall({
    ...forOwners,
    id: 'remove-single-sign-on',
    summary: "Remove a company's provider: passwords are enabled again",
  }),
  forget: defineCall({
    ...forOwners,
    id: 'forget-identities',
    summary:
      'Forget which identity belongs to which account, of all users or of one address: the next sign-in links them by email address again',
    body: addressForm,
  }),
  close: defineCall({
    ...forOwners,
    id: 'close-local-sign-in',
    summary: 'Disable passwords and passkeys for the domains of a company, or enable them',

    body: Type.Object({ closed: Type.Boolean() }, form),
  }),
  addDomain: defineCall({
    ...forOwners,
    id: 'add-domain',
    summary: 'Add a domain of a company, to be verified by a TXT record',
    body: Type.Object({ domain: formText('Domain', { maxLength: 253 }) }, form),
    created: true,
  }),
  checkDomain: defineCall({
    ...forOwners,
    params: idParams,
    id: 'check-domain',
    summary:
      'Look up the TXT record that verifies a domain; an administrator of the installation confirms it without one',
  }),
  removeDomain: defineCall({
    ...forOwners,
    params: idParams,
    id: 'remove-domain',
    summary: 'Remove a domain of a company',
  }),
  companies: defineCall({
    id: 'single-sign-on-of-companies',
    scope: 'level',
    tag,
    summary: 'The companies that use single sign-on, or have added domains',
    shownTo: ({ level }) => level === Level.Installation,
    refusal: 'Only administrators of the installation can see this.',
    answer: dataOf(companies),
  }),
};
