/** A client of the demo data; country and state by their names. */
export interface DemoClient {
  readonly name: string;
  readonly code: string;
  readonly email: string;
  readonly contact_no: string;
  readonly website: string;
  readonly address: string;
  readonly city: string;
  readonly post_code: string;
  readonly country: string;
  readonly state: string;
  /** Days before today when it was added. */
  readonly since: number;
  /** Days before today when it was archived. */
  readonly archived?: number;
}

/** Six in four countries, and an archived one. */
export const clients: readonly DemoClient[] = [
  {
    name: 'Northwind Freight',
    code: 'NWF',
    email: 'it@northwind-freight.test',
    contact_no: '+49 40 3301 240',
    website: 'https://northwind-freight.test',
    address: 'Am Sandtorkai 48',
    city: 'Hamburg',
    post_code: '20457',
    country: 'Germany',
    state: 'Hamburg',
    since: 410,
  },
  {
    name: 'Brightwater Health',
    code: 'BWH',
    email: 'digital@brightwater.test',
    contact_no: '+44 20 7946 031',
    website: 'https://brightwater.test',
    address: '18 Tavistock Place',
    city: 'London',
    post_code: 'WC1H 9RE',
    country: 'United Kingdom',
    state: 'England',
    since: 368,
  },
  {
    name: 'Meridian Savings Bank',
    code: 'MSB',
    email: 'quality@meridian-savings.test',
    contact_no: '+1 212 555 0143',
    website: 'https://meridian-savings.test',
    address: '220 Pearl Street',
    city: 'New York',
    post_code: '10038',
    country: 'United States',
    state: 'New York',
    since: 301,
  },
  {
    name: 'Fjordkraft Energi',
    code: 'FKE',
    email: 'test@fjordkraft-energi.test',
    contact_no: '+47 55 55 01 70',
    website: 'https://fjordkraft-energi.test',
    address: 'Strandgaten 91',
    city: 'Bergen',
    post_code: '5004',
    country: 'Norway',
    state: 'Vestland',
    since: 244,
  },
  {
    name: 'Alpenglow Outdoor',
    code: 'AGO',
    email: 'shop@alpenglow.test',
    contact_no: '+49 89 5550 164',
    website: 'https://alpenglow.test',
    address: 'Lindwurmstraße 76',
    city: 'München',
    post_code: '80337',
    country: 'Germany',
    state: 'Bayern',
    since: 190,
  },
  {
    name: 'Palisade Mutual',
    code: 'PLM',
    email: 'claims-it@palisade-mutual.test',
    contact_no: '+1 415 555 0127',
    website: 'https://palisade-mutual.test',
    address: '560 Mission Street',
    city: 'San Francisco',
    post_code: '94105',
    country: 'United States',
    state: 'California',
    since: 96,
  },
  {
    name: 'Oldgate Publishing',
    code: 'OGP',
    email: 'office@oldgate.test',
    contact_no: '+44 161 496 0188',
    website: 'https://oldgate.test',
    address: '3 Deansgate',
    city: 'Manchester',
    post_code: 'M3 1AZ',
    country: 'United Kingdom',
    state: 'England',
    since: 480,
    archived: 40,
  },
];

/** The second company's only client. */
export const harbourClients: readonly DemoClient[] = [
  {
    name: 'Kattegatt Ferries',
    code: 'KGF',
    email: 'booking@kattegatt-ferries.test',
    contact_no: '+46 31 555 0144',
    website: 'https://kattegatt-ferries.test',
    address: 'Skeppsbron 12',
    city: 'Göteborg',
    post_code: '411 21',
    country: 'Sweden',
    state: 'Västra Götaland',
    since: 120,
  },
];
