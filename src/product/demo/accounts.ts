/** The password of every demo account. */
export const demoPassword = 'Demo@1234';

/** A demo account; its role is a shipped one. */
export interface DemoAccount {
  readonly email: string;
  readonly role_id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_number: string | null;
}

/** The six that the sign-in page offers, one a role. */
export const demoAccounts = [
  { email: 'admin@demo.test', role_id: 1, first_name: 'Amara', last_name: 'Okafor', phone_number: null },
  { email: 'owner@demo.test', role_id: 2, first_name: 'Olivia', last_name: 'Berg', phone_number: '+49 40 5550 100' },
  { email: 'manager@demo.test', role_id: 3, first_name: 'Mateo', last_name: 'Vidal', phone_number: '+49 40 5550 112' },
  {
    email: 'developer@demo.test',
    role_id: 4,
    first_name: 'Dina',
    last_name: 'Haddad',
    phone_number: '+49 40 5550 134',
  },
  { email: 'qa@demo.test', role_id: 5, first_name: 'Quentin', last_name: 'Marsh', phone_number: '+49 40 5550 156' },
  { email: 'external@demo.test', role_id: 6, first_name: 'Elif', last_name: 'Demir', phone_number: null },
] as const satisfies readonly DemoAccount[];

/** The owner of the second company, whose data must be invisible to the first. */
export const harbourOwner: DemoAccount = {
  email: 'owner@harbour.test',
  role_id: 2,
  first_name: 'Hugo',
  last_name: 'Lindqvist',
  phone_number: '+46 31 555 0190',
};

/** Every address that belongs to demo data. */
export const demoAddresses: readonly string[] = [...demoAccounts, harbourOwner].map(({ email }) => email);
