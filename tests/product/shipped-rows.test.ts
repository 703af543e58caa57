import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shippedFiles } from '../support/definitions';

type Row = { id: number } & Record<string, unknown>;
type Named = Row & { name: string };

const files = shippedFiles().rows;
const rows = <T extends Row>(resource: string): T[] =>
  (JSON.parse(files.find(({ file }) => basename(file) === `${resource}.json`)!.text) as T[]).sort(
    (one, other) => one.id - other.id,
  );
/** The files as written: of the system, of the product, or of both. */
const texts = (resource: string) =>
  ['system', 'resources']
    .map((folder) => `${folder}/rows/${resource}.json`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));

const countries = rows<Named>('countries');
const states = rows<Named & { country_id: number }>('states');
const emails = rows('email-templates');
const notifications = rows('notification-templates');

// Root collation; 'en' tailors nothing, and 'und' would fall back to the machine's language.
const order = new Intl.Collator('en');
const sorted = (names: string[]) => [...names].sort(order.compare);

const alpha2 = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA
  CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA
  GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS
  MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS
  RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW
  TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`
  .trim()
  .split(/\s+/);

/** Where users expect another name than the one the runtime's region names give. */
const otherwise: Record<string, string> = {
  BQ: 'Bonaire, Sint Eustatius and Saba',
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CV: 'Cabo Verde',
  GS: 'South Georgia and the South Sandwich Islands',
  HK: 'Hong Kong',
  HM: 'Heard Island and McDonald Islands',
  MM: 'Myanmar',
  MO: 'Macao',
  PS: 'Palestine',
  SH: 'Saint Helena, Ascension and Tristan da Cunha',
  TR: 'Türkiye',
  UM: 'United States Minor Outlying Islands',
  VC: 'Saint Vincent and the Grenadines',
};
const regions = new Intl.DisplayNames('en', { type: 'region' });
const expectedName = (code: string) =>
  otherwise[code] ?? regions.of(code)!.replace('&', 'and').replace('St. ', 'Saint ').replace('’', "'");

const subdivisions: Record<string, number> = {
  Australia: 8,
  Austria: 9,
  Brazil: 27,
  Canada: 13,
  Denmark: 5,
  France: 18,
  Germany: 16,
  India: 36,
  Ireland: 26,
  Italy: 20,
  Japan: 47,
  Mexico: 32,
  Netherlands: 12,
  'New Zealand': 17,
  Norway: 15,
  'South Africa': 9,
  Spain: 19,
  Sweden: 21,
  Switzerland: 26,
  'United Kingdom': 4,
  'United States': 57,
};

const placeholders = (row: Row) => [
  ...new Set(Object.values(row).flatMap((value) => String(value).match(/\{\{.*?\}\}/g) ?? [])),
];

describe.each([
  ['countries', countries, ['id', 'name']],
  ['states', states, ['id', 'name', 'country_id']],
  ['email-templates', emails, ['id', 'identifier', 'subject', 'content', 'header', 'footer', 'from', 'cc', 'bcc']],
  ['notification-templates', notifications, ['id', 'identifier', 'subject', 'content']],
] as [string, Row[], string[]][])('%s', (resource, list, fields) => {
  test('ids count from 1 and every row has the same fields', () => {
    expect(list.map((row) => row.id)).toEqual(list.map((_, index) => index + 1));
    for (const row of list) expect(Object.keys(row)).toEqual(fields);
  });

  test('has one row per line, with normalised and trimmed text', () => {
    for (const text of texts(resource)) {
      const written = JSON.parse(text) as Row[];
      expect(text.trim().split('\n')).toHaveLength(written.length + 2);
    }
    for (const value of list.flatMap(Object.values)) {
      if (typeof value === 'string') expect(value).toBe(value.normalize('NFC').trim());
    }
  });
});

describe('countries', () => {
  const names = countries.map((country) => country.name);

  test('are the 249 of ISO 3166-1, each once, in alphabetical order', () => {
    expect(new Set(alpha2).size).toBe(249);
    expect(names).toEqual(sorted(alpha2.map(expectedName)));
    expect(new Set(names).size).toBe(249);
  });
});

describe('states', () => {
  const nameOf = new Map(countries.map((country) => [country.id, country.name]));

  test('belong to a country that exists, and are complete for each', () => {
    const counts: Record<string, number> = {};
    for (const state of states) {
      const country = nameOf.get(state.country_id);
      expect(country, state.name).toBeDefined();
      counts[country!] = (counts[country!] ?? 0) + 1;
    }
    expect(counts).toEqual(subdivisions);
  });

  test('are unique within a country, sorted by country and name', () => {
    for (const id of new Set(states.map((state) => state.country_id))) {
      const names = states.filter((state) => state.country_id === id).map((state) => state.name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(sorted(names));
    }
    const owners = states.map((state) => nameOf.get(state.country_id)!);
    expect(owners).toEqual(sorted(owners));
  });
});

describe('templates', () => {
  const byIdentifier = (list: Row[]) =>
    Object.fromEntries(list.map((row): [string, string[]] => [String(row.identifier), placeholders(row)]));

  test('of mails name only what the sender fills in; codes come in words and in a link', () => {
    const used = byIdentifier(emails);
    expect(Object.keys(used)).toEqual([
      'forgot_password',
      'account_setup',
      'password_changed',
      'confirm_address',
      'ticket_answered',
      'sign_in_blocked',
      'address_change',
      'address_changed',
      'address_in_use',
      'second_factor_changed',
      'second_factor_reset',
      'notification',
      'digest',
      'account_setup_by_provider',
    ]);
    const { notification, digest, account_setup_by_provider: byProvider, ...others } = used;
    expect(byProvider).toEqual(expect.arrayContaining(['{{name}}', '{{email}}', '{{provider}}', '{{link}}']));
    const ofNotices = ['{{title}}', '{{link}}', '{{settings}}'];
    expect(notification).toEqual(expect.arrayContaining([...ofNotices, '{{#lines}}', '{{.}}', '{{/lines}}']));
    expect(digest).toEqual(expect.arrayContaining([...ofNotices, '{{#groups}}', '{{#notices}}', '{{date}}']));
    for (const names of Object.values(others)) {
      expect(['{{name}}', '{{link}}', '{{code}}', '{{company}}']).toEqual(expect.arrayContaining(names));
      expect(names).toEqual(expect.arrayContaining(['{{name}}', '{{link}}']));
    }
    const coded = Object.keys(used).filter((identifier) => used[identifier]!.includes('{{code}}'));
    expect(coded).toEqual(['forgot_password', 'account_setup', 'confirm_address', 'address_change']);
    for (const mail of emails) expect([mail.from, mail.cc, mail.bcc]).toEqual([null, null, null]);
  });

  test('of notifications name only what the sender fills in', () => {
    const used = byIdentifier(notifications);
    expect(Object.keys(used)).toEqual([
      'task_assigned',
      'test_case_assigned',
      'comment_added',
      'ticket_answered',
      'task_deadline',
      'announcement',
      'record_commented',
      'record_mentioned',
      'record_changed',
      'record_deleted',
      'retest_due',
    ]);
    const known = ['{{name}}', '{{actor}}', '{{title}}', '{{text}}', '{{date}}'];
    for (const names of Object.values(used)) expect(known).toEqual(expect.arrayContaining(names));
  });
});
