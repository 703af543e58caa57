/** The demo accounts of the installation and the first company, one for each level. */
export const accounts = {
  admin: 'admin@demo.test',
  owner: 'owner@demo.test',
  manager: 'manager@demo.test',
  developer: 'developer@demo.test',
  qa: 'qa@demo.test',
  external: 'external@demo.test',
} as const;

/** The password of every demo account. */
export const password = 'Demo@1234';
